"""The ways to randomize a block, one file each.

A new mechanism is a new file here, one line in MECHANISMS, and its twin in
client_sdk/javascript/src/mechanisms.
"""

from collections.abc import Mapping

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import quote
from deniable_sdk.mechanisms.base import InvalidParameters, InvalidValue, Mechanism
from deniable_sdk.mechanisms.domains import Answer, Domain, OneOf, SomeOf
from deniable_sdk.mechanisms.privset import PrivSet
from deniable_sdk.mechanisms.sampled_bits import SampledBits
from deniable_sdk.mechanisms.sign import Sign
from deniable_sdk.mechanisms.square_wave import SquareWave
from deniable_sdk.mechanisms.subset import Subset

_ALL: tuple[type[Mechanism], ...] = (Subset, SampledBits, PrivSet, SquareWave, Sign)
MECHANISMS: Mapping[str, type[Mechanism]] = {mechanism.name: mechanism for mechanism in _ALL}


def mechanism_from_document(document: JSON) -> Mechanism:
    """The mechanism that a block of a published survey describes.

    Raises:
        InvalidParameters: the name is unknown or a parameter is illegal.
    """
    if not isinstance(document, dict):
        raise InvalidParameters("got no object; allowed is an object with a name")
    name = document.get("name")
    if not (isinstance(name, str) and name in MECHANISMS):
        raise InvalidParameters(f"name: got {quote(name)}; allowed: {', '.join(MECHANISMS)}")
    return MECHANISMS[name].from_document(document)


__all__ = [
    "MECHANISMS",
    "Answer",
    "Domain",
    "InvalidParameters",
    "InvalidValue",
    "Mechanism",
    "OneOf",
    "PrivSet",
    "SampledBits",
    "Sign",
    "SomeOf",
    "SquareWave",
    "Subset",
    "mechanism_from_document",
]
