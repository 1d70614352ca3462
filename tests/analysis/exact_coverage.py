"""How often intervals hold the truth, summed exactly over every count."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from scipy.special import bdtr

from deniable_analysis import Channel, IntervalRule, share_interval
from deniable_analysis.arrays import Floats

Ends = Callable[[NDArray[np.int_]], tuple[Floats, Floats]]

SHARES = np.linspace(0, 1, 401)


def ends_of(report_count: int, channel: Channel, rule: IntervalRule) -> tuple[Floats, Floats]:
    """The ends of the interval for each count of supporting reports."""
    return share_interval(np.arange(report_count + 1), report_count, channel, rule)


def coverage(
    channel: Channel, report_count: int, shares: ArrayLike, ends: tuple[Floats, Floats]
) -> Floats:
    """How often the interval of the count holds each true share: nothing drawn."""
    counts = np.arange(report_count + 1)
    truth = np.asarray(shares, dtype=np.float64)[:, None]
    low, high = ends
    rates = float(channel.flip) + truth * float(channel.spread)
    chances = stats.binom.pmf(counts, report_count, rates)
    return np.asarray(np.sum(chances * ((low <= truth) & (truth <= high)), axis=1))


def least_coverage(
    channel: Channel, report_count: int, ends: tuple[Floats, Floats], largest: float = 1
) -> float:
    """The least coverage over all true shares from 0 to the largest.

    Between two ends of intervals the same counts cover, and the chance of a
    run of counts has no minimum inside: the least is beside an end, or at the
    least or the largest share. A fine grid stands beside them.
    """
    low, high = ends
    beside = np.concatenate([low, high])
    shares = np.concatenate([beside - 1e-9, beside + 1e-9, SHARES, [largest]])
    shares = shares[(shares >= 0) & (shares <= largest)]
    first = np.searchsorted(high, shares, "left").astype(np.float64)
    last = np.searchsorted(low, shares, "right") - 1.0
    rates = float(channel.flip) + shares * float(channel.spread)
    below = np.where(first > 0, bdtr(np.maximum(first - 1, 0), report_count, rates), 0)
    return float(np.min(bdtr(last, report_count, rates) - below))
