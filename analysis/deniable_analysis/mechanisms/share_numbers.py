"""The numbers of estimated shares, as ShareEstimate has them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.estimators import (
    Channel,
    IntervalRule,
    boundary_deviation,
    debias,
    is_beyond_chance,
    manipulation_margin,
    mechanism_variance,
    normal_interval,
    sampling_scale,
    sampling_variance,
    share_interval,
)
from deniable_analysis.estimators.confidence import critical_value

Floats = NDArray[np.float64]
Numbers = Mapping[str, Any]
NORMAL = "normal"


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
    """Each share cut to 0 to 1, where shares need not sum to 1; for show only."""
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
    deviations = boundary_deviation(*found).tolist()
    return tuple(
        f"the raw share of {name!r} lies {abs(deviation):.1f} standard errors "
        f"{'below 0' if deviation < 0 else 'above 1'}, which chance alone hardly gives; were "
        "reports made up, or randomized by another survey's rules?"
        for name, deviation, is_alarming in zip(
            names, deviations, is_beyond_chance(*found, among), strict=True
        )
        if is_alarming
    )


def _rows(columns: Mapping[str, Floats], report_count: int) -> list[Numbers]:
    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    return [{**dict(zip(columns, row, strict=True)), "reports": report_count} for row in rows]
