"""Shares with their intervals, as rows of a chart and its table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from deniable_analysis import ShareEstimate
from deniable_web.results.axis import Axis, Span, axis_of
from deniable_web.results.numbers import Numbers

# Shown in the table instead of a missing number.
MISSING = "–"


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis, and its label."""

    place: float
    label: str


@dataclass(frozen=True, slots=True)
class ShareRow:
    """One option: the positions of its parts in the chart, and its numbers in words.

    Args:
        name: the option's label.
        share: the raw, unbiased share.
        low: the lower end of its interval.
        high: the upper end.
        valid: the share that is never below 0.
        deviations: the standard deviations that the mechanism and the
            sampling cause, in points.
        point: the position of the raw share; None without one.
        interval: the position of its interval.
        bar: the position of the bar of the valid share.
    """

    name: str
    share: str
    low: str
    high: str
    valid: str
    deviations: tuple[str, str]
    point: float | None = None
    interval: Span | None = None
    bar: Span | None = None


@dataclass(frozen=True, slots=True)
class ShareChart:
    """Rows of shares on one axis.

    Args:
        rows: one for each option.
        ticks: the marks on the axis.
        possible: the part of the axis with possible shares: from 0 to 1.
        zero: the position of 0.
    """

    rows: tuple[ShareRow, ...]
    ticks: tuple[Tick, ...]
    possible: Span
    zero: float


def share_chart(
    named: Sequence[tuple[str, ShareEstimate]], numbers: Numbers, *, is_mirrored: bool
) -> ShareChart:
    """The chart of shares, each with its label."""
    return share_charts([named], numbers, is_mirrored=is_mirrored)[0]


def share_charts(
    charts: Sequence[Sequence[tuple[str, ShareEstimate]]], numbers: Numbers, *, is_mirrored: bool
) -> tuple[ShareChart, ...]:
    """Several charts of shares on the same axis, so that they can be compared."""
    shares = [each for named in charts for _, each in named]
    ends = [value for each in shares for value in (each.share, each.low, each.high)]
    ends += [each.valid_share for each in shares]
    axis = axis_of(ends, least=(0.0, 0.1), is_mirrored=is_mirrored)
    return tuple(_chart(named, axis, numbers) for named in charts)


def _chart(named: Sequence[tuple[str, ShareEstimate]], axis: Axis, numbers: Numbers) -> ShareChart:
    return ShareChart(
        rows=tuple(share_row(name, each, axis, numbers) for name, each in named),
        ticks=tuple(Tick(axis.position(mark), numbers.percent(mark, 0)) for mark in axis.marks),
        possible=axis.span(max(0.0, axis.low), min(1.0, axis.high)),
        zero=axis.position(0.0),
    )


def share_row(name: str, found: ShareEstimate, axis: Axis, numbers: Numbers) -> ShareRow:
    """A share in words, and its position on an axis."""
    parts = (found.mechanism_variance, found.sampling_variance)
    deviations = tuple(deviation(part, numbers) for part in parts)
    shown = (found.share, found.low, found.high, found.valid_share)
    share, low, high, valid = (_percent(value, numbers) for value in shown)
    return ShareRow(
        name=name,
        share=share,
        low=low,
        high=high,
        valid=valid,
        deviations=(deviations[0], deviations[1]),
        point=None if found.share is None else axis.position(found.share),
        interval=span_of(axis, found.low, found.high),
        bar=span_of(axis, 0.0, found.valid_share),
    )


def span_of(axis: Axis, low: float | None, high: float | None) -> Span | None:
    """The position of an interval; None without one."""
    return None if low is None or high is None else axis.span(low, high)


def deviation(variance: float | None, numbers: Numbers) -> str:
    """The root of a part of a share's variance, in points."""
    return deviation_of(None if variance is None else 10_000 * variance, numbers, 1)


def deviation_of(variance: float | None, numbers: Numbers, decimals: int) -> str:
    """The root of a part of a variance; a negative part is shown as such."""
    if variance is None:
        return MISSING
    # A part of the variance can be negative at a raw share outside 0 to 1.
    if variance < 0:
        return numbers.below(0.0, decimals)
    return numbers.decimal(math.sqrt(variance), decimals)


def _percent(share: float | None, numbers: Numbers) -> str:
    return MISSING if share is None else numbers.percent(share)
