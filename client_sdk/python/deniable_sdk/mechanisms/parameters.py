"""Reading a mechanism's parameters from a published survey."""

from collections.abc import Mapping

from deniable_sdk.canonical import JSON, kind
from deniable_sdk.mechanisms.base import InvalidParameters
from deniable_sdk.weights import Weights

MAX_DOMAIN_SIZE = 1000


def read_integer(document: Mapping[str, JSON], key: str) -> int:
    """The whole number under a key.

    Raises:
        InvalidParameters: the key is missing or holds something else.
    """
    value = document.get(key)
    if type(value) is not int:
        raise InvalidParameters(f"{key}: got {_found(document, key)}; allowed is a whole number")
    return value


def read_domain_size(document: Mapping[str, JSON]) -> int:
    """The domain size, from 2 to MAX_DOMAIN_SIZE.

    Raises:
        InvalidParameters: it is missing or out of range.
    """
    size = read_integer(document, "domain_size")
    if not 2 <= size <= MAX_DOMAIN_SIZE:
        raise InvalidParameters(f"domain_size: got {size}; allowed are 2 to {MAX_DOMAIN_SIZE}")
    return size


def read_weights(document: Mapping[str, JSON]) -> Weights:
    """The weights [favoured, base], favoured above base, both positive.

    Raises:
        InvalidParameters: they are missing or not such a pair.
    """
    match document.get("weights"):
        case [favoured, base] if type(favoured) is int and type(base) is int:
            if 1 <= base < favoured:
                return Weights(favoured, base)
            raise InvalidParameters(
                f"weights: got [{favoured}, {base}]; the first must be above the second, "
                "the second at least 1"
            )
    raise InvalidParameters(
        f"weights: got {_found(document, 'weights')}; allowed is a list of two whole numbers"
    )


def _found(document: Mapping[str, JSON], key: str) -> str:
    return kind(document[key]) if key in document else "nothing"
