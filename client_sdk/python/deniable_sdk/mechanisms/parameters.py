"""Reading a mechanism's parameters from a published survey.

Each function raises InvalidParameters if one is missing, unknown or illegal.
"""

from collections.abc import Mapping
from typing import TypeGuard

from deniable_sdk.canonical import JSON, kind
from deniable_sdk.mechanisms.domains import Domain, OneOf, SomeOf
from deniable_sdk.mechanisms.values import InvalidParameters
from deniable_sdk.randomness import DRAW_RANGE
from deniable_sdk.weights import Weights

MAX_DOMAIN_SIZE = 1000
MAX_CELLS = 5000


def read_integer(document: Mapping[str, JSON], key: str) -> int:
    """The whole number under a key."""
    value = document.get(key)
    if type(value) is not int:
        raise InvalidParameters(f"{key}: got {_found(document, key)}; allowed is a whole number")
    return value


def read_count(document: Mapping[str, JSON], key: str, lowest: int, highest: int) -> int:
    """The whole number under a key, in a range."""
    count = read_integer(document, key)
    check_range(key, count, lowest, highest)
    return count


def check_range(key: str, number: int, lowest: int, highest: int) -> None:
    """Raise InvalidParameters unless a parameter is in its range."""
    if not lowest <= number <= highest:
        raise InvalidParameters(f"{key}: got {number}; allowed are {lowest} to {highest}")


def read_weights(document: Mapping[str, JSON]) -> Weights:
    """The weights [high, low], high above low, both positive."""
    match document.get("weights"):
        case [high, low] if type(high) is int and type(low) is int:
            if 1 <= low < high:
                return Weights(high, low)
            raise InvalidParameters(
                f"weights: got [{high}, {low}]; the first must be above the second, "
                "the second at least 1"
            )
    raise InvalidParameters(
        f"weights: got {_found(document, 'weights')}; allowed is a list of two whole numbers"
    )


def read_selection(document: Mapping[str, JSON]) -> SomeOf:
    """The options to choose any or at most some of."""
    options = read_count(document, "options", 2, MAX_DOMAIN_SIZE)
    at_most = read_count(document, "at_most", 1, options)
    return SomeOf(options, at_most)


def read_grid(document: Mapping[str, JSON]) -> OneOf:
    """The places of a scale or number, and whether there is "no answer"."""
    cells, no_answer = read_count(document, "cells", 2, MAX_CELLS), document.get("no_answer")
    if not isinstance(no_answer, bool):
        raise InvalidParameters(
            f"no_answer: got {_found(document, 'no_answer')}; allowed is true or false"
        )
    return OneOf(cells, no_answer)


def refuse_unknown(document: Mapping[str, JSON], known: tuple[str, ...]) -> None:
    """Raise InvalidParameters if a key is unknown."""
    unknown = set(document) - set(known)
    if unknown:
        raise InvalidParameters(f"{min(unknown)}: not a parameter of {document['name']}")


def is_grid(domain: Domain) -> TypeGuard[OneOf]:
    """Whether a published survey can carry the domain as a grid."""
    return isinstance(domain, OneOf) and 2 <= domain.options <= MAX_CELLS


def check_total_weight(total: int, advice: str) -> None:
    """Raise InvalidParameters if the total weight is too large for one draw."""
    if total > DRAW_RANGE:
        raise InvalidParameters(
            f"weights: their total is beyond 2^48, the range of one draw; {advice}"
        )


def _found(document: Mapping[str, JSON], key: str) -> str:
    return kind(document[key]) if key in document else "nothing"
