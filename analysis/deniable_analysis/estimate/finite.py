"""Surveys that ask a large part of a finite population.

Drawing n of N without replacement reduces the sampling part of the variance.
The mechanism part stays the same: even if everybody were asked, the answers
would be randomized.

The number of supporting reports is then not binomial: those drawn who have the
option are a hypergeometric number, each of them supports it with probability p,
and each of the others with probability q.
"""

import numpy as np
from scipy.special import gammaln

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.channel import Channel, sampling_scale


def finite_score_interval(
    shares: Floats, scales: tuple[float, float], channel: Channel, reach: float
) -> tuple[Floats, Floats]:
    """The shares that a score test with the finite population's variance does not reject.

    With an infinite population this is Wilson's interval, mapped from rates to
    shares. The variance at a share f is (a + b f) times the first scale plus f
    (1 - f) times the second, so the ends solve a quadratic equation.

    Args:
        shares: (options,) raw shares.
        scales: 1/n, and sampling_scale of it.
        channel: channel of the block.
        reach: distance to either end, in standard errors.
    Returns:
        (options,) lower and (options,) upper ends; NaN where a raw share is so
        far outside 0 to 1 that the test rejects every share.
    Source: own derivation; the tests enumerate its exact coverage.
    """
    once, drawn = scales
    keep, flip, spread = (float(each) for each in (channel.keep, channel.flip, channel.spread))
    constant = flip * (1 - flip) / spread**2
    slope = (keep * (1 - keep) - flip * (1 - flip)) / spread**2
    square = reach**2
    leading = 1 + square * drawn
    middle = shares + square * (slope * once + drawn) / 2
    last = shares**2 - square * constant * once
    inside = middle**2 - leading * last
    root = np.sqrt(np.where(inside < 0, np.nan, inside))
    return (middle - root) / leading, (middle + root) / leading


Ends = tuple[Floats, Floats]

# At most this many reports: their intervals are widened by their exact coverage.
FEW_REPORTS = 100
# The steps of widening, as in binomial.py, and a width at which it stops.
_STEP, _MOST_REACH = 1.005, 40.0
# Above this z the normal approximation ends too early where few reports support an option, or
# few do not. At a confidence of 95 percent and below, the correction for continuity is enough.
_SURE, _FEW_BY_Z = 1.97, 6
# The coverage changes little between the true shares of a larger population.
_MOST_TRUTHS = 400


def corrected_ends(
    rates: Floats, report_count: int, channel: Channel, population: int, reach: float
) -> Ends:
    """The ends of a score interval, corrected for continuity: counts are far apart.

    `rates` are the (options,) rates of reports that support each option; the
    population has at least as many people as there are reports.

    Returns:
        (options,) lower and upper ends; NaN where the test is not dependable:
        where no report, or hardly any, supports the option there.
    """
    flip, spread = float(channel.flip), float(channel.spread)
    scales = 1 / report_count, sampling_scale(1 / report_count, population)
    shares, half = (rates - flip) / spread, 0.5 / report_count / spread
    lower, _ = finite_score_interval(shares - half, scales, channel, reach)
    _, upper = finite_score_interval(shares + half, scales, channel, reach)
    few = max(0.5, reach**6 / _FEW_BY_Z if reach > _SURE else 0.0) / report_count
    return np.where(rates < few, np.nan, lower), np.where(1 - rates < few, np.nan, upper)


def finite_reach(
    wide: Ends, channel: Channel, population: int, reach: float, wanted: float
) -> float:
    """The z at which the corrected ends, where they are shorter, cover often enough.

    `wide` are the (n + 1,) ends without the population, for each count of supporting
    reports. The z begins with `reach` and is raised in small steps. The lowest coverage
    is computed exactly at every share; that of the wide ends is enough.
    """
    report_count = len(wide[0]) - 1
    rates = np.arange(report_count + 1) / report_count
    truths, chances = count_chances(report_count, population, channel)
    least = min(wanted, _least_coverage(truths, chances, wide))
    while reach < _MOST_REACH:
        inner = corrected_ends(rates, report_count, channel, population, reach)
        if _least_coverage(truths, chances, shorter(wide, inner)) >= least:
            break
        reach *= _STEP
    return reach


def _least_coverage(truths: Floats, chances: Floats, ends: Ends) -> float:
    low, high = ends
    covers = (low <= truths[:, None] + _TIE) & (truths[:, None] - _TIE <= high)
    return float(np.min(np.sum(chances * covers, axis=1)))


# Ends that equal a true share except for rounding.
_TIE = 1e-12


def shorter(wide: Ends, other: Ends) -> Ends:
    """For each end the inner one of two; NaN is no end."""
    return np.fmax(wide[0], other[0]), np.fmin(wide[1], other[1])


def count_chances(report_count: int, population: int, channel: Channel) -> tuple[Floats, Floats]:
    """The probability of each count of supporting reports, under true shares from 0 to 1.

    Returns:
        (truths,) true shares, and (truths, n + 1) probabilities.
    """
    people = np.unique(np.linspace(0, population, min(population, _MOST_TRUTHS) + 1).round())
    drawn = np.arange(report_count + 1.0)
    whole = _log_choices(np.array(float(population)), np.array(float(report_count)))
    with_it = _log_choices(people[:, None], drawn)
    without = _log_choices(population - people[:, None], report_count - drawn)
    return people / population, np.exp(with_it + without - whole) @ _laws(report_count, channel)


def _log_choices(total: Floats, chosen: Floats) -> Floats:
    """The logarithm of the number of ways to choose so many; -inf if there are too few."""
    left = total - chosen
    ways = gammaln(total + 1) - gammaln(chosen + 1) - gammaln(np.maximum(left, 0) + 1)
    return np.where(left < 0, -np.inf, ways)


def _laws(report_count: int, channel: Channel) -> Floats:
    """(n + 1, n + 1) probability of each count, if so many of n respondents have the option."""
    kept = _binomial_laws(report_count, float(channel.keep))
    flipped = _binomial_laws(report_count, float(channel.flip))
    return np.array(
        [np.convolve(with_it, others) for with_it, others in zip(kept, flipped[::-1], strict=True)]
    )


def _binomial_laws(most: int, chance: float) -> list[Floats]:
    """The binomial probabilities of 0 to k successes of k, for k from 0 to `most`."""
    laws = [np.array([1.0])]
    for _ in range(most):
        laws.append(np.convolve(laws[-1], [1 - chance, chance]))
    return laws
