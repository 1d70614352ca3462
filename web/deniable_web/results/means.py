"""The mean, the quartiles and the distribution of a number or scale."""

from collections.abc import Sequence
from dataclasses import dataclass

from deniable_analysis import DistributionEstimate, MeanEstimate, Quantiles
from deniable_analysis.mechanisms.scores import scores
from deniable_sdk.survey.questions import Question
from deniable_web.results.axis import Axis, Span, whole_axis
from deniable_web.results.numbers import Numbers, decimals_for
from deniable_web.results.shares import MISSING, Tick, deviation_of, span_of

# More bars than this cannot be distinguished on a phone.
_MOST_BARS = 40


@dataclass(frozen=True, slots=True)
class MeanView:
    """A mean on the line of all possible answers.

    Args:
        value: the raw, unbiased mean.
        low: the lower end of its interval.
        high: the upper end.
        deviations: the standard deviations that the mechanism and the
            sampling cause.
        ticks: the marks on the line.
        possible: the part of the line with possible answers.
        point: the position of the mean; None without one.
        interval: the position of its interval.
    """

    value: str
    low: str
    high: str
    deviations: tuple[str, str]
    ticks: tuple[Tick, ...]
    possible: Span
    point: float | None
    interval: Span | None


def mean_view(
    question: Question, mean: MeanEstimate, numbers: Numbers, *, is_mirrored: bool
) -> MeanView:
    """A mean in words, and its position on the line."""
    return mean_views(question, [mean], numbers, is_mirrored=is_mirrored)[0]


def mean_views(
    question: Question, means: Sequence[MeanEstimate], numbers: Numbers, *, is_mirrored: bool
) -> tuple[MeanView, ...]:
    """Several means of a question on the same line, with the same number of decimals."""
    answers = scores(question) or (0.0, 1.0)
    ends = min(answers), max(answers)
    shown = [value for each in means for value in (each.value, each.low, each.high)]
    axis = whole_axis(ends, shown, is_mirrored=is_mirrored)
    decimals = decimals_for([each.standard_error for each in means])
    possible = axis.span(*ends)
    return tuple(_view(each, possible, axis, (numbers, decimals)) for each in means)


def _view(
    mean: MeanEstimate, possible: Span, axis: Axis, written: tuple[Numbers, int]
) -> MeanView:
    numbers, decimals = written
    value, low, high = (
        MISSING if each is None else numbers.decimal(each, decimals)
        for each in (mean.value, mean.low, mean.high)
    )
    parts = (mean.mechanism_variance, mean.sampling_variance)
    mechanism, sampling = (deviation_of(part, numbers, decimals) for part in parts)
    return MeanView(
        value=value,
        low=low,
        high=high,
        deviations=(mechanism, sampling),
        ticks=tuple(Tick(axis.position(mark), numbers.short(mark)) for mark in axis.marks),
        possible=possible,
        point=None if mean.value is None else axis.position(mean.value),
        interval=span_of(axis, mean.low, mean.high),
    )


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
    ticks: tuple[Tick, ...]


def distribution_view(
    spread: DistributionEstimate, numbers: Numbers, *, is_mirrored: bool
) -> DistributionView:
    """Bars for neighbouring numbers, few enough to be distinguished."""
    grid = [float(name) for name in spread.names]
    size = -(-len(grid) // _MOST_BARS)
    groups = [range(start, min(start + size, len(grid))) for start in range(0, len(grid), size)]
    totals = [sum(spread.shares[index] for index in group) for group in groups]
    highest = max(totals) or 1.0
    half = (grid[1] - grid[0]) / 2
    axis = whole_axis(
        (grid[0], grid[-1]), (grid[0] - half, grid[-1] + half), is_mirrored=is_mirrored
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
        ticks=tuple(Tick(axis.position(mark), numbers.short(mark)) for mark in axis.marks),
    )


@dataclass(frozen=True, slots=True)
class QuartileRow:
    """A part of those who answered, and the number that they do not exceed."""

    part: str
    value: str
    low: str
    high: str


def quartile_rows(found: Quantiles, numbers: Numbers) -> tuple[QuartileRow, ...]:
    """Quantiles in words."""
    return tuple(
        QuartileRow(
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
