"""Reading a caller's arguments, with errors that name them.

A message says what was received, what is allowed and what to do. It names a single
number, or the type of anything else: never the content of a list, a table or a
text, which may be answers. Readers return what formulas need, and raise the
error that they are given.
"""

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import (
    Infeasible,
    InvalidArgument,
    UnsupportedMechanism,
)
from deniable_sdk.errors import DeniableError, quote
from deniable_sdk.mechanisms import MECHANISMS
from deniable_sdk.survey.questions import MAX_QUESTIONS
from deniable_sdk.weights import MAX_EPSILON, MIN_EPSILON

# Every whole number below is a float of its own.
LARGEST_COUNT = 10**15
# Numbers beyond are mistakes, and their squares would overflow floats.
LARGEST_NUMBER = 10**100
# A hundred times as many as there are people.
MAX_RESPONDENTS = 10**12
MIN_BLOCK_EPSILON = Fraction(MIN_EPSILON) / MAX_QUESTIONS

_DECIMAL = re.compile(r"[0-9]{1,2}(\.[0-9]{1,30})?", re.ASCII)

Number = float | Fraction
Choice = TypeVar("Choice", bound=Enum)
Refusal = type[DeniableError]


def exact(value: Number) -> Fraction:
    """The fraction a number was written as: 0.1 is one tenth.

    Raises:
        ValueError: the number is infinite or not a number.
    """
    return value if isinstance(value, Fraction) else Fraction(repr(float(value)))


def kind_of(value: object) -> str:
    """The kind of a value, for a message."""
    return f"something of the type {type(value).__name__}"


def shown(value: object) -> str:
    """A number, or the kind of what was given instead of one."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return kind_of(value)
    try:
        return f"{float(value):g}"
    except OverflowError:
        return "a huge number"


def named(value: object) -> str:
    """A name that an argument chooses by, or the kind of what is not a text."""
    return quote(value) if isinstance(value, str) else shown(value)


def is_whole(value: object, least: int, most: int = LARGEST_COUNT) -> bool:
    """Whether something is a whole number within bounds; truth values are not."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        return False
    return least <= int(value) <= most


