"""Differences of shares and means, and the comparison of an edition with an earlier one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from deniable_analysis import Comparison
from deniable_analysis.results.comparison import Difference
from deniable_web.results.axis import Span, axis_of
from deniable_web.results.charts import ChartView, Row, ticks_of
from deniable_web.results.labels import Labels
from deniable_web.results.numbers import Numbers, decimals_for


@dataclass(frozen=True, slots=True)
class DifferenceRow(Row):
    """A difference with its sign.

    Args:
        first: the first value, from which the second is subtracted.
        second: the second value.
        p_value: the adjusted p-value for no difference.
        is_clear: whether the p-value is small enough for the confidence.
    """

    first: str = ""
    second: str = ""
    p_value: str = ""
    is_clear: bool = False


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A question in two editions; the first values are those of the newer one.

    Args:
        found: the comparison.
        chart: the differences of the options.
        mean: the difference of the means; None if there is none.
    """

    found: Comparison
    chart: ChartView[DifferenceRow]
    mean: DifferenceRow | None


def comparison_view(found: Comparison, labels: Labels) -> ComparisonView:
    """The page's content for a comparison of two editions."""
    named = [(labels.option(found.question, each.name), each) for each in found.options]
    chart = share_differences(named, found.confidence, labels.numbers)
    if found.mean is None:
        return ComparisonView(found, chart, None)
    mean = mean_difference(found.mean, found.confidence, labels.numbers)
    return ComparisonView(found, chart, mean)


def share_differences(
    named: Sequence[tuple[str, Difference]], confidence: float, numbers: Numbers
) -> ChartView[DifferenceRow]:
    """The chart of differences of shares in points, each with its label."""
    ends = [value for _, each in named for value in (each.low, each.high)]
    axis = axis_of(ends, least=(-0.05, 0.05), is_mirrored=numbers.is_mirrored)
    rows = []
    for name, each in named:
        moved = each.difference, each.low, each.high
        row = DifferenceRow.of(name, moved, numbers.points, axis)
        rows.append(_tested(row, each, confidence, numbers.percent, numbers))
    ticks = ticks_of(axis, partial(numbers.points, decimals=0))
    return ChartView(tuple(rows), ticks, Span(0, 100), axis.position(0.0))


def mean_difference(found: Difference, confidence: float, numbers: Numbers) -> DifferenceRow:
    """A difference of means, for a table."""
    decimals = decimals_for([found.standard_error])
    moved = found.difference, found.low, found.high
    row = DifferenceRow.of("", moved, partial(numbers.signed, decimals=decimals))
    write = partial(numbers.decimal, decimals=decimals)
    return _tested(row, found, confidence, write, numbers)


def _tested(
    row: DifferenceRow,
    found: Difference,
    confidence: float,
    write: Callable[[float | None], str],
    numbers: Numbers,
) -> DifferenceRow:
    """The row with both values and the p-value."""
    chance = found.p_value if found.adjusted_p_value is None else found.adjusted_p_value
    return replace(
        row,
        first=write(found.first),
        second=write(found.second),
        p_value=numbers.p_value(chance),
        is_clear=chance is not None and chance < 1 - confidence,
    )
