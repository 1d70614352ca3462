"""The numbers of estimated shares, as ShareEstimate has them."""

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
        support: the reports that support each.
        report_count: of how many; without any there are no numbers.
        channel: of each.
        rule: which intervals.
        valid: makes all raw shares presentable.
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
        names: of the options.
        tallies: of the options.
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
    """The numbers of shares of which only the variances are known.

    Args:
        shares: raw ones.
        parts: the mechanism and the sampling part of their variances.
        report_count: the reports behind them.
        rule: how sure the intervals are; they are always normal.
        valid: makes all raw shares presentable.
    Returns:
        Rows without an interval where the reports show no variance.
    """
    mechanism_part, sampling_part = parts
    reach = critical_value(rule.confidence, rule.comparisons)
    # A variance worked out at raw shares far outside 0 to 1 can be negative.
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
    """Each share cut to 0 to 1, where shares need not sum to 1; for display only."""
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
        names: of the shares.
        support: the reports that support each.
        report_count: of how many.
        channel: of each.
        among: how many shares the question has, where these are only some.
    """
    if not report_count:
        return ()
    found = support, report_count, channel
    deviations = boundary_deviation(*found)
    return _alarms(names, np.where(is_beyond_chance(*found, among), deviations, 0.0))


def normal_warnings(
    names: Sequence[str], shares: ArrayLike, mechanism_part: ArrayLike, report_count: int
) -> tuple[str, ...]:
    """The same of shares of which only the variances are known.

    Args:
        names: of the shares.
        shares: raw ones.
        mechanism_part: of their variances.
        report_count: behind them.
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
    """A sentence if a mean lies further outside its scale than chance explains.

    Args:
        mean: None where there is none.
        ends: the least and the largest answer.
        report_count: behind it.
    """
    if mean is None or mean.value is None or mean.variance is None or not report_count:
        return ()
    beyond = max(mean.value - ends[1], 0.0) + min(mean.value - ends[0], 0.0)
    # Reports that all say the same vary as little as made-up ones; honest ones do not.
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
