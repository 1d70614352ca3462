"""Intervals that hold at every look: the true value is inside all of them at once.

An ordinary interval covers as often as it says if it is computed once. Whoever
looks again after each new report and stops at a result of their liking misses
the truth far more often. The ends here come from test martingales: for each
possible true value a bet that pays off only if the value is wrong, whose
capital exceeds 1 / missed with probability `missed` at most, at all numbers of
reports together (Ville's inequality). The interval is all values whose capital
has not exceeded it.

The reports must come from independent respondents of one population, in an
order that does not depend on their answers.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, logsumexp, xlog1py, xlogy

from deniable_analysis.arrays import Bools, Floats

# The reports after which an interval is narrowest, relative to a fixed one, are about 8 times
# this; from 300 to 1,000,000 reports the interval is at most 2.2 times as wide.
PRIOR_REPORTS = 500.0
# Halvings of [0, 1], after which an end is exact to rounding error.
_HALVINGS = 60
# Bets from nearly everything down to 1/65,536 of the capital: enough for 10^9 reports.
_BETS = 0.999 * 2.0 ** (-np.arange(33) / 2)
# Points of a grid, and how often the part around the smallest value gets a grid of its own.
_STEPS, _REFINEMENTS = 33, 8


def log_capital(
    rates: ArrayLike, counts: ArrayLike, n: float, prior_reports: float = PRIOR_REPORTS
) -> Floats:
    """The logarithm of the capital against each rate, after some of n reports support an option.

    The mean likelihood ratio of all other rates, under a beta prior around the
    tested rate.

    Args:
        rates: (...) tested rates of supporting reports, 0 to 1.
        counts: (...) numbers of reports that support each option, 0 to n.
        n: number of reports.
        prior_reports: number of reports that the prior is worth; fixed before
            the first look.
    Returns:
        (...) values; infinite where the counts are impossible under the rate.
    Source: Robbins 1970 (Annals of Mathematical Statistics 41), a beta mixture
        of likelihood ratios; convex in the rate.
    """
    rates, counts = np.asarray(rates, np.float64), np.asarray(counts, np.float64)
    inside = np.clip(rates, 1e-300, 1 - 1e-16)
    yes, no = prior_reports * inside, prior_reports * (1 - inside)
    found = betaln(yes + counts, no + n - counts) - betaln(yes, no)
    found = found - xlogy(counts, rates) - xlog1py(n - counts, -rates)
    # At the ends of the range the prior has all its weight on the tested rate itself.
    sure = ((rates <= 0) & (counts <= 0)) | ((rates >= 1) & (counts >= n))
    return np.where(sure, 0.0, found)


def anytime_ends(
    counts: ArrayLike, n: float, missed: float, prior_reports: float = PRIOR_REPORTS
) -> tuple[Floats, Floats]:
    """The ends of an interval for the rate of supporting reports that holds at every look.

    Args:
        counts: (options,) numbers of reports that support each option, 0 to n.
        n: number of reports, above 0.
        missed: largest probability that the rate is outside at any look; both
            sides together.
        prior_reports: as for log_capital.
    """
    found = np.asarray(counts, dtype=np.float64)
    rates, most = found / n, -np.log(missed)

    def is_inside(tested: Floats) -> Bools:
        return np.asarray(log_capital(tested, found, n, prior_reports) < most)

    low = _furthest(np.zeros_like(rates), rates, is_inside)
    high = _furthest(np.ones_like(rates), rates, is_inside)
    return low, high


def anytime_difference(
    counts: tuple[float, float],
    sizes: tuple[float, float],
    channels: tuple[tuple[float, float], tuple[float, float]],
    missed: float,
) -> tuple[float, float]:
    """The ends for the share of one group minus that of another, at every look at both.

    The capital against a difference is the smallest product of both groups'
    capitals over all pairs of shares with this difference.

    Args:
        counts: numbers of supporting reports of both groups.
        sizes: numbers of reports of both groups, above 0.
        channels: (keep, flip) of each group: the probabilities that a report
            supports an option, for those who chose it and for all others.
        missed: as for anytime_ends.
    """
    (keep, flip), (other_keep, other_flip) = channels
    bottom, top = _possible(keep, flip), _possible(other_keep, other_flip)
    most = -np.log(missed)

    def capital(shares: Floats, differences: Floats) -> Floats:
        rates = flip + (shares + differences) * (keep - flip)
        others = other_flip + shares * (other_keep - other_flip)
        first = log_capital(np.clip(rates, 0, 1), counts[0], sizes[0])
        return first + log_capital(np.clip(others, 0, 1), counts[1], sizes[1])

    def is_inside(differences: Floats) -> Bools:
        low = np.maximum(top[0], bottom[0] - differences)
        high = np.minimum(top[1], bottom[1] - differences)
        least = _least(lambda shares: capital(shares, differences), low, high)
        return np.asarray(least < most)

    estimate = (counts[0] / sizes[0] - flip) / (keep - flip)
    estimate -= (counts[1] / sizes[1] - other_flip) / (other_keep - other_flip)
    ends = np.array([bottom[0] - top[1], bottom[1] - top[0]])
    low, high = _furthest(ends, np.full(2, estimate), is_inside)
    return float(low), float(high)


def anytime_mean(
    contributions: tuple[ArrayLike, ArrayLike],
    counts: ArrayLike,
    scale: tuple[float, float],
    missed: float,
    members: int = 1,
) -> tuple[float | None, float | None]:
    """The ends for the mean among those who answered that holds at every look.

    A mean t is tested by sum - t * number, whose true mean is 0. The capital is
    a mixture of fixed bets on it, so that it depends on the counts of the
    values and not on the order of the reports.

    Args:
        contributions: (values,) of each kind of report to the sum of the
            answers, and (values,) to their number, 1 if everybody answers; both
            unbiased, and those of a member if a report is a set and contributes
            the mean of its members.
        counts: (values,) number of reports, or of members, of each kind.
        scale: smallest and largest mean that is tested.
        missed: as for anytime_ends.
        members: members of one report. The geometric mean of their bets is at
            most the bet on their mean, so the interval holds, but it is wider
            than necessary if there are many.
    Returns:
        Both ends; None where the reports exclude no mean on this side, or all.
    Source: Orabona and Jun 2024 (IEEE Transactions on Information Theory 70),
        with fixed bets.
    """
    above, below = (np.asarray(each, np.float64) for each in contributions)
    weights = np.asarray(counts, np.float64) / members
    most = np.log(2 / missed)

    def is_inside(tested: Floats) -> Bools:
        values = above - tested[:, None] * below
        bottom, top = values.min(axis=1), values.max(axis=1)
        is_possible = (bottom < 0) & (top > 0)
        placed = values / np.where(is_possible, top - bottom, np.inf)[:, None]
        logs = [np.log1p(sign * _BETS[:, None, None] * placed) @ weights for sign in (1.0, -1.0)]
        capitals = np.array([logsumexp(each, axis=0) for each in logs]) - np.log(len(_BETS))
        return np.asarray(is_possible & (capitals.max(axis=0) < most))

    estimate = np.clip(weights @ above / (weights @ below), *scale)
    tested = np.sort(np.append(np.linspace(*scale, _STEPS), estimate))
    inside = np.flatnonzero(is_inside(tested))
    if not len(inside):
        return None, None
    first, last = inside[0], inside[-1]
    low = _furthest(tested[[max(first - 1, 0)]], tested[[first]], is_inside)
    high = _furthest(tested[[min(last + 1, _STEPS)]], tested[[last]], is_inside)
    return (float(low[0]) if first else None), (float(high[0]) if last < _STEPS else None)


def _possible(keep: float, flip: float) -> tuple[float, float]:
    """The shares at which no report, and every report, would support an option."""
    ends = -flip / (keep - flip), (1 - flip) / (keep - flip)
    return min(ends), max(ends)


def _furthest(ends: Floats, inside: Floats, is_inside: Callable[[Floats], Bools]) -> Floats:
    """The last value inside on the way to each end; the end itself, if it is inside."""
    outer, inner = ends.astype(np.float64), inside.astype(np.float64)
    outer_is_inside = is_inside(outer)
    for _ in range(_HALVINGS):
        middle = (outer + inner) / 2
        found = is_inside(middle)
        inner, outer = np.where(found, middle, inner), np.where(found, outer, middle)
    return np.where(outer_is_inside, ends, inner)


def _least(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """The smallest value of a convex function between low and high, on ever finer grids."""
    steps = np.linspace(0, 1, _STEPS)[:, None]
    for _ in range(_REFINEMENTS):
        tested = low + steps * (high - low)
        values = np.asarray(function(tested))
        best, columns = np.argmin(values, axis=0), np.arange(len(low))
        low, high = (
            tested[np.maximum(best - 1, 0), columns],
            tested[np.minimum(best + 1, _STEPS - 1), columns],
        )
    return np.asarray(values[best, columns])