def is_finite(value: object) -> bool:
    """Whether something is a number that fits a float."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def check_kind(
    name: str,
    value: object,
    kinds: type | tuple[type, ...],
    allowed: str,
    error: Refusal = InvalidArgument,
) -> None:
    """Raise the error unless something is of one of these kinds."""
    if not isinstance(value, kinds):
        raise error(f"{name}: got {kind_of(value)}; allowed is {allowed}")


def check_mechanism(mechanism: object) -> None:
    """Raise UnsupportedMechanism unless it is a mechanism."""
    allowed = "the mechanism of a block of a published survey"
    check_kind("mechanism", mechanism, tuple(MECHANISMS.values()), allowed, UnsupportedMechanism)


def read_number(name: str, value: Number | None, allowed: str = "a finite number") -> Fraction:
    """A finite number, as the fraction it was written as."""
    if value is not None and is_finite(value) and -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        return exact(value)
    raise InvalidArgument(f"{name}: got {shown(value)}; allowed is {allowed}")


def read_positive(name: str, value: Number | None) -> Fraction:
    """A number above 0, as the fraction it was written as; None is refused, as any other kind."""
    number = read_number(name, value, "a number above 0")
    if number <= 0:
        raise InvalidArgument(f"{name}: got {shown(value)}; allowed is a number above 0")
    if number < Fraction(1, LARGEST_NUMBER):
        raise InvalidArgument(
            f"{name}: got {shown(value)}; allowed is a number from 1e-100 to 1e100"
        )
    return number


def read_share(name: str, value: Number) -> Fraction:
    """A share of the respondents, from 0 to 1."""
    number = read_number(name, value, "a share from 0 to 1")
    if not 0 <= number <= 1:
        raise InvalidArgument(
            f"{name}: got {shown(value)}; allowed is a share from 0 to 1, so 30 percent is 0.3"
        )
    return number


def read_probability(name: str, value: Number) -> Fraction:
    """A number between 0 and 1 that a float can distinguish from both."""
    number = read_number(name, value, "a number between 0 and 1")
    if not 0 < float(number) < 1:
        raise InvalidArgument(f"{name}: got {shown(value)}; allowed is a number between 0 and 1")
    return number


def read_block_epsilon(value: float | str) -> Fraction:
    """What one respondent spends on one of the questions they are asked."""
    text = _epsilon_text(value)
    # The pattern bounds the length: as a fraction 1e999999999 would fill memory.
    if _DECIMAL.fullmatch(text) and MIN_BLOCK_EPSILON <= Fraction(text) <= MAX_EPSILON:
        return Fraction(text)
    raise InvalidArgument(
        f"epsilon: got {named(value)}; allowed is a "
        f"number from {MIN_EPSILON} (for one of many questions from "
        f"{float(MIN_BLOCK_EPSILON):.5f}) to {MAX_EPSILON}, with at most 30 decimals"
    )


def _epsilon_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        # The shortest text of a small float has an exponent, which no survey allows.
        return f"{Decimal(repr(float(value))):f}"
    is_number = is_whole(value, -LARGEST_NUMBER, LARGEST_NUMBER)
    return f"{value:d}" if is_number else ""


def read_count(name: str, value: int, low: int, high: int, because: str = "") -> int:
    """A whole number within bounds; the message may add why they are the bounds."""
    if not is_whole(value, low, high):
        raise InvalidArgument(f"{name}: got {shown(value)}; allowed are {low} to {high}{because}")
    return int(value)


def read_respondents(name: str, value: int) -> int:
    """A number of respondents, at least 1."""
    if not is_whole(value, 1, LARGEST_NUMBER):
        raise InvalidArgument(f"{name}: got {shown(value)}; allowed is a whole number from 1")
    if value > MAX_RESPONDENTS:
        raise InvalidArgument(
            f"{name}: got {shown(value)}; allowed are at most {MAX_RESPONDENTS:,}, more than "
            "there are people"
        )
    return int(value)


def possible(respondents: int) -> int:
    """The number of respondents that something requires; Infeasible if nobody has so many."""
    if respondents > MAX_RESPONDENTS:
        raise Infeasible(
            f"it requires more than {MAX_RESPONDENTS:,} respondents, more than there are people: "
            "allow a larger error or a larger epsilon, or look for a larger difference"
        )
    return respondents


def read_report_count(value: Any, what: str = "an estimate") -> int:
    """A number of reports, at least 1."""
    if not is_whole(value, 1):
        raise InvalidArgument(
            f"got {shown(value)} reports; {what} needs at least 1, and takes a whole number up "
            f"to {LARGEST_COUNT:g}"
        )
    return int(value)


def read_flag(name: str, value: object, allowed: str = "True and False") -> bool:
    """Yes or no."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidArgument(f"{name}: got {shown(value)}; allowed are {allowed}")
    return bool(value)


def read_choice(name: str, allowed: Iterable[Choice], value: object) -> Choice:
    """The member of an enumeration, or of some of it, with this value."""
    members = tuple(allowed)
    if isinstance(value, str | Enum):
        for member in members:
            if value in (member, member.value):
                return member
    listed = ", ".join(str(member.value) for member in members)
    raise InvalidArgument(f"{name}: got {named(value)}; allowed: {listed}")


def finite_numbers(values: Any) -> NDArray[Any] | None:
    """An array of finite numbers, as exact as they were; None if they are none.

    Truth values count as 0 and 1. Fractions stay what they are.
    """
    try:
        found = np.asarray(values)
    except (ValueError, TypeError, OverflowError):  # rows of different lengths
        return None
    if found.dtype.kind == "O":
        return found if all(map(is_finite, found.ravel())) else None
    if found.dtype.kind == "b":
        return found.astype(np.int64)
    return found if found.dtype.kind in "iuf" and bool(np.all(np.isfinite(found))) else None


def finite_floats(values: Any) -> Floats | None:
    """An array of finite floats; None if values are no such numbers."""
    found = finite_numbers(values)
    return None if found is None else found.astype(np.float64, copy=False)


def read_numbers(values: Any, what: str) -> NDArray[Any]:
    """An array of finite numbers, as exact as they were given."""
    found = finite_numbers(values)
    if found is None:
        raise InvalidArgument(
            f"{what}: got {kind_of(values)}, or one that contains something other than finite "
            "numbers; allowed is a list or array of them"
        )
    return found


def read_floats(values: Any, what: str) -> Floats:
    """An array of finite floats."""
    return read_numbers(values, what).astype(np.float64, copy=False)


def as_list(values: Any) -> list[Any] | None:
    """The members of a list, a tuple or an array; None of anything else.

    A text is none, and neither is a set or a mapping: it has no order.
    """
    if isinstance(values, str | bytes):
        return None
    return list(values) if isinstance(values, Sequence | np.ndarray) else None
