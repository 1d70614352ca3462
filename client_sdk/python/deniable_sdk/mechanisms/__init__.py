"""The ways to randomize a block, one file each.

A new mechanism is a new file here and one in `theory`, one line in REGISTERED,
and a twin in client_sdk/javascript/src/mechanisms.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import quote
from deniable_sdk.mechanisms.base import Mechanism
from deniable_sdk.mechanisms.domains import Answer, Domain, OneOf, SomeOf
from deniable_sdk.mechanisms.values import (
    InvalidParameters,
    InvalidValue,
    Support,
    SupportKind,
    ValueForm,
)

if TYPE_CHECKING:
    from deniable_sdk.mechanisms.piecewise import Piecewise
    from deniable_sdk.mechanisms.privset import PrivSet
    from deniable_sdk.mechanisms.sampled_bits import SampledBits
    from deniable_sdk.mechanisms.subset import Subset


# The name of each mechanism, its class, and the package that has its two
# modules, `mechanisms.NAME` and `theory.NAME`.
REGISTERED = {
    "subset": ("Subset", "deniable_sdk"),
    "sampled_bits": ("SampledBits", "deniable_sdk"),
    "privset": ("PrivSet", "deniable_sdk"),
    "piecewise": ("Piecewise", "deniable_sdk"),
}


class Mechanisms(Mapping[str, type[Mechanism]]):
    """Name to mechanism, each loaded when it is first asked for.

    A survey seldom has more than two, and a device waits for its start.
    """

    def __getitem__(self, name: str) -> type[Mechanism]:
        class_name, package = REGISTERED[name]
        module = import_module(f"{package}.mechanisms.{name}")
        mechanism: type[Mechanism] = getattr(module, class_name)
        return mechanism

    def __iter__(self) -> Iterator[str]:
        return iter(REGISTERED)

    def __len__(self) -> int:
        return len(REGISTERED)


MECHANISMS = Mechanisms()


def mechanism_from_document(document: JSON) -> Mechanism:
    """The mechanism that a block of a published survey describes.

    Raises:
        InvalidParameters: the name is unknown or a parameter is illegal.
    """
    if not isinstance(document, dict):
        raise InvalidParameters("got no object; allowed is an object with a name")
    name = document.get("name")
    if not (isinstance(name, str) and name in REGISTERED):
        raise InvalidParameters(f"name: got {quote(name)}; allowed: {', '.join(REGISTERED)}")
    return MECHANISMS[name].from_document(document)


def __getattr__(name: str) -> object:
    """A mechanism's class, loaded when it is asked for."""
    for mechanism, (class_name, _) in REGISTERED.items():
        if class_name == name:
            return MECHANISMS[mechanism]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "MECHANISMS",
    "REGISTERED",
    "Answer",
    "Domain",
    "InvalidParameters",
    "InvalidValue",
    "Mechanism",
    "OneOf",
    "Piecewise",
    "PrivSet",
    "SampledBits",
    "SomeOf",
    "Subset",
    "Support",
    "SupportKind",
    "ValueForm",
    "mechanism_from_document",
]
