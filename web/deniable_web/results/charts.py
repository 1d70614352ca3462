"""Numbers with their intervals, in words and as positions on the axis of a chart."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

from deniable_web.results.axis import Axis, Span

# The number, and the ends of its interval.
Ends = tuple[float | None, float | None, float | None]


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
