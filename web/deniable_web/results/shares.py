"""Shares and means with their deviations, as rows of a chart and its table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from deniable_analysis import MeanEstimate, ShareEstimate
from deniable_web.results.axis import Axis, Span, axis_of
from deniable_web.results.charts import ChartView, Row, ticks_of
from deniable_web.results.numbers import Numbers


@dataclass(frozen=True, slots=True)
class EstimateRow(Row):
    """A share or a mean.

    Args:
        valid: the share that is never below 0; "" for a mean.
        deviations: the standard deviations that the mechanism and the
            sampling cause; of a share in points.
        bar: the position of the bar of the valid share.
    """

    valid: str = ""
    deviations: tuple[str, ...] = ()
    bar: Span | None = None


def share_chart(
    named: Sequence[tuple[str, ShareEstimate]], numbers: Numbers
) -> ChartView[EstimateRow]:
    """The chart of shares, each with its label."""
    return share_charts([named], numbers)[0]


def share_charts(
    charts: Sequence[Sequence[tuple[str, ShareEstimate]]], numbers: Numbers
) -> tuple[ChartView[EstimateRow], ...]:
    """Several charts of shares on the same axis, so that they can be compared."""
    shares = [each for named in charts for _, each in named]
    ends = [
        value for each in shares for value in (each.share, each.low, each.high, each.valid_share)
    ]
    axis = axis_of(ends, least=(0.0, 0.1), is_mirrored=numbers.is_mirrored)
    ticks = ticks_of(axis, partial(numbers.percent, decimals=0))
    possible = axis.span(max(0.0, axis.low), min(1.0, axis.high))
    return tuple(
        ChartView(
            tuple(_row(name, each, axis, numbers) for name, each in named),
            ticks,
            possible,
            axis.position(0.0),
        )
        for named in charts
    )


def _row(name: str, found: ShareEstimate, axis: Axis, numbers: Numbers) -> EstimateRow:
    return replace(
        EstimateRow.of(name, (found.share, found.low, found.high), numbers.percent, axis),
        valid=numbers.percent(found.valid_share),
        deviations=deviations(found, numbers, 1, unit=100.0),
        bar=axis.interval(0.0, found.valid_share),
    )


def deviations(
    found: ShareEstimate | MeanEstimate, numbers: Numbers, decimals: int, unit: float = 1.0
) -> tuple[str, ...]:
    """The roots of both parts of a variance; a negative part is shown as such."""
    # A part of the variance can be negative at a raw share outside 0 to 1.
    return tuple(
        numbers.below(0.0, decimals)
        if part is not None and part < 0
        else numbers.decimal(None if part is None else unit * math.sqrt(part), decimals)
        for part in (found.mechanism_variance, found.sampling_variance)
    )
