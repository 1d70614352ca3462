"""Differences of shares and means, and the comparison of an edition with an earlier one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from deniable_analysis.results import Comparison
from deniable_analysis.results.comparison import Difference
from deniable_sdk.survey.questions import Question
from deniable_web.pages.numbers import Numbers, decimals_for
from deniable_web.results.charts import Axis, ChartView, Row, axis_of
from deniable_web.results.estimate_charts import ends_of
from deniable_web.results.labels import Labels


@dataclass(frozen=True, slots=True)
class DifferenceRow(Row):
    """A difference with its sign; `raw` has both values, the difference, its interval and p.

    Args:
        is_clear: whether the p-value is small enough for the confidence.
    """

    is_clear: bool = False


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A question in two editions; the first values are those of the newer one.

    Args:
        found: the comparison.
        chart: the differences of the options.
        mean: the difference of the means, the only row of its chart; None if there is none.
    """

    found: Comparison
    chart: ChartView[DifferenceRow]
    mean: ChartView[DifferenceRow] | None

    @property
    def rows(self) -> tuple[DifferenceRow, ...]:
        """All differences."""
        return (*self.chart.rows, *(self.mean.rows if self.mean else ()))

    @property
    def clear(self) -> int:
        """How many differences are clear."""
        return sum(each.is_clear for each in self.rows)


def comparison_views(found: Sequence[Comparison], labels: Labels) -> tuple[ComparisonView, ...]:
    """The page's content for comparisons of two editions, all shares on one axis."""
    numbers = labels.numbers
    axis = share_axis([each for comparison in found for each in comparison.options], numbers)
    views = []
    for each in found:
        named = [(labels.option(each.question, one.name), one) for one in each.options]
        chart = share_differences(named, each.confidence, axis, numbers)
        mean = None
        if each.mean:
            question = labels.find(each.question)
            mean = mean_differences([("", each.mean)], each.confidence, question, numbers)
        views.append(ComparisonView(each, chart, mean))
    return tuple(views)


def share_axis(found: Sequence[Difference], numbers: Numbers) -> Axis:
    """The line for all of these differences of shares."""
    ends = [end for each in found for end in (each.low, each.high) if end is not None]
    reach = min(1.0, max((abs(end) for end in ends), default=0.0))
    return axis_of((-reach, reach), least=(-0.05, 0.05), is_mirrored=numbers.is_mirrored)


def share_differences(
    named: Sequence[tuple[str, Difference]], confidence: float, axis: Axis, numbers: Numbers
) -> ChartView[DifferenceRow]:
    """The chart of differences of shares in points, each with its label."""
    rows = (
        _row(name, each, (axis, confidence, numbers.points), numbers.percent, numbers)
        for name, each in named
    )
    return ChartView(tuple(rows), axis.position(0.0))


def mean_differences(
    named: Sequence[tuple[str, Difference]],
    confidence: float,
    question: Question,
    numbers: Numbers,
) -> ChartView[DifferenceRow]:
    """The chart of differences of a question's means, on the line of all possible ones."""
    least, most = ends_of(question)
    length = most - least
    decimals = decimals_for([each.standard_error for _, each in named])
    signed = partial(numbers.signed, decimals=decimals)
    write = partial(numbers.decimal, decimals=decimals)
    axis = axis_of((-length, length), least=(-length, length), is_mirrored=numbers.is_mirrored)
    rows = (_row(name, each, (axis, confidence, signed), write, numbers) for name, each in named)
    return ChartView(tuple(rows), axis.position(0.0))


def _row(
    name: str,
    found: Difference,
    shown: tuple[Axis, float, Callable[[float | None], str]],
    value: Callable[[float | None], str],
    numbers: Numbers,
) -> DifferenceRow:
    axis, confidence, write = shown
    moved = (found.difference, found.low, found.high)
    chance = found.p_value if found.adjusted_p_value is None else found.adjusted_p_value
    both = map(value, (found.first, found.second))
    return replace(
        DifferenceRow.of(name, moved, write, axis),
        raw=(*both, *map(write, moved), numbers.p_value(chance)),
        is_clear=chance is not None and chance < 1 - confidence,
    )
