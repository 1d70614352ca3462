"""Intervals for shares and for differences of two estimates, and tests of these.

Among n respondents drawn at random the number of reports that support an
option is binomial, so any binomial interval maps to one for the share with
its coverage unchanged: (L - q)/(p - q) to (U - q)/(p - q).
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from deniable_analysis.arguments import read_choice
from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.anytime import anytime_ends, prior_for
from deniable_analysis.estimate.binomial import (
    ALLOWANCE,
    clopper_pearson_ends,
    dependable_reach,
    guarded_ends,
)
from deniable_analysis.estimate.channel import Channel, check_channel, support_rates
from deniable_analysis.estimate.choice import (
    DEFAULT_RULE,
    IntervalRule,
    check_rule,
    critical_value,
    tail,
)
from deniable_analysis.estimate.finite import FEW_REPORTS, corrected_ends, finite_reach, shorter


def share_interval(
    support: ArrayLike, report_count: int, channel: Channel, rule: IntervalRule = DEFAULT_RULE
) -> tuple[Floats, Floats]:
    """The ends of an interval for each share; they may be outside 0 to 1.

    Args:
        support: (options,) number of reports that support each option.
        report_count: n, at least 1.
        channel: channel of the block.
        rule: which interval.
    Returns:
        (options,) lower and (options,) upper ends.
    Raises:
        InvalidArgument: there is no report, or a count is not in 0..n; channel is not a Channel;
            rule is not an IntervalRule.
    """
    check_channel(channel)
    check_rule(rule)
    rates = np.asarray(support_rates(support, report_count), dtype=np.float64)
    return interval_of_rates(rates, report_count, channel, rule)


def interval_of_rates(
    rates: Floats, report_count: int, channel: Channel, rule: IntervalRule
) -> tuple[Floats, Floats]:
    """As share_interval, from the (options,) rates of reports that support each option."""
    flip, spread = float(channel.flip), float(channel.spread)
    low, high = rate_interval(rates, report_count, rule, (flip, float(channel.keep)))
    low, high = (low - flip) / spread, (high - flip) / spread
    if rule.population is None or rule.interval is not Interval.WILSON:
        return low, high
    rounded = channel.rounded()
    reach = critical_value(rule.confidence, rule.comparisons)
    if report_count <= FEW_REPORTS:
        reach = _finite_reach(report_count, rounded, rule)
    inner = corrected_ends(rates, report_count, rounded, rule.population, reach)
    return shorter((low, high), inner)


@lru_cache(maxsize=4096)
def _finite_reach(report_count: int, channel: Channel, rule: IntervalRule) -> float:
    """The z for few reports of a population, so that they cover as often as without it."""
    wanted = 1 - (1 - float(rule.confidence) + ALLOWANCE) / rule.comparisons
    reach = critical_value(rule.confidence, rule.comparisons)
    rates = np.arange(report_count + 1) / report_count
    wide = interval_of_rates(rates, report_count, channel, replace(rule, population=None))
    population = max(report_count, rule.population or 0)
    return finite_reach(wide, channel, population, reach, wanted)


def rate_interval(
    rates: Floats,
    report_count: float,
    rule: IntervalRule = DEFAULT_RULE,
    between: tuple[float, float] | None = None,
) -> tuple[Floats, Floats]:
    """The ends of a binomial interval for each rate of supporting reports.

    Args:
        rates: (options,) rates of reports that support each option, 0 to 1.
        report_count: n, above 0; not always whole if reports are weighted.
        rule: which interval; its population is ignored.
        between: lowest and highest possible true rate, q and p. With these and
            a whole n, Wilson's interval is widened where its coverage would be
            too low; see dependable_reach.
    """
    missed = tail(rule.confidence, rule.comparisons)
    if rule.interval is Interval.ANYTIME:
        prior = prior_for(rule.planned)
        return anytime_ends(rates * report_count, report_count, 2 * missed, prior)
    if rule.interval is Interval.CLOPPER_PEARSON:
        return clopper_pearson_ends(rates * report_count, report_count, missed)
    reach = critical_value(rule.confidence, rule.comparisons)
    if between is not None and report_count == int(report_count):
        sure = float(rule.confidence), rule.comparisons
        reach = dependable_reach(int(report_count), between, *sure)
    return guarded_ends(rates, report_count, reach, missed)


class Correction(StrEnum):
    """How p-values are adjusted for several tests.

    Both bound the probability of any false rejection by the stated level. HOLM
    rejects whatever BONFERRONI rejects, and sometimes more.
    """

    HOLM = "holm"
    BONFERRONI = "bonferroni"
    NONE = "none"


def read_correction(value: str) -> Correction:
    """The correction of this name; InvalidArgument if there is no such correction."""
    return read_choice("correction", Correction, value)


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


def difference_interval(
    first: tuple[float, float, float],
    second: tuple[float, float, float],
    correlation: float = 0.0,
) -> tuple[float, float]:
    """The interval of a difference, from the intervals of both estimates.

    Args:
        first: the value and the ends of its interval.
        second: the same of the estimate that is subtracted.
        correlation: that of both estimates.
    Source: Newcombe 1998 (Statistics in Medicine 17), method 10; Zou and
        Donner 2008. From two normal intervals it computes the normal interval.
    """
    value, low, high = first
    other, other_low, other_high = second

    def reach(one: float, two: float) -> float:
        return math.sqrt(max(0.0, one**2 + two**2 - 2 * correlation * one * two))

    below = reach(value - low, other_high - other)
    above = reach(high - value, other - other_low)
    return value - other - below, value - other + above


# A variance below this is only rounding error, in units of the squared values:
# it comes from sums of such squares, each rounded to 16 digits.
_ROUNDING = 1e-14


def shows_variance(values: ArrayLike, variances: ArrayLike, unit: ArrayLike = 1.0) -> Bools:
    """Where a variance is finite, and above 0 by more than rounding error.

    A single report, or reports that are all the same, have a sample variance of
    0. The true variance is then unknown, and it is not 0.

    Args:
        values: estimates.
        variances: variance of each value.
        unit: largest possible difference of two values: 1 for shares, the range
            of the answers for a mean; 0 if it is unknown.
    """
    found, spreads = np.asarray(values, np.float64), np.asarray(variances, np.float64)
    least = _ROUNDING * (np.asarray(unit, np.float64) ** 2 + found**2)
    return np.asarray(np.isfinite(spreads) & (spreads > least))


def normal_interval(
    values: ArrayLike, variances: ArrayLike, reach: float, unit: ArrayLike = 1.0
) -> tuple[Floats, Floats]:
    """The ends of normal intervals; NaN where shows_variance, with its arguments, is false.

    `reach` is half the width of the intervals, in standard errors.
    """
    found, spreads = np.asarray(values, np.float64), np.asarray(variances, np.float64)
    shown = np.where(shows_variance(found, spreads, unit), spreads, np.nan)
    width = reach * np.sqrt(shown)
    return found - width, found + width


def normal_ends(
    value: float, variance: float | None, reach: float, unit: float = 1.0
) -> tuple[float, float] | tuple[None, None]:
    """The ends of one normal interval; None where shows_variance is false."""
    low, high = normal_interval(value, math.nan if variance is None else variance, reach, unit)
    return (None, None) if math.isnan(low) else (float(low), float(high))
