"""Values as JSON texts, read many at a time into arrays.

All of a column are read at once, by the bytes: what stands between the digits
must be exactly what stands there in every value of the mechanism, each number
has its digits and no others, and the numbers are those that reports can say.
So exactly the canonical texts of values that the mechanism can give are read.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.reports.counts import Integers
from deniable_analysis.reports.values import Form
from deniable_sdk.canonical import JSON, encode

_ZERO, _COMMA = b"0,"
# The smallest types that hold every number of so many digits.
_HOLDING = (np.uint8, np.uint8, np.uint8, np.uint16, np.uint16, np.uint32)
_Bytes = NDArray[np.uint8]
_Truths = NDArray[np.bool_]


def read_texts(array: bytes, form: Form, *, are_quoted: bool = False) -> Integers | None:
    """The values in a JSON array without spaces, one in each row.

    Args:
        array: of numbers and lists, or of texts that hold them.
        form: of the values.
        are_quoted: whether they stand in texts.
    Returns:
        None where one member is no value of this form.
    """
    if array[:1] != b"[" or array[-1:] != b"]":
        return None
    if len(array) == 2:
        return np.empty((0, *form.shape), dtype=np.int64)
    # Each member, the last one too, then ends in a comma.
    signs = np.frombuffer(array, np.uint8)[1:].copy()
    signs[-1] = _COMMA
    numbers = _read(signs, _template(form, are_quoted=are_quoted), len(str(form.things - 1)))
    if numbers is None:
        return None
    values = numbers.reshape(-1, *form.shape)
    return values if form.accepts(values) else None


def read_values(
    values: Sequence[object], form: Form, *, are_quoted: bool = False
) -> Integers | None:
    """JSON values as an array, one in each row.

    Args:
        values: numbers and lists, or texts that hold them.
        form: of the values.
        are_quoted: whether they stand in texts.
    Returns:
        None where one of them is no value of this form.
    """
    # What JSON cannot hold becomes null, which is no value either.
    array = json.dumps(values, separators=(",", ":"), default=lambda _: None)
    return read_texts(array.encode(), form, are_quoted=are_quoted)


def _template(form: Form, *, are_quoted: bool) -> _Bytes:
    """How a value is written, with 0 for each number."""
    zeros: JSON = np.zeros(form.shape, dtype=np.int64).tolist()
    quote = b'"' if are_quoted else b""
    return np.frombuffer(quote + encode(zeros) + quote + b",", np.uint8)


def _read(signs: _Bytes, template: _Bytes, most_digits: int) -> Integers | None:
    """The numbers in texts like the template, none of more than so many digits.

    Of each number only the last digit is kept, and what is left must be the
    template again and again.
    """
    digits = signs - np.uint8(_ZERO)
    are_digits = digits <= 9
    is_followed = np.append(are_digits[1:] & are_digits[:-1], False)
    if not _are_plain(digits, are_digits, is_followed, most_digits):
        return None
    numbers = _numbers_up_to(digits, are_digits, most_digits)
    if most_digits > 1:
        # Measured: half the time of an index of truth values.
        kept = np.flatnonzero(~is_followed)
        signs, numbers = signs.take(kept), numbers.take(kept)
    if len(signs) % len(template):
        return None
    rows, is_number = signs.reshape(-1, len(template)), template == _ZERO
    last_digits = rows[:, is_number] - np.uint8(_ZERO)
    if np.any(rows[:, ~is_number] != template[~is_number]) or np.any(last_digits > 9):
        return None
    found: Integers = numbers.reshape(rows.shape)[:, is_number].astype(np.int64)
    return found


def _are_plain(
    digits: _Bytes, are_digits: _Truths, is_followed: _Truths, most_digits: int
) -> bool:
    """Whether no number begins with a needless 0 or has too many digits."""
    begins = are_digits.copy()
    begins[1:] &= ~are_digits[:-1]
    runs = is_followed
    for _ in range(most_digits - 1):
        runs = runs[:-1] & is_followed[len(is_followed) - len(runs) + 1 :]
    return not (np.any(begins & is_followed & (digits == 0)) or np.any(runs))


def _numbers_up_to(digits: _Bytes, are_digits: _Truths, most_digits: int) -> NDArray[Any]:
    """The number whose digits end at each place; anything where none does."""
    numbers: NDArray[Any] = digits.astype(_HOLDING[most_digits])
    is_within = are_digits
    for place in range(1, most_digits):
        is_within = is_within[1:] & are_digits[:-place]
        numbers[place:] += (digits[:-place] * is_within) * numbers.dtype.type(10**place)
    return numbers
