"""Differences of two estimates: intervals, tests, and several tests at once."""

import math
from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from scipy.special import ndtr

from deniable_analysis.estimators.channel import Channel
from deniable_analysis.estimators.confidence import shows_variance
from deniable_analysis.estimators.finite import sampling_scale
from deniable_analysis.estimators.intervals import read_name


class Correction(StrEnum):
    """How p-values are adjusted for several tests.

    Both bound the probability of any false rejection by the stated level. HOLM
    rejects whatever BONFERRONI rejects, and sometimes more.
    """

    HOLM = "holm"
    BONFERRONI = "bonferroni"
    NONE = "none"


def read_correction(value: str) -> Correction:
    """The correction of this name; InvalidInterval if there is no such correction."""
    return read_name("correction", Correction, value)


def corrected(p_values: Sequence[float | None], correction: Correction) -> list[float | None]:
    """P-values adjusted for several tests; None stays None.

    Source: Holm 1979 (Scandinavian Journal of Statistics 6).
    """
    known = [p for p in p_values if p is not None]
    count = len(known)
    if correction is Correction.NONE:
        return list(p_values)
    if correction is Correction.BONFERRONI:
        return [None if p is None else min(1.0, count * p) for p in p_values]
    order = np.argsort(np.array(known), kind="stable")
    steps = np.maximum.accumulate(np.array(known)[order] * np.arange(count, 0, -1))
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(1.0, steps)
    found = iter(adjusted.tolist())
    return [None if p is None else next(found) for p in p_values]


def two_sided(z: float | None) -> float | None:
    """The two-sided p-value of a z statistic."""
    return None if z is None else float(2 * ndtr(-abs(z)))


def rates_z(counts: tuple[int, int], reports: tuple[int, int]) -> float | None:
    """The z statistic of the difference of two rates of reports, with a pooled rate.

    If both channels are equal, it tests the shares themselves: the difference
    of the rates is p - q times the difference of the shares.

    Returns:
        None if all reports support the option, or none does.
    """
    common = sum(counts) / sum(reports)
    variance = common * (1 - common) * (1 / reports[0] + 1 / reports[1])
    if variance <= 0:
        return None
    return (counts[0] / reports[0] - counts[1] / reports[1]) / math.sqrt(variance)


def finite_rates_z(
    counts: tuple[int, int],
    reports: tuple[int, int],
    channel: Channel,
    populations: tuple[int | None, int | None],
) -> float | None:
    """The same z statistic for samples of finite populations, with the channel of both.

    The hypothesis is that the shares of the two populations are equal.

    Returns:
        As rates_z.
    """
    common, spread = sum(counts) / sum(reports), float(channel.spread)
    share = (common - float(channel.flip)) / spread
    drawn = sum(
        sampling_scale(1 / n, people) - 1 / n
        for n, people in zip(reports, populations, strict=True)
    )
    whole = common * (1 - common) * (1 / reports[0] + 1 / reports[1]) / spread**2
    apart = (counts[0] / reports[0] - counts[1] / reports[1]) / spread
    variance = whole + share * (1 - share) * drawn
    return apart / math.sqrt(variance) if shows_variance(apart, variance) else None


def difference_interval(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> tuple[float, float]:
    """The interval of a difference, from the intervals of both estimates.

    Args:
        first: the value and the ends of its interval.
        second: the same of the estimate that is subtracted.
    Source: Newcombe 1998 (Statistics in Medicine 17), method 10; Zou and
        Donner 2008. From two normal intervals it computes the normal interval.
    """
    value, low, high = first
    other, other_low, other_high = second
    below = math.hypot(value - low, other_high - other)
    above = math.hypot(high - value, other - other_low)
    return value - other - below, value - other + above
