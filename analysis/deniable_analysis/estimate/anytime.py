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
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, psi, xlog1py, xlogy

from deniable_analysis.arrays import Bools, Floats

# An interval is narrowest, beside a fixed one, after about 8 times these reports: 1.55 times as
# wide. From 60 to 100,000 reports it is at most 1.9 times as wide, at rates from 5 to 95 percent.
PRIOR_REPORTS = 50.0
_NARROWEST = 8
# Halvings of [0, 1], after which an end is exact to rounding error.
_HALVINGS = 50
# Logarithms of the slopes of capitals: from none to those at rates next to 0 and 1.
_PULLS = (-40.0, 60.0)


def log_capital(
    rates: ArrayLike, counts: ArrayLike, n: ArrayLike, prior_reports: float = PRIOR_REPORTS
) -> Floats:
    """The logarithm of the capital against each rate, after some of n reports support an option.

    The mean likelihood ratio of all other rates, under a beta prior around the
    tested rate.

    Args:
        rates: (...) tested rates of supporting reports, 0 to 1.
        counts: (...) numbers of reports that support each option, 0 to n.
        n: number of reports, or (...) numbers.
        prior_reports: number of reports that the prior is worth; fixed before
            the first look.
    Returns:
        (...) values; infinite where the counts are impossible under the rate.
    Source: Robbins 1970 (Annals of Mathematical Statistics 41), a beta mixture
        of likelihood ratios; convex in the rate.
    """
    rates, counts, n = (np.asarray(each, np.float64) for each in (rates, counts, n))
    mean_likelihood = _log_mean_likelihood(
        np.clip(rates, 1e-300, 1 - 1e-16), counts, n, prior_reports
    )
    found = mean_likelihood - xlogy(counts, rates) - xlog1py(n - counts, -rates)
    # At the ends of the range the prior has all its weight on the tested rate itself.
    sure = ((rates <= 0) & (counts <= 0)) | ((rates >= 1) & (counts >= n))
    return np.where(sure, 0.0, found)


def prior_for(planned: float | None) -> float:
    """The reports that the prior is worth if so many are planned; 50 if no number is."""
    return PRIOR_REPORTS if planned is None else max(1.0, planned / _NARROWEST)


def log_capital_between(rate: float, count: float, n: float) -> float:
    """As log_capital, against one rate above 0 and below 1, in a quarter of the time."""
    mean_likelihood = _log_mean_likelihood(rate, count, n, PRIOR_REPORTS)
    return float(mean_likelihood - xlogy(count, rate) - xlog1py(n - count, -rate))


def _log_mean_likelihood(rates: Any, counts: Any, n: Any, prior_reports: float) -> Any:
    """The logarithm of the mean likelihood of the counts under the prior around each rate."""
    yes, no = prior_reports * rates, prior_reports * (1 - rates)
    # n - counts first, as beside n a small `no` is rounded away.
    return betaln(yes + counts, no + (n - counts)) - betaln(yes, no)


def anytime_ends(
    counts: ArrayLike, n: float | Floats, missed: float, prior_reports: float = PRIOR_REPORTS
) -> tuple[Floats, Floats]:
    """The ends of an interval for the rate of supporting reports that holds at every look.

    Args:
        counts: (options,) numbers of reports that support each option, 0 to n.
        n: number of reports, above 0, or (options,) numbers.
        missed: largest probability that the rate is outside at any look; both
            sides together.
        prior_reports: as for log_capital.
    """
    found = np.asarray(counts, dtype=np.float64)
    rates, most = found / n, -np.log(missed)

    def is_inside(tested: Floats) -> Bools:
        return np.asarray(log_capital(tested, found, n, prior_reports) < most)

    low = furthest(np.zeros_like(rates), rates, is_inside)
    high = furthest(np.ones_like(rates), rates, is_inside)
    return low, high


