"""Differences of shares and means, in words and as positions on a line."""

from collections.abc import Iterable
from dataclasses import dataclass

from deniable_analysis.results.comparison import Difference
from deniable_web.results.axis import Axis, Span, axis_of
from deniable_web.results.crosstabs import p_value
from deniable_web.results.labels import PageLocale
from deniable_web.results.numbers import Numbers, decimals_for
from deniable_web.results.shares import MISSING, Tick, span_of


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """The difference of one option's shares, or of the means.

    Args:
        name: the name of the option; "" for the mean.
        first: the first value, from which the second is subtracted.
        second: the second value.
        difference: the difference with its sign.
        low: the lower end of its interval.
        high: the upper end.
        p_value: the adjusted p-value for no difference.
        is_clear: whether the p-value is small enough for the confidence.
        point: the position of the difference.
        interval: the position of its interval.
    """

    name: str
    first: str
    second: str
    difference: str
    low: str
    high: str
    p_value: str
    is_clear: bool
    point: float | None
    interval: Span | None


@dataclass(frozen=True, slots=True)
class DifferenceScale:
    """The axis and the format of differences, and when a difference is clear."""

    axis: Axis
    numbers: Numbers
    confidence: float

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The marks on the axis, in points."""
        return tuple(
            Tick(self.axis.position(mark), self.numbers.signed(100 * mark, 0))
            for mark in self.axis.marks
        )

    @property
    def zero(self) -> float:
        """The position of a difference of 0."""
        return self.axis.position(0.0)


def share_scale(
    found: Iterable[Difference], locale: PageLocale, confidence: float
) -> DifferenceScale:
    """The scale of differences of shares."""
    ends = [value for each in found for value in (each.low, each.high)]
    axis = axis_of(ends, least=(-0.05, 0.05), is_mirrored=locale.is_mirrored)
    return DifferenceScale(axis, locale.numbers, confidence)


def share_difference(found: Difference, name: str, scale: DifferenceScale) -> DifferenceRow:
    """A difference of shares, in points."""
    numbers = scale.numbers
    both = [
        MISSING if each is None else numbers.percent(each) for each in (found.first, found.second)
    ]
    moved = [
        MISSING if each is None else numbers.signed(100 * each, 1)
        for each in (found.difference, found.low, found.high)
    ]
    return _row(found, (name, *both, *moved), scale)


def mean_difference(found: Difference, locale: PageLocale, confidence: float) -> DifferenceRow:
    """A difference of means, on a line of its own."""
    numbers, decimals = locale.numbers, decimals_for([found.standard_error])
    both = [
        MISSING if each is None else numbers.decimal(each, decimals)
        for each in (found.first, found.second)
    ]
    ends = (found.difference, found.low, found.high)
    moved = [MISSING if each is None else numbers.signed(each, decimals) for each in ends]
    reach = max((abs(each) for each in ends if each is not None), default=0.0) or 1.0
    axis = axis_of((), least=(-reach, reach), is_mirrored=locale.is_mirrored)
    return _row(found, ("", *both, *moved), DifferenceScale(axis, numbers, confidence))


def _row(found: Difference, said: tuple[str, ...], scale: DifferenceScale) -> DifferenceRow:
    name, first, second, moved, low, high = said
    chance = found.p_value if found.adjusted_p_value is None else found.adjusted_p_value
    return DifferenceRow(
        name=name,
        first=first,
        second=second,
        difference=moved,
        low=low,
        high=high,
        p_value=MISSING if chance is None else p_value(chance, scale.numbers),
        is_clear=chance is not None and chance < 1 - scale.confidence,
        point=None if found.difference is None else scale.axis.position(found.difference),
        interval=span_of(scale.axis, found.low, found.high),
    )
