"""The ways to randomize a block, one file each.

A new mechanism is a new file here, one line in _CLASSES, and its twin in
client_sdk/javascript/src/mechanisms.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import quote
from deniable_sdk.mechanisms.base import InvalidParameters, InvalidValue, Mechanism
from deniable_sdk.mechanisms.domains import Answer, Domain, OneOf, SomeOf

if TYPE_CHECKING:
    from deniable_sdk.mechanisms.piecewise import Piecewise
    from deniable_sdk.mechanisms.privset import PrivSet
    from deniable_sdk.mechanisms.sampled_bits import SampledBits
    from deniable_sdk.mechanisms.subset import Subset


# The name of each mechanism, which is that of its file, and its class.
_CLASSES = {
    "subset": "Subset",
    "sampled_bits": "SampledBits",
    "privset": "PrivSet",
    "piecewise": "Piecewise",
}


class Mechanisms(Mapping[str, type[Mechanism]]):
    """Name to mechanism, each loaded when it is first asked for.

    A survey seldom has more than two, and a device waits for its start.
    """

    def __getitem__(self, name: str) -> type[Mechanism]:
        class_name = _CLASSES[name]
        mechanism: type[Mechanism] = getattr(import_module(f"{__name__}.{name}"), class_name)
        return mechanism

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


MECHANISMS = Mechanisms()


def mechanism_from_document(document: JSON) -> Mechanism:
    """The mechanism that a block of a published survey describes.

    Raises:
        InvalidParameters: the name is unknown or a parameter is illegal.
    """
    if not isinstance(document, dict):
        raise InvalidParameters("got no object; allowed is an object with a name")
    name = document.get("name")
    if not (isinstance(name, str) and name in _CLASSES):
        raise InvalidParameters(f"name: got {quote(name)}; allowed: {', '.join(_CLASSES)}")
    return MECHANISMS[name].from_document(document)


def __getattr__(name: str) -> object:
    """A mechanism's class, loaded when it is asked for."""
    for mechanism, class_name in _CLASSES.items():
        if class_name == name:
            return MECHANISMS[mechanism]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "MECHANISMS",
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
    "mechanism_from_document",
]
