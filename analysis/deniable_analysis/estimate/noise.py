"""The noise that releases add to counts, and the intervals of shares that include it.

A release adds discrete Laplace noise to each count, with a published scale. The noises of several
releases add up.
"""

import itertools
import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import Number
from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.channel import Channel, raw_shares
from deniable_analysis.estimate.choice import IntervalRule, critical_value, tail
from deniable_analysis.estimate.intervals import interval_of_rates

# Noises further out than this number of scales have a probability below 1e-12.
_FURTHEST = 60


@dataclass(frozen=True, slots=True)
class Noise:
    """The noise in a sum of counts from releases.

    Args:
        scales: scales of the discrete Laplace noises that the releases added to each count;
            at least one.
        summed: number of counts in the sum.
        balanced: of how many counts the sum of all is known, and set right in each of them
            by the same amount (see balanced_counts); 0 if it is not known.
    """

    scales: tuple[float, ...]
    summed: int = 1
    balanced: int = 0

    def of_sum(self, summed: int) -> Self:
        """The noise in a sum of so many counts."""
        return replace(self, summed=summed)

    @property
    def variance(self) -> float:
        """The variance, in squared reports.

        Source: Canonne, Kamath and Steinke 2020, "The discrete Gaussian for differential
            privacy"; a projection on the plane where the counts have the known sum.
        """
        ratios = [math.exp(-1 / scale) for scale in self.scales]
        one = sum(2 * ratio / (1 - ratio) ** 2 for ratio in ratios)
        return one * sum(times * factor**2 for factor, times in self._factors) / self._unit**2

    @property
    def _unit(self) -> int:
        """The noise is a whole number of parts of so many to the report."""
        return self.balanced or 1

    @property
    def _factors(self) -> tuple[tuple[int, int], ...]:
        """What each count's own noise adds to the sum, in these parts, and for how many counts."""
        others = self.balanced - self.summed
        if not self.balanced:
            return ((1, self.summed),)
        return (others, self.summed), (self.summed, others)

    def bound(self, missed: float) -> float:
        """The smallest bound that the noise exceeds with at most this probability.

        The largest probability is `missed`, above 1e-10.
        """
        return _bound(self.scales, self._factors, missed) / self._unit


def balanced_counts(
    counts: ArrayLike, total: float, scales: tuple[float, ...]
) -> tuple[Floats, Noise]:
    """Counts from releases whose sum is known, so that they have this sum, and the noise of one.

    Each changes by the same amount. No other unbiased counts from these have a smaller variance.
    Where one of two counts follows from the other, they stay as they are.
    """
    found = np.asarray(counts, np.float64)
    if len(found) == 2:
        return found, Noise(scales)
    return found + (total - found.sum()) / len(found), Noise(scales, balanced=len(found))


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
def _bound(scales: tuple[float, ...], factors: tuple[tuple[int, int], ...], missed: float) -> int:
    """As Noise.bound, of sums of whole numbers times discrete Laplace noises."""
    widths = [factor * scale for factor, _ in factors for scale in scales if factor]
    if not widths:
        return 0
    widest = max(widths)
    variance = sum(
        times * 2 * (factor * scale) ** 2 for factor, times in factors for scale in scales
    )
    # Chernoff's bound at half of the largest possible exponent.
    furthest = _FURTHEST * widest + variance / (3 * widest) + 2
    size = 1 << math.ceil(math.log2(2 * furthest))
    angles = 2 * np.pi * np.arange(size // 2 + 1) / size
    frequencies = np.ones_like(angles)
    for scale, (factor, times) in itertools.product(scales, factors):
        ratio = math.exp(-1 / scale)
        one = (1 - ratio) ** 2 / (1 - 2 * ratio * np.cos(factor * angles) + ratio**2)
        frequencies *= one**times
    chances = np.fft.irfft(frequencies, size)[: size // 2]
    within = chances[0] + 2 * np.append(0.0, np.cumsum(chances[1:]))
    return int(np.searchsorted(within, 1 - missed))


def released_variance(noise: Noise, report_count: int, channel: Channel) -> float:
    """The part of a share's variance that the noise of releases causes."""
    return noise.variance / (report_count * float(channel.spread)) ** 2


def released_interval(
    support: ArrayLike,
    report_count: int,
    channel: Channel,
    rule: IntervalRule,
    noise: Noise,
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
        bound = noise.bound(2 * tail(half.confidence, half.comparisons))
        low, _ = _ends_beyond(counts - bound, report_count, channel, half)
        _, high = _ends_beyond(counts + bound, report_count, channel, half)
        return low, high
    low, high = _ends_beyond(counts, report_count, channel, rule)
    shares = raw_shares(counts, report_count, channel)
    width = noise_reach(rule.confidence, rule.comparisons) * math.sqrt(noise.variance + 0.25)
    reach = width / (report_count * float(channel.spread))
    return shares - np.hypot(shares - low, reach), shares + np.hypot(high - shares, reach)


def _ends_beyond(
    counts: Floats, report_count: int, channel: Channel, rule: IntervalRule
) -> tuple[Floats, Floats]:
    """The ends of counts without noise; as far beyond those of 0 and n as the counts are."""
    nearest = np.clip(counts, 0, report_count)
    low, high = interval_of_rates(nearest / report_count, report_count, channel, rule)
    beyond = (counts - nearest) / (report_count * float(channel.spread))
    return low + beyond, high + beyond
