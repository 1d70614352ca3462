"""What an audit can see: the exact chance that it finds a device out."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from audit.auditor import LIMIT_ALPHA, limits


def detection_power(
    tested: int, spent: float, claim: float, options: int = 2, alpha: float = LIMIT_ALPHA
) -> float:
    """The chance that a k-ary randomized response that overspends is found out.

    By the event that an answer is reported as it is, from `tested` samples of
    that answer and as many of another one; exact, summed over all counts.

    Args:
        tested: samples of each side that the events are counted in.
        spent: the epsilon that is spent in truth.
        claim: the epsilon that is claimed.
        options: k.
        alpha: of each of the two limits.
    """
    flip = 1 / (math.exp(spent) + options - 1)
    counts: NDArray[np.int64] = np.arange(tested + 1)
    low, high = limits(counts, tested, alpha)
    # So many other hits or fewer show more than the claim; the upper limits ascend.
    most = np.searchsorted(high, low / math.exp(claim), side="left") - 1
    right = stats.binom.pmf(counts, tested, math.exp(spent) * flip)
    return float(right @ stats.binom.cdf(most, tested, flip))


def smallest_seen(tested: int, claim: float, power: float, options: int = 2) -> float:
    """The least epsilon in truth that is found out with this chance."""
    low, high = claim, claim + 20.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        if detection_power(tested, middle, claim, options) >= power:
            high = middle
        else:
            low = middle
    return high
