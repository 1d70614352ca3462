"""Where numbers stand on a line, in percent of its length."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

# Steps between marks are one of these times a power of ten.
_STEPS = (1.0, 2.0, 5.0, 10.0)
_MARKS = 5


@dataclass(frozen=True, slots=True)
class Axis:
    """A line from one number to another.

    Args:
        low: the number at its beginning.
        high: the one at its end, which is greater.
        marks: numbers to be written along it.
        is_mirrored: whether it begins at the right, as languages do that are
            written from there.
    """

    low: float
    high: float
    marks: tuple[float, ...]
    is_mirrored: bool = False

    def position(self, number: float) -> float:
        """Where a number stands, from the left."""
        part = 100 * (number - self.low) / (self.high - self.low)
        return round(100 - part if self.is_mirrored else part, 3)

    def span(self, low: float, high: float) -> "Span":
        """Where all numbers between two of them stand."""
        first, last = sorted((self.position(low), self.position(high)))
        return Span(first, round(last - first, 3))


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a line, in percent of it: where it begins from the left, and its width."""

    start: float
    width: float


def axis_of(
    values: Iterable[float | None], *, least: tuple[float, float], is_mirrored: bool
) -> Axis:
    """A line on which all of these find a place, and marks at round numbers.

    Args:
        values: None stands nowhere.
        least: what it covers in any case.
        is_mirrored: whether it begins at the right.
    """
    known = [*least, *(value for value in values if value is not None)]
    low, high = min(known), max(known)
    if low == high:
        high = low + 1.0
    step = _step((high - low) / _MARKS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    marks = tuple(round(index * step, 10) for index in range(first, last + 1))
    return Axis(marks[0], marks[-1], marks, is_mirrored)


def whole_axis(
    ends: tuple[float, float], beyond: Iterable[float | None] = (), *, is_mirrored: bool
) -> Axis:
    """A line that is exactly as long as it must be, its marks counted from its beginning.

    Args:
        ends: what it covers.
        beyond: what else finds a place on it; None stands nowhere.
        is_mirrored: whether it begins at the right.
    """
    known = [*ends, *(value for value in beyond if value is not None)]
    low, high = min(known), max(known)
    if low == high:
        high = low + 1.0
    step = _step((high - low) / _MARKS)
    last = math.floor((high - ends[0]) / step + 1e-9)
    marks = tuple(round(ends[0] + index * step, 10) for index in range(last + 1))
    return Axis(low, high, marks, is_mirrored)


def _step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in _STEPS if step * power >= least * (1 - 1e-9))
