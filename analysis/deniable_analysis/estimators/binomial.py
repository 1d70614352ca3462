"""Binomial intervals for the rate of reports that support an option.

Counts are whole numbers, so an interval's coverage goes up and down with the
true rate. Wilson's goes around what it says, and dips below it where few
reports are expected to support an option, or few are expected not to. How
deep is computed exactly, and the interval widened where that is too deep.
"""

import math
from functools import lru_cache

import numpy as np
from scipy.special import bdtr, betaincinv, ndtri

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.estimators.confidence import critical_value, tail

# With fewer reports on one side Wilson's end there lies too far inside: at a
# confidence of 95 % with fewer than 10. The skewness is what it leaves out; its
# share of what an end misses grows as z^3 and falls as the root of the count.
_FEW = 10
_FEW_BY_Z = 6


def wilson_ends(rates: Floats, n: float, z: float) -> tuple[Floats, Floats]:
    """Wilson's interval of each rate among n reports.

    Args:
        rates: (options,) of reports that support each option, 0 to 1.
        n: the reports, above 0; no whole number where they are weighted.
        z: how many standard errors the score may be off.
    Source: Wilson 1927 (JASA 22).
    """
    centre = (rates + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * np.sqrt(rates * (1 - rates) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return centre - reach, centre + reach


def clopper_pearson_ends(counts: Floats, n: float, missed: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's interval of each count among n reports.

    Args:
        counts: (options,) of reports that support each option, 0 to n.
        n: as for wilson_ends.
        missed: how often each end may miss, at most.
    Source: Clopper and Pearson 1934 (Biometrika 26).
    """
    # betaincinv wants positive parameters; those ends are 0 and 1 exactly.
    is_none, is_all = counts <= 0, counts >= n
    low = betaincinv(np.where(is_none, 1, counts), n - counts + 1, missed)
    high = betaincinv(counts + 1, np.where(is_all, 1, n - counts), 1 - missed)
    return np.where(is_none, 0.0, low), np.where(is_all, 1.0, high)


def guarded_ends(rates: Floats, n: float, z: float, missed: float) -> tuple[Floats, Floats]:
    """Wilson's interval, not inside Clopper and Pearson's end where reports are few.

    Of few supporting reports the lower end is the lower of both, of few that
    do not support the upper end is the higher. Few are fewer than 10 at a
    confidence of 95 % and below, and z^6 / 6 at larger ones.

    Args:
        rates: as for wilson_ends, as n is.
        n: the reports.
        z: of Wilson's interval.
        missed: of Clopper and Pearson's; its quantile is the z of "few".
    Source: Brown, Cai and DasGupta 2001 (Statistical Science 16), section 4.1.1,
    mend Wilson's ends in the same place, of three counts at most.
    """
    low, high = wilson_ends(rates, n, z)
    counts = rates * n
    sure_low, sure_high = clopper_pearson_ends(counts, n, missed)
    few = max(_FEW, float(ndtri(missed)) ** 6 / _FEW_BY_Z)
    low = np.where(counts < few, np.minimum(low, sure_low), low)
    high = np.where(n - counts < few, np.maximum(high, sure_high), high)
    return low, high


# What the interval may cover less often than it says: 1.5 percentage points.
ALLOWANCE = 0.015
# Widening goes in steps of 0.2 percent; no step is smaller than that matters.
_STEP = 1.002
# Where so many reports are expected on either side, no dip is too deep: fewer
# are enough the less the interval says it misses.
_MANY_IF_SURE, _MANY = 100, 2000
_SURE = 0.95


@lru_cache(maxsize=4096)
def dependable_reach(
    report_count: int, rates: tuple[float, float], confidence: float, comparisons: int
) -> float:
    """The z with which guarded Wilson intervals miss at most ALLOWANCE too often.

    The least z from the critical value on, in steps of 0.2 percent, with
    which the coverage, summed exactly over the counts, is at least
    1 - (1 - confidence + ALLOWANCE) / comparisons at every rate. In nearly
    every survey that is the critical value itself.

    Args:
        report_count: n, at least 1.
        rates: the least and the largest rate of supporting reports there can
            be, q and p of the channel.
        confidence: of all intervals together.
        comparisons: how many intervals must hold at once (Bonferroni).
    """
    reach, missed = critical_value(confidence, comparisons), tail(confidence, comparisons)
    wanted = 1 - (1 - confidence + ALLOWANCE) / comparisons
    # The intervals of n - c reports mirror those of c, so one side does for both.
    sides = [rates, (1 - rates[1], 1 - rates[0])]
    many = _MANY_IF_SURE if confidence >= _SURE else _MANY
    reachable = min(0.5, many / report_count)
    for low, high in sides:
        top = min(high, reachable)
        while low < top and _least_coverage(report_count, (low, top), reach, missed) < wanted:
            reach *= _STEP
    return reach


def _least_coverage(n: int, rates: tuple[float, float], z: float, missed: float) -> float:
    """The least coverage over all true rates from one to another, exactly.

    Between two ends of intervals the same run of counts covers, and the chance
    of a run has no minimum inside: the least is beside an end, or at a bound.
    """
    bottom, top = rates
    largest = min(n, math.ceil(n * top + z * math.sqrt(n * top) + 2 * z * z))
    low, high = guarded_ends(np.arange(largest + 1) / n, n, z, missed)
    counts = np.arange(largest + 1)
    below = (low > bottom) & (low <= top)  # just below a lower end its count is left out
    above = (high >= bottom) & (high < top)  # just above an upper end its count is, too
    bounds = np.array([bottom, top])
    at = np.concatenate([low[below], high[above], bounds])
    first = np.searchsorted(high, at, "left")
    last = np.searchsorted(low, at, "right") - 1
    first[len(low[below]) : len(at) - 2] = counts[above] + 1
    last[: len(low[below])] = counts[below] - 1
    return float(np.min(_chance(first, last, n, at)))


def _chance(first: Indexes, last: Indexes, n: int, rates: Floats) -> Floats:
    """How likely a count is one of a run, for each rate."""
    up_to, before = last.astype(np.float64), first - 1.0
    under = np.where(before >= 0, bdtr(np.maximum(before, 0), n, rates), 0)
    return np.asarray(np.where(up_to >= 0, bdtr(np.maximum(up_to, 0), n, rates), 0) - under)
