"""The mean, the quartiles and the distribution of a number or scale."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from deniable_analysis import DistributionEstimate, MeanEstimate, Quantiles
from deniable_analysis.mechanisms.scores import scores
from deniable_sdk.survey.questions import Question
from deniable_web.results.charts import Axis, ChartView, Row, Span, whole_axis
from deniable_web.results.numbers import Numbers, decimals_for
from deniable_web.results.shares import deviations, interval_width

# More bars than this cannot be distinguished on a phone.
_MOST_BARS = 40


def mean_chart(
    question: Question, named: Sequence[tuple[str, MeanEstimate]], numbers: Numbers
) -> ChartView[Row]:
    """Means of a question on the line of all possible answers, with as many decimals each."""
    axis = Axis(*ends_of(question), (), numbers.is_mirrored)
    found = [each for _, each in named]
    halves = ((interval_width(each) or 0.0) / 2 for each in found)
    write = partial(numbers.decimal, decimals=decimals_for(halves))
    decimals = decimals_for(each.standard_error for each in found)
    raw = partial(numbers.decimal, decimals=decimals)
    rows = []
    for name, each in named:
        ends = (each.value, each.low, each.high)
        parts = deviations(each, numbers, decimals)
        rows.append(replace(Row.of(name, ends, write, axis), raw=(*map(raw, ends), *parts)))
    return ChartView(tuple(rows))


def ends_of(question: Question) -> tuple[float, float]:
    """The smallest and the largest possible mean of a question."""
    answers = scores(question) or (0.0, 1.0)
    return min(answers), max(answers)


@dataclass(frozen=True, slots=True)
class Bar:
    """Some neighbouring numbers: their bar and their share.

    Args:
        name: the number, or the first and the last of them.
        share: their share among those who answered, in words.
        span: the position of the bar.
        height: the height in percent of the highest bar.
    """

    name: str
    share: str
    span: Span
    height: float


@dataclass(frozen=True, slots=True)
class DistributionView:
    """The distribution of the numbers of those who answered; only its shape is shown."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The numbers of each bar, and their share."""
        return tuple((each.name, each.share) for each in self.bars)


def distribution_view(spread: DistributionEstimate, numbers: Numbers) -> DistributionView:
    """Bars for neighbouring numbers, few enough to be distinguished."""
    grid = [float(name) for name in spread.names]
    size = -(-len(grid) // _MOST_BARS)
    groups = [range(start, min(start + size, len(grid))) for start in range(0, len(grid), size)]
    totals = [sum(spread.shares[index] for index in group) for group in groups]
    highest = max(totals) or 1.0
    half = (grid[1] - grid[0]) / 2
    axis = whole_axis(
        (grid[0], grid[-1]), (grid[0] - half, grid[-1] + half), is_mirrored=numbers.is_mirrored
    )
    return DistributionView(
        bars=tuple(
            Bar(
                name=_range(numbers, spread.names, group),
                share=numbers.percent(total),
                span=axis.span(grid[group[0]] - half, grid[group[-1]] + half),
                height=round(100 * total / highest, 3),
            )
            for group, total in zip(groups, totals, strict=True)
        ),
        ticks=tuple((axis.position(mark), numbers.short(mark)) for mark in axis.marks),
    )


def quartile_rows(found: Quantiles, numbers: Numbers) -> tuple[tuple[str, ...], ...]:
    """For each quantile, the part of those who answered, its number and the number's interval."""
    return tuple(
        (
            numbers.percent(each.probability, 0),
            *(_grid_number(numbers, name) for name in (each.value, each.low, each.high)),
        )
        for each in found.quantiles
    )


def _range(numbers: Numbers, names: Sequence[str], group: range) -> str:
    ends = [_grid_number(numbers, names[index]) for index in (group[0], group[-1])]
    return "–".join(dict.fromkeys(ends))


def _grid_number(numbers: Numbers, name: str) -> str:
    """A number of a grid, with as many decimals as its name."""
    return numbers.decimal(float(name), len(name.partition(".")[2]))
