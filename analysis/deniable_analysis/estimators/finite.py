"""Surveys that ask a large part of a finite population.

Drawing n of N without replacement reduces the sampling part of the variance.
The mechanism part stays the same: even if everybody were asked, the answers
would be randomized.
"""

import numpy as np

from deniable_analysis.arguments import is_whole, shown
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidCounts
from deniable_analysis.estimators.channel import Channel
from deniable_analysis.forms import counted


def check_population(population: int | None, report_count: int) -> None:
    """Raise InvalidCounts if the population is smaller than the number of reports."""
    if population is None:
        return
    if not is_whole(population, max(1, report_count)):
        raise InvalidCounts(
            f"got a population of {shown(population)} for {counted(report_count, 'report')}; "
            "allowed is a whole number of people, at least as many as reports: everybody the "
            "survey is about"
        )


def sampling_scale(scale: float, population: int | None) -> float:
    """The factor of f (1 - f) in the variance, for a sample of a finite population.

    Args:
        scale: the factor for an infinite population: 1/n for one sample of n.
        population: N; None if it is so large that it does not matter.
    Returns:
        (scale - 1/N) N/(N - 1), which is (N - n)/(N - 1)/n for one sample.
    Source: Cochran 1977, "Sampling Techniques", theorem 3.2.
    """
    if population is None:
        return scale
    if population == 1:
        return 0.0
    return max(0.0, scale - 1 / population) * population / (population - 1)


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
