"""Shares and means as rows of charts and of their tables, and distributions of numbers."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from deniable_analysis.results import (
    DistributionEstimate,
    MeanEstimate,
    OptionEstimate,
    Quantiles,
    ShareEstimate,
)
from deniable_analysis.results.answers import NOT_ASKED, NOT_ASKED_OR_NONE, numeric_levels
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question
from deniable_web.pages.numbers import Numbers, decimals_for
from deniable_web.results.charts import Axis, ChartView, Row, Span, whole_axis

# Below this width of an interval, whole percentages would hide what is known.
_NARROW = 0.02
_NOT_ANSWERS = (NO_ANSWER, NOT_ASKED, NOT_ASKED_OR_NONE)

# More bars than this cannot be distinguished on a phone.
_MOST_BARS = 40


def share_chart(named: Sequence[tuple[str, ShareEstimate]], numbers: Numbers) -> ChartView[Row]:
    """The chart of shares, each with its label."""
    axis = Axis(0.0, 1.0, (), numbers.is_mirrored)
    shares = [each for _, each in named]
    decimals, ranks = decimals_of(shares), _ranks(shares)
    return ChartView(
        tuple(
            replace(_share_row(name, each, axis, decimals, numbers), rank=rank)
            for (name, each), rank in zip(named, ranks, strict=True)
        )
    )


def _share_row(
    name: str, found: ShareEstimate, axis: Axis, decimals: int, numbers: Numbers
) -> Row:
    """A share as a row: the possible share, and the raw numbers for a table."""
    share = shown_share(found)
    low, high = (None if each is None else _possible(each) for each in (found.low, found.high))
    return Row(
        name,
        numbers.percent(share, decimals),
        *numbers.between(found.low, found.high, decimals),
        point=axis.point(share),
        interval=axis.interval(low, high),
        bar=axis.interval(0.0, share),
        raw=(
            *map(numbers.percent, (found.share, found.low, found.high, found.valid_share)),
            *deviations(found, numbers, 1, unit=100.0),
        ),
    )


def shown_share(found: ShareEstimate) -> float | None:
    """The valid share, moved into its interval.

    If there are many options and few reports, the valid share can be outside the interval of the
    raw one.
    """
    if found.valid_share is None or found.low is None or found.high is None:
        return found.valid_share
    return min(_possible(found.high), max(_possible(found.low), found.valid_share))


def decimals_of(shares: Iterable[ShareEstimate]) -> int:
    """The decimals of shares in percent: none, unless all intervals are narrow."""
    widths = [width for each in shares if (width := interval_width(each)) is not None]
    return int(bool(widths) and max(widths) < _NARROW)


def interval_width(found: ShareEstimate | MeanEstimate) -> float | None:
    """The width of an interval; None without one."""
    return None if found.low is None or found.high is None else found.high - found.low


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


def is_answer(found: ShareEstimate) -> bool:
    """Whether it is the share of an answer, and not of those who gave none."""
    return not (isinstance(found, OptionEstimate) and found.option in _NOT_ANSWERS)


def _ranks(shares: Sequence[ShareEstimate]) -> list[int]:
    """The place of each share if they are sorted, the largest first; "no answer" comes last."""
    order = sorted(
        range(len(shares)),
        key=lambda place: (not is_answer(shares[place]), -(shown_share(shares[place]) or 0.0)),
    )
    return [order.index(place) for place in range(len(shares))]


def _possible(share: float) -> float:
    return min(1.0, max(0.0, share))


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
    answers = numeric_levels(question) or (0.0, 1.0)
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
