"""From counts to numbers: the reports that support an option, and the table of its share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import FORGED
from deniable_analysis.estimate.alarms import share_warnings
from deniable_analysis.estimate.channel import (
    Channel,
    forged_gain,
    mechanism_part,
    raw_shares,
    sampling_scale,
)
from deniable_analysis.estimate.choice import IntervalRule, critical_value
from deniable_analysis.estimate.intervals import interval_of_rates, normal_interval
from deniable_analysis.estimate.noise import (
    Noise,
    balanced_counts,
    released_interval,
    released_variance,
    stretched,
)
from deniable_sdk.mechanisms import PrivSet, Subset
from deniable_storage.counts import BlockCounts

# The numbers of a share by their names, as in ShareEstimate.
Numbers = Mapping[str, Any]
NORMAL = "normal"


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of reports that support an option, with its channel.

    `noise` is that of releases in the number, which then need not be a whole one.
    """

    support: float
    reports: int
    channel: Channel
    noise: Noise | None = None

    @property
    def design(self) -> tuple[int, Channel]:
        """The number of reports and the channel, which variances without noise depend on."""
        return self.reports, self.channel


def option_tallies(mechanism: PrivSet | Subset, counts: BlockCounts) -> list[Tally]:
    """The tally of each option of a mechanism whose values are options or sets of them."""
    channel = Channel(mechanism.keep, mechanism.flip).rounded()
    support, noise = member_counts(counts, mechanism.form.members, mechanism.size)
    options = support[: mechanism.domain.options].tolist()
    return [Tally(each, counts.report_count, channel, noise) for each in options]


def member_counts(counts: BlockCounts, members: int, size: int = 1) -> tuple[Floats, Noise | None]:
    """(members,) how many reports contain each member, and the noise of one of these numbers.

    Every report contains so many members (`size`), which releases do not hide.
    """
    support = counts.of(range(members))
    if not counts.noise:
        return np.asarray(support, np.float64), None
    return balanced_counts(support, size * counts.report_count, counts.noise)


def tally_numbers(
    tallies: Sequence[Tally], rule: IntervalRule, valid: Callable[[Floats], Floats]
) -> list[Numbers]:
    """The numbers of options from their tallies; `valid` maps all raw shares to valid ones."""
    rows: list[Numbers] = []
    for (reports, channel), group in groupby(tallies, key=lambda tally: tally.design):
        found = list(group)
        support, noise = [tally.support for tally in found], found[0].noise
        rows += binomial_numbers(support, reports, channel, rule, valid, noise=noise)
    shown = iter(valid(np.array([row["share"] for row in rows if row])).tolist())
    return [{**row, "valid_share": next(shown)} if row else row for row in rows]


def tally_warnings(
    names: Sequence[str], tallies: Sequence[Tally], among: int | None = None
) -> tuple[str, ...]:
    """The warnings of share_warnings about tallies without noise; `among` are all shares."""
    warnings: list[str] = []
    for (reports, channel), group in groupby(
        zip(names, tallies, strict=True), key=lambda pair: pair[1].design
    ):
        some, found = zip(*group, strict=True)
        if not found[0].noise:
            support = [tally.support for tally in found]
            warnings += share_warnings(some, support, reports, channel, among or len(names))
    return tuple(warnings)


def binomial_numbers(  # noqa: PLR0913 - the parts of a table
    support: Sequence[float],
    report_count: int,
    channel: Channel,
    rule: IntervalRule,
    valid: Callable[[Floats], Floats],
    *,
    noise: Noise | None = None,
) -> list[Numbers]:
    """The numbers of shares whose supporting reports are binomial counts; none without reports.

    Args:
        support: numbers of supporting reports.
        report_count: number of reports.
        channel: channel of the block.
        rule: which interval.
        valid: maps all raw shares to valid ones for display.
        noise: the noise of releases in each number in `support`.
    """
    if not report_count:
        return [{}] * len(support)
    shares, columns = raw_shares(support, report_count, channel), {}
    if noise:
        low, high = released_interval(support, report_count, channel, rule, noise)
        released = released_variance(noise, report_count, channel)
        columns = {"release_variance": np.full(len(shares), released)}
    else:
        rates = np.array(support) / report_count
        low, high = interval_of_rates(rates, report_count, channel, rule)
    columns |= {
        "share": shares,
        "low": low,
        "high": high,
        "valid_share": valid(shares),
        "mechanism_variance": mechanism_part(shares, report_count, channel),
        "sampling_variance": (shares * (1 - shares) / report_count)
        * (report_count * sampling_scale(1 / report_count, rule.population)),
        "manipulation_margin": np.full(len(shares), FORGED * forged_gain(channel)),
    }
    return _rows(columns, report_count)


def normal_numbers(  # noqa: PLR0913 - the parts of a table
    shares: Floats,
    parts: tuple[Floats, Floats],
    report_count: int,
    rule: IntervalRule,
    valid: Callable[[Floats], Floats],
    *,
    ends: tuple[Floats, Floats] | None = None,
    released: Floats | None = None,
) -> list[Numbers]:
    """The numbers of shares that are not binomial counts, from their variances.

    Args:
        shares: raw shares.
        parts: mechanism and sampling part of their variances.
        report_count: number of reports.
        rule: confidence of normal intervals, which are for one look.
        valid: maps all raw shares to valid ones for display.
        ends: ends of other intervals, NaN where there is none.
        released: part of their variances that the noise of releases causes.
    Returns:
        Rows without an interval if the reports have a sample variance of 0.
    """
    mechanism_part, sampling_part = parts
    if ends is None:
        level = rule.confidence, rule.comparisons
        # A variance computed at raw shares far outside 0 to 1 can be negative.
        total = mechanism_part + sampling_part
        if released is not None:
            total = np.maximum(total, 0.0) + stretched(released, *level)
        ends = normal_interval(shares, total, critical_value(*level))
    low, high = ends
    columns = {} if released is None else {"release_variance": released}
    columns |= {
        "share": shares,
        "low": low,
        "high": high,
        "valid_share": valid(shares),
        "mechanism_variance": mechanism_part,
        "sampling_variance": sampling_part,
    }
    low, high = (np.where(np.isnan(low + high), np.nan, each) for each in (low, high))
    return _rows({**columns, "low": low, "high": high}, report_count)


def _rows(columns: Mapping[str, Floats], report_count: int) -> list[Numbers]:
    """The columns as rows; NaN, as of a variance that nobody knows, is None."""
    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    found = ([None if each != each else each for each in row] for row in rows)  # noqa: PLR0124 - NaN
    return [{**dict(zip(columns, row, strict=True)), "reports": report_count} for row in found]
