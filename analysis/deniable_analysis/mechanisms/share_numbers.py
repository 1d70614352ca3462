"""The numbers of estimated shares, for ShareEstimate."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators import (
    Channel,
    IntervalRule,
    boundary_deviation,
    debias,
    errors_beyond,
    is_beyond_chance,
    largest_by_chance,
    manipulation_margin,
    mechanism_variance,
    normal_interval,
    sampling_scale,
    sampling_variance,
    share_interval,
)
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.mechanisms.base import Findings, IntervalChoice, Tally
from deniable_analysis.results import MeanEstimate, OptionEstimate

Numbers = Mapping[str, Any]
NORMAL = "normal"
_UNLIKELY = (
    "which chance alone hardly explains; were reports made up, or randomized by another survey's "
    "rules?"
)


def binomial_numbers(
    support: Sequence[int],
    report_count: int,
    channel: Channel,
    rule: IntervalRule,
    valid: Callable[[Floats], Floats],
) -> list[Numbers]:
    """The numbers of shares whose supporting reports are binomial counts.

    Args:
        support: number of reports that support each share.
        report_count: number of all reports; with 0 there are no numbers.
        channel: channel of each share.
        rule: which intervals.
        valid: maps all raw shares to valid ones for display.
    """
    if not report_count:
        return [{}] * len(support)
    shares = debias(support, report_count, channel)
    low, high = share_interval(support, report_count, channel, rule)
    columns = {
        "share": shares,
        "low": low,
        "high": high,
        "valid_share": valid(shares),
        "mechanism_variance": mechanism_variance(shares, report_count, channel),
        "sampling_variance": sampling_variance(shares, report_count)
        * (report_count * sampling_scale(1 / report_count, rule.population)),
        "manipulation_margin": np.full(len(shares), manipulation_margin(channel)),
    }
    return _rows(columns, report_count)


def tally_findings(
    names: Sequence[str], tallies: Sequence[Tally], choice: IntervalChoice
) -> Findings:
    """The findings of options whose shares need not sum to 1.

    Args:
        names: names of the options.
        tallies: tallies of the options.
        choice: which intervals.
    """
    rule = choice.among(len(tallies))
    options: list[OptionEstimate] = []
    warnings: list[str] = []
    for (reports, channel), group in groupby(
        zip(names, tallies, strict=True), key=lambda pair: pair[1].design
    ):
        some, found = zip(*group, strict=True)
        support = [tally.support for tally in found]
        numbers = binomial_numbers(support, reports, channel, rule, clip)
        options += (
            OptionEstimate(option=name, **each) for name, each in zip(some, numbers, strict=True)
        )
        warnings += share_warnings(some, support, reports, channel, len(names))
    return Findings(choice.interval.value, tuple(options), warnings=tuple(warnings))


def normal_numbers(
    shares: Floats,
    parts: tuple[Floats, Floats],
    report_count: int,
    rule: IntervalRule,
    valid: Callable[[Floats], Floats],
) -> list[Numbers]:
    """The numbers of shares that are not binomial counts, from their variances.

    Args:
        shares: raw shares.
        parts: mechanism and sampling part of their variances.
        report_count: number of reports.
        rule: confidence of the intervals, which are always normal.
        valid: maps all raw shares to valid ones for display.
    Returns:
        Rows without an interval if the reports have a sample variance of 0.
    """
    mechanism_part, sampling_part = parts
    reach = critical_value(rule.confidence, rule.comparisons)
    # A variance computed at raw shares far outside 0 to 1 can be negative.
    low, high = normal_interval(shares, mechanism_part + sampling_part, reach)
    columns = {
        "share": shares,
        "low": low,
        "high": high,
        "valid_share": valid(shares),
        "mechanism_variance": mechanism_part,
        "sampling_variance": sampling_part,
    }
    rows = zip(_rows(columns, report_count), np.isnan(low), strict=True)
    return [{**row, "low": None, "high": None} if is_missing else row for row, is_missing in rows]


def clip(shares: Floats) -> Floats:
    """Each share clipped to 0 to 1, for shares that need not sum to 1; for display only."""
    return np.clip(shares, 0.0, 1.0)


def share_warnings(
    names: Sequence[str],
    support: Sequence[int],
    report_count: int,
    channel: Channel,
    among: int | None = None,
) -> tuple[str, ...]:
    """A sentence for each share further outside 0 to 1 than chance explains.

    Args:
        names: names of the shares.
        support: number of reports that support each share.
        report_count: number of all reports.
        channel: channel of each share.
        among: number of shares of the question, if these are only some of them.
    """
    if not report_count:
        return ()
    found = support, report_count, channel
    deviations = boundary_deviation(*found)
    return _alarms(names, np.where(is_beyond_chance(*found, among), deviations, 0.0))


def normal_warnings(
    names: Sequence[str], shares: ArrayLike, mechanism_part: ArrayLike, report_count: int
) -> tuple[str, ...]:
    """The same for shares that are not binomial counts.

    Args:
        names: names of the shares.
        shares: raw shares.
        mechanism_part: mechanism part of their variances.
        report_count: number of reports.
    """
    raw = np.asarray(shares, dtype=np.float64)
    if not report_count:
        return ()
    beyond = np.maximum(raw - 1, 0) + np.minimum(raw, 0)
    deviations = errors_beyond(beyond, mechanism_part, report_count)
    is_alarming = np.abs(deviations) > largest_by_chance(len(raw))
    return _alarms(names, np.where(is_alarming, deviations, 0.0))


def mean_warnings(
    mean: MeanEstimate | None, ends: tuple[float, float], report_count: int
) -> tuple[str, ...]:
    """A sentence if a mean is further outside its scale than chance explains.

    Args:
        mean: estimated mean; None if there is none.
        ends: smallest and largest answer.
        report_count: number of reports.
    """
    if mean is None or mean.value is None or mean.variance is None or not report_count:
        return ()
    beyond = max(mean.value - ends[1], 0.0) + min(mean.value - ends[0], 0.0)
    # Reports that are all equal have no variance, as forged ones may; honest reports vary.
    variance = mean.variance + beyond**2 / report_count
    deviation = float(errors_beyond(beyond, variance, report_count))
    if abs(deviation) <= largest_by_chance(1):
        return ()
    where = f"below {ends[0]:g}" if deviation < 0 else f"above {ends[1]:g}"
    return (f"the raw mean lies {abs(deviation):.1f} standard errors {where}, {_UNLIKELY}",)


def _alarms(names: Sequence[str], deviations: Floats) -> tuple[str, ...]:
    """A sentence for each deviation that is not 0."""
    return tuple(
        f"the raw share of {name!r} lies {abs(deviation):.1f} standard errors "
        f"{'below 0' if deviation < 0 else 'above 1'}, {_UNLIKELY}"
        for name, deviation in zip(names, deviations.tolist(), strict=True)
        if deviation
    )


def _rows(columns: Mapping[str, Floats], report_count: int) -> list[Numbers]:
    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    return [{**dict(zip(columns, row, strict=True)), "reports": report_count} for row in rows]
