"""Intervals for shares and for differences of two estimates, and tests of these.

Among n respondents drawn at random the number of reports that support an
option is binomial, so any binomial interval maps to one for the share with
its coverage unchanged: (L - q)/(p - q) to (U - q)/(p - q).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from deniable_analysis.arguments import check_kind, is_whole, named, read_flag, shown
from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimators.anytime import anytime_ends, prior_for
from deniable_analysis.estimators.binomial import (
    ALLOWANCE,
    clopper_pearson_ends,
    dependable_reach,
    guarded_ends,
)
from deniable_analysis.estimators.channel import Channel, check_channel, support_rates
from deniable_analysis.estimators.confidence import critical_value, tail
from deniable_analysis.estimators.finite import FEW_REPORTS, corrected_ends, finite_reach, shorter


class Interval(StrEnum):
    """The binomial interval that an estimate is reported with.

    The coverage of WILSON is close to the confidence, and never more than 1.5
    percentage points below it. The coverage of CLOPPER_PEARSON is never below
    the confidence, but this interval is wider. Both are for one look at the
    results. ANYTIME holds at every look: with at least the confidence, all
    intervals of a survey that is watched contain the truth, however often and
    whenever one looks.
    """

    WILSON = "wilson"
    CLOPPER_PEARSON = "clopper-pearson"
    ANYTIME = "anytime"


DEFAULT_INTERVAL = Interval.WILSON
# The intervals for one look, which all estimates of shares have.
FOR_ONE_LOOK = (Interval.WILSON, Interval.CLOPPER_PEARSON)
Name = TypeVar("Name", bound=StrEnum)


def read_interval(value: str, allowed: Iterable[Interval] = FOR_ONE_LOOK) -> Interval:
    """The interval of this name; InvalidArgument if the estimate has no such interval."""
    return read_name("interval", allowed, value)


def read_name(what: str, allowed: Iterable[Name], value: str) -> Name:
    """The member of this name; InvalidArgument if there is none, saying what it is."""
    names = {str(each): each for each in allowed}
    found = names.get(str(value))
    if found is None:
        raise InvalidArgument(f"got the {what} {named(value)}; allowed: {', '.join(names)}")
    return found


def check_simultaneous(value: object) -> None:
    """Raise InvalidArgument unless it is True or False."""
    allowed = "True (all intervals hold at once) and False"
    read_flag("simultaneous", value, allowed)


@dataclass(frozen=True, slots=True)
class IntervalRule:
    """A kind of interval with its confidence.

    Args:
        interval: which binomial interval, or its name.
        confidence: nominal coverage, between 0 and 1.
        comparisons: number of simultaneous intervals (Bonferroni).
        population: number of people that the reports are a sample of; None if
            it is many times the number of reports. Only Wilson's interval uses
            it.
        planned: number of reports that is planned, before any is counted; None
            if no number is. Intervals for every look are narrowest with it.
    Raises:
        InvalidArgument: confidence is not between 0 and 1; there is no such interval, or
            comparisons is not a whole number; the population is not a whole number.
    """

    interval: Interval = DEFAULT_INTERVAL
    confidence: float = DEFAULT_CONFIDENCE
    comparisons: int = 1
    population: int | None = None
    planned: float | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.comparisons, 1):
            raise InvalidArgument(
                f"comparisons: got {shown(self.comparisons)}; allowed is a whole number of "
                "intervals that must hold at once, 1 or more"
            )
        tail(self.confidence, self.comparisons)
        if self.population is not None and not is_whole(self.population, 1):
            raise InvalidArgument(
                f"got a population of {shown(self.population)}; allowed is a whole number of "
                "people: everybody the survey is about"
            )
        object.__setattr__(self, "interval", read_interval(self.interval, Interval))


DEFAULT_RULE = IntervalRule()


def check_rule(rule: Any) -> None:
    """Raise InvalidArgument unless it is a rule for intervals."""
    allowed = "an IntervalRule, such as IntervalRule('wilson', 0.9)"
    check_kind("rule", rule, IntervalRule, allowed)


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
    counts = np.arange(report_count + 1)
    wide = share_interval(counts, report_count, channel, replace(rule, population=None))
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
