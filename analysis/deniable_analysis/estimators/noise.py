"""The noise that releases add to counts, and the intervals of shares that include it.

A release adds discrete Laplace noise to each count, with a published scale. The noises of several
releases add up.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import Number
from deniable_analysis.arrays import Floats
from deniable_analysis.estimators.channel import Channel
from deniable_analysis.estimators.confidence import critical_value, tail
from deniable_analysis.estimators.intervals import Interval, IntervalRule, share_interval

# The scales of the noises in one count.
Noise = Sequence[float]
# Noises further out than this number of scales have a probability below 1e-12.
_FURTHEST = 60


def noise_variance(noise: Noise) -> float:
    """The variance of the sum of discrete Laplace noises with these scales.

    Source: Canonne, Kamath and Steinke 2020, "The discrete Gaussian for differential privacy".
    """
    ratios = [math.exp(-1 / scale) for scale in noise]
    return sum(2 * ratio / (1 - ratio) ** 2 for ratio in ratios)


def noise_reach(confidence: Number, comparisons: int = 1) -> float:
    """Half the width of an interval of noise, in standard deviations.

    That of one Laplace noise, or of the normal distribution if that is larger; sums of
    Laplace noises are between the two. Arguments and errors are those of critical_value.
    """
    missed = 2 * tail(confidence, comparisons)
    return max(critical_value(confidence, comparisons), -math.log(missed) / math.sqrt(2))


def stretched(release_variance: ArrayLike, confidence: Number, comparisons: int = 1) -> Floats:
    """The variance of noise as a normal interval needs it: its tails are heavier than normal.

    Arguments and errors are those of noise_reach.
    """
    ratio = noise_reach(confidence, comparisons) / critical_value(confidence, comparisons)
    return np.asarray(release_variance, np.float64) * ratio**2


@lru_cache(maxsize=4096)
def noise_bound(noise: tuple[float, ...], missed: float) -> int:
    """The smallest number that the sum of noises exceeds, in absolute value, at most so often.

    The largest probability is `missed`, above 1e-10.
    """
    widest = max(noise)
    # Chernoff's bound at half of the largest possible exponent.
    furthest = _FURTHEST * widest + noise_variance(noise) / (3 * widest) + 2
    size = 1 << math.ceil(math.log2(2 * furthest))
    cosines = np.cos(2 * np.pi * np.arange(size // 2 + 1) / size)
    frequencies = np.ones_like(cosines)
    for scale in noise:
        ratio = math.exp(-1 / scale)
        frequencies *= (1 - ratio) ** 2 / (1 - 2 * ratio * cosines + ratio**2)
    chances = np.fft.irfft(frequencies, size)[: size // 2]
    within = chances[0] + 2 * np.append(0.0, np.cumsum(chances[1:]))
    return int(np.searchsorted(within, 1 - missed))


def released_shares(support: ArrayLike, report_count: int, channel: Channel) -> Floats:
    """The unbiased shares as in debias, of counts with noise, which may be impossible counts."""
    rates = np.asarray(support, np.float64) / report_count
    return np.asarray((rates - float(channel.flip)) / float(channel.spread))


def released_variance(noise: Noise, report_count: int, channel: Channel) -> float:
    """The part of a share's variance that the noise of releases causes."""
    return noise_variance(noise) / (report_count * float(channel.spread)) ** 2


def released_interval(
    support: ArrayLike,
    report_count: int,
    channel: Channel,
    rule: IntervalRule,
    noise: tuple[float, ...],
) -> tuple[Floats, Floats]:
    """The ends of an interval for each share, from counts with noise.

    Wilson's interval and that of the noise are combined like the variances of two independent
    numbers, with half a count more for the noise, whose values are whole. Other intervals keep
    their guarantee: they are those of all counts that the noise leaves possible, and the
    probability to miss is divided equally. They are wider than necessary.

    `support` are (options,) counts with noise; the number of reports, at least 1, has none.

    Returns:
        (options,) lower and (options,) upper ends.
    Source: Zou and Donner 2008 (Statistics in Medicine 27), "MOVER"; a union bound.
    """
    counts = np.asarray(support, np.float64)
    if rule.interval is not Interval.WILSON:
        half = replace(rule, comparisons=2 * rule.comparisons)
        bound = noise_bound(noise, 2 * tail(half.confidence, half.comparisons))
        low, _ = _ends_beyond(counts - bound, report_count, channel, half)
        _, high = _ends_beyond(counts + bound, report_count, channel, half)
        return low, high
    low, high = _ends_beyond(counts, report_count, channel, rule)
    shares = released_shares(counts, report_count, channel)
    width = noise_reach(rule.confidence, rule.comparisons) * math.sqrt(
        noise_variance(noise) + 0.25
    )
    reach = width / (report_count * float(channel.spread))
    return shares - np.hypot(shares - low, reach), shares + np.hypot(high - shares, reach)


def _ends_beyond(
    counts: Floats, report_count: int, channel: Channel, rule: IntervalRule
) -> tuple[Floats, Floats]:
    """The ends of counts without noise; as far beyond those of 0 and n as the counts are."""
    nearest = np.clip(counts, 0, report_count)
    low, high = share_interval(nearest, report_count, channel, rule)
    beyond = (counts - nearest) / (report_count * float(channel.spread))
    return low + beyond, high + beyond
