"""Reading a caller's arguments, so that errors can name them.

A message names a single number, or the type of anything else: never what a
list, a table or a text holds, for that may be answers.
"""

import difflib
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidPlan, NameNotFound
from deniable_sdk.errors import quote

# Every whole number below is a float of its own.
LARGEST_COUNT = 10**15
# Names that a message lists.
MOST_LISTED = 30
# Numbers beyond are mistakes, and their squares would overflow floats.
LARGEST_NUMBER = 10**100

Number = float | Fraction


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
    """A name that an argument chooses by, or the kind of what is no text."""
    return quote(value) if isinstance(value, str) else shown(value)


def is_whole(value: object, least: int, most: int = LARGEST_COUNT) -> bool:
    """Whether something is a whole number within bounds; truth values are not."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        return False
    return least <= int(value) <= most


def is_flag(value: object) -> bool:
    """Whether something is True or False."""
    return isinstance(value, bool | np.bool_)


def is_finite(value: object) -> bool:
    """Whether something is a number that fits a float."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def read_number(name: str, value: Number, allowed: str = "a finite number") -> Fraction:
    """A finite number, as the fraction it was written as.

    Args:
        name: of the argument.
        value: what was given.
        allowed: what is allowed, for the message.
    Raises:
        InvalidPlan: it is none.
    """
    if is_finite(value) and -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        return exact(value)
    raise InvalidPlan(f"{name}: got {shown(value)}; allowed is {allowed}")


def read_share(name: str, value: Number) -> Fraction:
    """A share of the respondents, from 0 to 1.

    Raises:
        InvalidPlan: it is not.
    """
    number = read_number(name, value, "a share from 0 to 1")
    if not 0 <= number <= 1:
        raise InvalidPlan(
            f"{name}: got {shown(value)}; allowed is a share from 0 to 1, so 30 percent is 0.3"
        )
    return number


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


def as_list(values: Any) -> list[Any] | None:
    """The members of a list, a tuple or an array; None of anything else.

    A text is none, and neither is a set or a mapping: it has no order.
    """
    if isinstance(values, str | bytes):
        return None
    return list(values) if isinstance(values, Sequence | np.ndarray) else None


def near_names(wanted: object, names: Iterable[str], holder: str = "there is") -> str:
    """Which of the names somebody may have meant, and which there are.

    Args:
        wanted: what was asked for.
        names: all there are.
        holder: how the list of names begins, like "survey 'health' has".
    """
    every = list(dict.fromkeys(names))
    near = difflib.get_close_matches(str(wanted), every, n=3, cutoff=0.6) if every else []
    shorter = ", ".join(every[:MOST_LISTED])
    more = f" and {len(every) - MOST_LISTED} more" if len(every) > MOST_LISTED else ""
    has = f"{holder}: {shorter}{more}" if every else f"{holder} none"
    return f"did you mean {' or '.join(near)}? {has}" if isinstance(wanted, str) and near else has


def place_of(wanted: object, names: Sequence[str], what: str) -> int:
    """The place of a name among those that a result has.

    Args:
        wanted: what was asked for.
        names: that there are.
        what: they are names of, for the message.
    Raises:
        NameNotFound: it is none of them.
    """
    if isinstance(wanted, str) and wanted in names:
        return names.index(wanted)
    raise NameNotFound(f"got the {what} {named(wanted)}; {near_names(wanted, names)}")
