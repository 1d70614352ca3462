"""Binomial intervals for the rate of reports that support an option."""

import numpy as np
from scipy.special import betaincinv, ndtri

from deniable_analysis.arrays import Floats

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
