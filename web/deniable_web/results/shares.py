"""Shares as rows of a chart and of its table, all on one axis from 0 to 100 %."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from deniable_analysis import MeanEstimate, OptionEstimate, ShareEstimate
from deniable_analysis.results.questions import NOT_ASKED, NOT_ASKED_OR_NONE
from deniable_sdk.survey.options import NO_ANSWER
from deniable_web.results.charts import Axis, ChartView, Row
from deniable_web.results.numbers import Numbers

# Below this width of an interval, whole percentages would hide what is known.
_NARROW = 0.02
_NOT_ANSWERS = (NO_ANSWER, NOT_ASKED, NOT_ASKED_OR_NONE)


def share_chart(named: Sequence[tuple[str, ShareEstimate]], numbers: Numbers) -> ChartView[Row]:
    """The chart of shares, each with its label."""
    axis = Axis(0.0, 1.0, (), numbers.is_mirrored)
    shares = [each for _, each in named]
    decimals, ranks = decimals_of(shares), _ranks(shares)
    return ChartView(
        tuple(
            replace(_row(name, each, axis, decimals, numbers), rank=rank)
            for (name, each), rank in zip(named, ranks, strict=True)
        )
    )


def _row(name: str, found: ShareEstimate, axis: Axis, decimals: int, numbers: Numbers) -> Row:
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
