"""Numbers with their intervals, in words and as positions on the axis of a chart."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

# A step between marks is one of these times a power of ten.
_STEPS = (1.0, 2.0, 5.0, 10.0)
_MARKS = 5

# The number, and the ends of its interval.
Ends = tuple[float | None, float | None, float | None]


@dataclass(frozen=True, slots=True)
class Axis:
    """A line from one number to another.

    Args:
        low: the number at its beginning.
        high: the number at its end, which is greater.
        marks: the numbers to be written along it.
        is_mirrored: whether it begins at the right, for languages written from right to
            left.
    """

    low: float
    high: float
    marks: tuple[float, ...]
    is_mirrored: bool = False

    def position(self, number: float) -> float:
        """The position of a number, from the left."""
        part = 100 * (number - self.low) / (self.high - self.low)
        return round(100 - part if self.is_mirrored else part, 3)

    def span(self, low: float, high: float) -> "Span":
        """The part of the line between two numbers."""
        first, last = sorted((self.position(low), self.position(high)))
        return Span(first, round(last - first, 3))

    def within(self, number: float | None) -> float | None:
        """The nearest number on the line; None without one."""
        return None if number is None else min(self.high, max(self.low, number))

    def point(self, number: float | None) -> float | None:
        """The position of a number; None without one."""
        return None if number is None else self.position(number)

    def interval(self, low: float | None, high: float | None) -> "Span | None":
        """The position of an interval; None without one."""
        return None if low is None or high is None else self.span(low, high)


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a line, in percent: its beginning from the left, and its width."""

    start: float
    width: float


def axis_of(
    values: Iterable[float | None], *, least: tuple[float, float], is_mirrored: bool
) -> Axis:
    """A line that includes all of these values, with marks at round numbers.

    Args:
        values: the values; None is ignored.
        least: the range that the line covers in any case.
        is_mirrored: whether it begins at the right.
    """
    low, high = _ends(least, values)
    step = _step((high - low) / _MARKS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    marks = tuple(round(index * step, 10) for index in range(first, last + 1))
    return Axis(marks[0], marks[-1], marks, is_mirrored)


def whole_axis(
    ends: tuple[float, float], beyond: Iterable[float | None] = (), *, is_mirrored: bool
) -> Axis:
    """A line exactly as long as needed, with marks counted from its beginning.

    Args:
        ends: the range that the line covers.
        beyond: other values that it includes; None is ignored.
        is_mirrored: whether it begins at the right.
    """
    low, high = _ends(ends, beyond)
    step = _step((high - low) / _MARKS)
    last = math.floor((high - ends[0]) / step + 1e-9)
    marks = tuple(round(ends[0] + index * step, 10) for index in range(last + 1))
    return Axis(low, high, marks, is_mirrored)


def _ends(least: tuple[float, float], values: Iterable[float | None]) -> tuple[float, float]:
    """The smallest and the largest number; they always differ."""
    known = [*least, *(value for value in values if value is not None)]
    low, high = min(known), max(known)
    return low, low + 1.0 if low == high else high


def _step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in _STEPS if step * power >= least * (1 - 1e-9))


@dataclass(frozen=True, slots=True)
class Row:
    """A number with its interval.

    Args:
        name: its label; "" for the mean of a question.
        value: the number.
        low: the lower end of its interval.
        high: the upper end.
        point: the position of the number; None without one.
        interval: the position of its interval.
        bar: the position of its bar; None if it is drawn as a point.
        rank: the place among all rows in the order of shares, the largest first.
        raw: the unbiased number, its interval, and what else a table has.
    """

    name: str
    value: str
    low: str
    high: str
    point: float | None = None
    interval: Span | None = None
    bar: Span | None = None
    rank: int = 0
    raw: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, ends: Ends, write: Callable[[float | None], str], axis: Axis) -> Self:
        """The row of a number, moved to the end of the axis if it is beyond."""
        value, low, high = map(axis.within, ends)
        point, interval = axis.point(value), axis.interval(low, high)
        return cls(name, write(value), write(low), write(high), point, interval)


AnyRow = TypeVar("AnyRow", bound=Row)


@dataclass(frozen=True, slots=True)
class ChartView(Generic[AnyRow]):
    """Rows on one axis.

    Args:
        rows: the rows in their order.
        zero: the position of 0, if it is marked.
    """

    rows: tuple[AnyRow, ...]
    zero: float | None = None

    @property
    def known(self) -> "ChartView[AnyRow]":
        """The chart without the rows of unknown numbers."""
        return replace(self, rows=tuple(each for each in self.rows if each.point is not None))
