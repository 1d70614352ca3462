"""Binomial intervals for the rate of reports that support an option.

Counts are whole numbers, so the coverage of an interval rises and falls with
the true rate. The coverage of Wilson's interval oscillates around the
confidence. It is lowest where few reports are expected to support an option, or
few are expected not to. The lowest coverage is computed exactly, and the
interval is widened where the coverage is too low.
"""

import math
from functools import lru_cache

import numpy as np
from scipy.special import bdtr, betaincinv, ndtri

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.estimate.choice import critical_value, tail

# With fewer reports on one side, Wilson's interval ends too early there: at a
# confidence of 95 % with fewer than 10. The reason is that it ignores the
# skewness, whose effect on an end grows as z^3 and falls as the root of the
# count.
_FEW = 10
_FEW_BY_Z = 6


def wilson_ends(rates: Floats, n: float, z: float) -> tuple[Floats, Floats]:
    """Wilson's interval of each rate among n reports.

    Args:
        rates: (options,) rates of reports that support each option, 0 to 1.
        n: number of reports, above 0; not always whole if they are weighted.
        z: distance to either end, in standard errors under the true rate.
    Source: Wilson 1927 (JASA 22).
    """
    centre = (rates + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * np.sqrt(rates * (1 - rates) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return centre - reach, centre + reach


def clopper_pearson_ends(counts: Floats, n: float, missed: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's interval of each count among n reports.

    Args:
        counts: (options,) numbers of reports that support each option, 0 to n.
        n: as for wilson_ends.
        missed: largest probability that one end excludes the true rate.
    Source: Clopper and Pearson 1934 (Biometrika 26).
    """
    # betaincinv needs positive parameters; the ends of these counts are exactly
    # 0 and 1.
    is_none, is_all = counts <= 0, counts >= n
    low = betaincinv(np.where(is_none, 1, counts), n - counts + 1, missed)
    high = betaincinv(counts + 1, np.where(is_all, 1, n - counts), 1 - missed)
    return np.where(is_none, 0.0, low), np.where(is_all, 1.0, high)


def few_reports(missed: float) -> float:
    """With fewer reports than this on one side, a normal interval ends too early there."""
    return max(_FEW, float(ndtri(missed)) ** 6 / _FEW_BY_Z)


def guarded_ends(rates: Floats, n: float, z: float, missed: float) -> tuple[Floats, Floats]:
    """Wilson's interval, extended to Clopper and Pearson's end where reports are few.

    If few reports support the option, the lower end is the lower of the two
    intervals' ends. If few reports do not support it, the upper end is the
    higher of the two. "Few" is fewer than 10 at a confidence of 95 % and below,
    and fewer than z^6 / 6 at higher ones.

    Arguments are those of the two intervals; the quantile of `missed` is the z of "few".

    Source: Brown, Cai and DasGupta 2001 (Statistical Science 16), section
    4.1.1, correct Wilson's ends in the same place, for three counts at most.
    """
    low, high = wilson_ends(rates, n, z)
    counts = rates * n
    sure_low, sure_high = clopper_pearson_ends(counts, n, missed)
    few = few_reports(missed)
    low = np.where(counts < few, np.minimum(low, sure_low), low)
    high = np.where(n - counts < few, np.maximum(high, sure_high), high)
    return low, high


# The coverage may be below the confidence by this much: 1.5 percentage points.
ALLOWANCE = 0.015
# The interval is widened in steps of 0.2 percent; smaller steps make no visible
# difference.
_STEP = 1.002
# With so many reports expected on either side, the coverage is never too low.
# The higher the confidence, the fewer reports are enough.
_MANY_IF_SURE, _MANY = 100, 2000
_SURE = 0.95


@lru_cache(maxsize=4096)
def dependable_reach(
    report_count: int, rates: tuple[float, float], confidence: float, comparisons: int
) -> float:
    """The z at which the coverage of guarded Wilson intervals is low by at most ALLOWANCE.

    The search starts at the critical value and goes up in steps of 0.2 percent.
    It ends at the first z at which the coverage, summed exactly over the
    counts, is at least 1 - (1 - confidence + ALLOWANCE) / comparisons at every
    rate. In nearly every survey this is the critical value itself.

    Args:
        report_count: n, at least 1.
        rates: lowest and highest possible rate of supporting reports, which are
            q and p of the channel.
        confidence: simultaneous confidence of all intervals.
        comparisons: number of simultaneous intervals (Bonferroni).
    """
    reach, missed = critical_value(confidence, comparisons), tail(confidence, comparisons)
    wanted = 1 - (1 - confidence + ALLOWANCE) / comparisons
    # The intervals of n - c reports mirror those of c, so one side is enough.
    sides = [rates, (1 - rates[1], 1 - rates[0])]
    many = _MANY_IF_SURE if confidence >= _SURE else _MANY
    reachable = min(0.5, many / report_count)
    for low, high in sides:
        top = min(high, reachable)
        while low < top and _least_coverage(report_count, (low, top), reach, missed) < wanted:
            reach *= _STEP
    return reach


def _least_coverage(n: int, rates: tuple[float, float], z: float, missed: float) -> float:
    """The lowest coverage over all true rates in a range, computed exactly.

    Between two neighbouring ends of intervals, the same run of counts covers
    the true rate. The probability of a run has no minimum inside, so the lowest
    coverage is next to an end or at a bound of the range.
    """
    bottom, top = rates
    largest = min(n, math.ceil(n * top + z * math.sqrt(n * top) + 2 * z * z))
    low, high = guarded_ends(np.arange(largest + 1) / n, n, z, missed)
    counts = np.arange(largest + 1)
    below = (low > bottom) & (low <= top)  # just below a lower end, its count does not cover
    above = (high >= bottom) & (high < top)  # nor does it just above an upper end
    bounds = np.array([bottom, top])
    at = np.concatenate([low[below], high[above], bounds])
    first = np.searchsorted(high, at, "left")
    last = np.searchsorted(low, at, "right") - 1
    first[len(low[below]) : len(at) - 2] = counts[above] + 1
    last[: len(low[below])] = counts[below] - 1
    return float(np.min(_chance(first, last, n, at)))


def _chance(first: Indexes, last: Indexes, n: int, rates: Floats) -> Floats:
    """The probability that a count is in a run of counts, for each rate."""
    up_to, before = last.astype(np.float64), first - 1.0
    under = np.where(before >= 0, bdtr(np.maximum(before, 0), n, rates), 0)
    return np.asarray(np.where(up_to >= 0, bdtr(np.maximum(up_to, 0), n, rates), 0) - under)