def anytime_sum(
    counts: ArrayLike, sizes: ArrayLike, weights: ArrayLike, missed: float
) -> tuple[Floats, Floats]:
    """The ends for weighted sums of the rates of independent groups, at every look at all.

    The capital against several rates at once is the product of the groups'
    capitals. The ends are the least and the largest sum of rates whose product
    is below 1 / missed. With the weights 1 and -1 the sum is a difference.

    Args:
        counts: (groups, sums) numbers of supporting reports.
        sizes: (groups,) or (groups, sums) numbers of reports, above 0.
        weights: (groups,) or (groups, sums) factors of the rates.
        missed: as for anytime_ends.
    Returns:
        (sums,) lower and (sums,) upper ends.
    Source: products of test martingales; at an end, the slopes of all groups'
        capitals are in the ratio of the weights, because they are convex.
    """
    found = np.asarray(counts, np.float64)
    by = np.asarray(weights, np.float64).reshape(len(found), -1) * np.ones_like(found)
    n = np.asarray(sizes, np.float64).reshape(len(found), -1)
    slopes, most = np.array([-by, by]), -np.log(missed)

    def rates_at(pull: Floats) -> Floats:
        """The rates at which the slopes are the weights times a pull: (2, groups, sums)."""
        wanted = slopes * np.exp(pull)[:, None, :]

        def is_flatter(rates: Floats) -> Bools:
            return np.asarray(_slope(rates, found, n) < wanted)

        return _crossing(is_flatter, np.zeros_like(slopes), np.ones_like(slopes))

    def is_inside(pull: Floats) -> Bools:
        return np.asarray(log_capital(rates_at(pull), found, n).sum(axis=1) < most)

    shape = 2, found.shape[1]
    pull = _crossing(is_inside, *(np.full(shape, end) for end in _PULLS))
    low, high = np.sum(by * rates_at(pull), axis=1)
    return low, high


def anytime_p_values(counts: ArrayLike, sizes: ArrayLike, channels: ArrayLike) -> Floats:
    """The p-values of the hypothesis that groups have equal shares, valid at every look.

    Whenever one stops, the probability of a p-value below a level is at most
    the level. It is 1 / capital, at the common share that the reports
    contradict least.

    Args:
        counts: (groups, options) numbers of supporting reports.
        sizes: (groups,) or (groups, options) numbers of reports, above 0.
        channels: (groups, 2) or (groups, options, 2) keep and flip: the
            probabilities that a report supports an option, for those who chose
            it and for all others.
    Returns:
        (options,) p-values.
    """
    found = np.asarray(counts, np.float64)
    n = np.asarray(sizes, np.float64).reshape(len(found), -1)
    pairs = np.asarray(channels, np.float64).reshape(len(found), -1, 2)
    flip, spread = pairs[..., 1], pairs[..., 0] - pairs[..., 1]
    ends = np.sort([-flip / spread, (1 - flip) / spread], axis=0)
    low, high = np.max(ends[0], axis=0), np.min(ends[1], axis=0)

    def is_falling(shares: Floats) -> Bools:
        slopes = spread * _slope(flip + shares * spread, found, n)
        return np.asarray(slopes.sum(axis=0) < 0)

    common = _crossing(is_falling, *(end + np.zeros(found.shape[1]) for end in (low, high)))
    rates = np.clip(flip + common * spread, 0, 1)
    return np.asarray(np.minimum(1, np.exp(-log_capital(rates, found, n).sum(axis=0))))


def _slope(rates: Floats, counts: Floats, n: Floats) -> Floats:
    """The derivative of log_capital by the rate; it rises with the rate."""
    inside = np.clip(rates, 1e-12, 1 - 1e-12)
    yes, no = PRIOR_REPORTS * inside, PRIOR_REPORTS * (1 - inside)
    rising = psi(yes + counts) - psi(yes) - psi(no + (n - counts)) + psi(no)
    return np.asarray(PRIOR_REPORTS * rising - counts / inside + (n - counts) / (1 - inside))


def _crossing(is_before: Callable[[Floats], Bools], low: Floats, high: Floats) -> Floats:
    """The places, between low and high, up to which something is true."""
    before, after = _narrowed(is_before, low, high)
    return np.asarray((before + after) / 2)


def furthest(ends: Floats, inside: Floats, is_inside: Callable[[Floats], Bools]) -> Floats:
    """The last value inside on the way to each end; the end itself, if it is inside."""
    last, _ = _narrowed(is_inside, inside.astype(np.float64), ends.astype(np.float64))
    return np.where(is_inside(ends.astype(np.float64)), ends, last)


def _narrowed(
    is_first: Callable[[Floats], Bools], first: Floats, last: Floats
) -> tuple[Floats, Floats]:
    """The last place where a condition holds, and the first where it does not, by bisection."""
    for _ in range(_HALVINGS):
        middle = (first + last) / 2
        found = is_first(middle)
        first, last = np.where(found, middle, first), np.where(found, last, middle)
    return first, last
