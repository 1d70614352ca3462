"""Differences and weighted sums of studies or groups, with intervals that hold at every look.

If the respondents of all sides are different people and their numbers of
supporting reports are binomial counts, the interval of a sum comes from these
counts. Otherwise it is the sum of the ends of the sides' own intervals, which
must then hold together with the confidence.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.anytime import anytime_p_values, anytime_sum
from deniable_analysis.estimate.choice import IntervalRule, tail
from deniable_analysis.estimate.linear import Ends
from deniable_analysis.forms import finite_or_none
from deniable_analysis.relations.evidence import Evidence
from deniable_analysis.results.comparison import Difference
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import OptionEstimate

_MINUS = (1.0, -1.0)


def weighted_ends(
    sides: Sequence[Evidence],
    weights: ArrayLike,
    rule: IntervalRule,
    *,
    are_different_people: bool = True,
) -> Ends:
    """The ends for the weighted sum of each option's shares.

    Args:
        sides: evidence of studies or groups on the same question.
        weights: (sides,) or (sides, options) weights; 1 and -1 for a difference.
        rule: confidence of the intervals. It applies to binomial counts; the
            intervals of the sides' estimates must hold together with it.
        are_different_people: whether no respondent is on two sides.
    Returns:
        (options,) lower and upper ends; NaN where a side has no interval.
    """
    counts = _counts(sides) if are_different_people else None
    if counts is None:
        every = [own_ends(side.estimate.options) for side in sides]
        return sums_of_ends(every, weights)
    return _counted_ends(counts, weights, rule)


def anytime_differences(
    pairs: Sequence[tuple[Evidence, Evidence]], rule: IntervalRule
) -> list[list[Difference]]:
    """The differences of each option's shares, for each pair of studies or groups.

    All pairs are computed at once, which takes little longer than one. There are
    p-values, valid whenever one stops, if the numbers of supporting reports are
    binomial counts. The second of a pair is subtracted; `rule` is as for weighted_ends.
    """
    counts = [found for pair in pairs if (found := _counts(pair)) is not None]
    if len(counts) < len(pairs):
        ends = [weighted_ends(pair, _MINUS, rule) for pair in pairs]
        low, high = np.concatenate(ends, axis=1)
        p_values = np.full(len(low), np.nan)
    else:
        joined = np.concatenate(counts, axis=1)
        low, high = _counted_ends(joined, _MINUS, rule)
        p_values = anytime_p_values(joined[..., 0], joined[..., 1], joined[..., 2:])
    rows = zip(low, high, p_values, strict=True)
    return [
        [
            _difference(first.option, (first.share, second.share), (start, end), p_value)
            for first, second in zip(one.estimate.options, other.estimate.options, strict=True)
            for start, end, p_value in [next(rows)]
        ]
        for one, other in pairs
    ]


def differences_of(
    names: Sequence[str], shares: tuple[Floats, Floats], ends: Sequence[Ends]
) -> list[Difference]:
    """The differences of two rows of shares, whose intervals hold together with the confidence.

    Shares and ends are (options,) of the first and of the second row; an end is NaN
    where there is none.
    """
    low, high = sums_of_ends(ends, _MINUS)
    rows = zip(names, *(each.tolist() for each in shares), low, high, strict=True)
    return [_difference(name, (one, other), ends, np.nan) for name, one, other, *ends in rows]


def anytime_mean_difference(one: MeanEstimate, other: MeanEstimate) -> Difference:
    """The difference of two means, whose intervals hold together with the confidence."""
    low, high = sums_of_ends([own_ends([each]) for each in (one, other)], _MINUS)
    return _difference("mean", (one.value, other.value), [low[0], high[0]], np.nan)


def _difference(
    name: str, shares: tuple[float | None, float | None], ends: Sequence[float], p_value: float
) -> Difference:
    """The difference of two numbers; only these if one of them has no interval."""
    first, second = shares
    if first is None or second is None or np.isnan(ends).any():
        return Difference(name=name, first=first, second=second)
    return Difference(
        name=name,
        first=first,
        second=second,
        difference=first - second,
        low=float(ends[0]),
        high=float(ends[1]),
        p_value=finite_or_none(p_value),
    )


def _counts(sides: Sequence[Evidence]) -> Floats | None:
    """(sides, options, 4) support, reports, keep and flip; None if not all counts are binomial."""
    tallies = [
        [(each.support, each.reports, each.channel.keep, each.channel.flip) for each in row]
        for row in (side.tallies for side in sides)
        if row
    ]
    return np.array(tallies, np.float64) if len(tallies) == len(sides) else None


def _counted_ends(counts: Floats, weights: ArrayLike, rule: IntervalRule) -> Ends:
    support, reports, keep, flip = np.moveaxis(counts, -1, 0)
    scaled = np.asarray(weights, np.float64).reshape(len(support), -1) / (keep - flip)
    missed = 2 * tail(rule.confidence, rule.comparisons)
    low, high = anytime_sum(support, reports, scaled, missed)
    shift = (scaled * flip).sum(axis=0)
    return low - shift, high - shift


def own_ends(estimates: Sequence[OptionEstimate | MeanEstimate]) -> Ends:
    """The ends of the intervals of estimates; NaN where there is none."""
    ends = np.array([[each.low, each.high] for each in estimates], np.float64)
    low, high = ends.reshape(-1, 2).T
    return low, high


def sums_of_ends(every: Sequence[Ends], weights: ArrayLike) -> Ends:
    """The least and the largest weighted sum of values within intervals."""
    scaled = np.asarray(weights, np.float64).reshape(len(every), 1, -1) * np.array(every)
    low, high = np.sort(scaled, axis=1).sum(axis=0)
    return low, high
