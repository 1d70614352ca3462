"""The one binomial count whose variance is that of a weighted sum of counts."""

import math
from collections.abc import Callable

import numpy as np

from deniable_analysis.estimators.intervals import IntervalRule, rate_interval


def pooled_interval(
    share: float, variance_if: Callable[[float], float], rule: IntervalRule
) -> tuple[float, float]:
    """A score interval of a share that was pooled from several binomial counts.

    A pooled share f has a variance A + B f - C f² if all counts have the same
    true share, as a single count has. The single one with these A, B and C has
    1 / C reports and a channel of its own, and its interval is taken: with one
    count, or several of the same channel, that is the interval of their sum.

    Args:
        share: the pooled one.
        variance_if: its variance at a true share, 0 to 1.
        rule: which interval.
    """
    at_none, at_half, at_all = (variance_if(each) for each in (0.0, 0.5, 1.0))
    square = 4 * at_half - 2 * (at_none + at_all)
    reports = math.floor(1 / square + 1e-9)
    slope, constant = (at_all - at_none) / square + 1, at_none / square
    # Of a channel with keep p and flip q: C n = 1, B n = (1 - 2 q) / (p - q) and
    # A n = q (1 - q) / (p - q)^2.
    spread = 1 / math.sqrt(slope**2 + 4 * constant)
    flip = (1 - slope * spread) / 2
    rate = min(1.0, max(0.0, flip + share * spread))
    ends = rate_interval(np.array([rate]), max(1, reports), rule, (flip, min(1.0, flip + spread)))
    low, high = ((float(each[0]) - flip) / spread for each in ends)
    return min(low, share), max(high, share)
