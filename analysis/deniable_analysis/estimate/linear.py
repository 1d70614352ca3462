"""Sums of shares, with their covariances or with intervals that hold at every look.

The options of a question in a crosstab are sums of its cells; a mean is a sum
of levels times their shares. The variances of both need the covariances.
"""

from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.arguments import read_report_count
from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.anytime_means import anytime_mean, ends_within
from deniable_analysis.estimate.anytime_sets import Sets, anytime_set_mean
from deniable_analysis.estimate.channel import Channel, raw_shares, sampling_scale
from deniable_analysis.estimate.choice import IntervalRule, tail
from deniable_analysis.estimate.covariance import covariance_matrix
from deniable_analysis.estimate.noise import released_variance
from deniable_analysis.estimate.tallies import Numbers, member_counts, normal_numbers
from deniable_analysis.results.valid import project_to_simplex
from deniable_sdk.mechanisms import Subset
from deniable_storage.counts import BlockCounts

# The lower and upper ends of several intervals; NaN where there is none.
Ends = tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class LinearShares:
    """Shares that sum to 1 unless their counts have noise, and the parts of their covariances.

    Args:
        shares: (options,) raw shares.
        mechanism_part: (options, options) covariances that the randomization
            causes.
        sampling_scale: factor of the covariances diag(f) - f f' of one drawn
            respondent: 1/n for n respondents.
        release_part: (options, options) covariances that the noise of releases causes; None
            without noise.
    """

    shares: Floats
    mechanism_part: Floats
    sampling_scale: float
    release_part: Floats | None = None

    @classmethod
    def of_total(cls, shares: Floats, covariances: Floats, reports: int) -> "LinearShares":
        """Shares without noise from their total covariances and the number of reports."""
        return cls(shares, covariances - _drawn(shares) / reports, 1 / reports)

    def variances(self) -> tuple[Floats, Floats]:
        """The mechanism and the sampling part of each share's variance."""
        return np.diag(self.mechanism_part), self.shares * (1 - self.shares) * self.sampling_scale

    @property
    def covariances(self) -> Floats:
        """The (options, options) covariances without those of the noise of releases."""
        return self.mechanism_part + self.sampling_part

    @property
    def sampling_part(self) -> Floats:
        """The (options, options) covariances that choosing the respondents causes."""
        return _drawn(self.shares) * self.sampling_scale

    def of_population(self, population: int | None) -> "LinearShares":
        """The same shares for a sample of a finite population."""
        scale = sampling_scale(self.sampling_scale, population)
        return replace(self, sampling_scale=scale)

    def numbers(self, reports: int, rule: IntervalRule, ends: Ends | None) -> list[Numbers]:
        """The numbers of the shares, with these ends or normal ones, as in normal_numbers."""
        part = self.release_part
        released = None if part is None else np.diag(part)
        parts, valid = self.variances(), project_to_simplex
        return normal_numbers(
            self.shares, parts, reports, rule, valid, ends=ends, released=released
        )


def block_shares(mechanism: Subset, counts: BlockCounts) -> LinearShares:
    """The shares of a block's answers, which are cells if the block is joint.

    Raises:
        InvalidArgument: there is no report.
    """
    options, reports = mechanism.domain_size, read_report_count(counts.report_count)
    support, noise = member_counts(counts, options, mechanism.size)
    channel = Channel.of(mechanism).rounded()
    plain = linear_shares(raw_shares(support, reports, channel), mechanism, reports)
    if not noise:
        return plain
    one = released_variance(noise, reports, channel)
    # The sum of all counts has no noise.
    across = -one / (options - 1)
    pattern = np.where(np.eye(options, dtype=np.bool_), one, across)
    return replace(plain, release_part=pattern)


def linear_shares(shares: Floats, mechanism: Subset, report_count: int) -> LinearShares:
    """Given shares of all answers of a block, with the covariances under these shares.

    Raises:
        InvalidArgument: there is no report.
    """
    total = covariance_matrix(shares, report_count, mechanism)
    return LinearShares.of_total(shares, total, report_count)


def _drawn(shares: Floats) -> Floats:
    """The covariances of the answers of one drawn respondent."""
    return np.asarray(np.diag(shares) - np.outer(shares, shares))


def merge(cells: LinearShares, membership: Floats) -> LinearShares:
    """The shares of groups of answers; membership is 1 where a group contains an answer."""
    released = cells.release_part
    return LinearShares(
        membership.T @ cells.shares,
        membership.T @ cells.mechanism_part @ membership,
        cells.sampling_scale,
        None if released is None else membership.T @ released @ membership,
    )


@dataclass(frozen=True, slots=True)
class Contributions:
    """What the members of reports contribute to the shares of cells, without bias.

    Args:
        values: (kinds, cells) contribution of each kind of member.
        counts: (kinds,) number of members of each kind.
        members: members of one report, which contributes their mean.
        has_noise: whether the counts have the noise of a release. No ends that hold at every
            look are then known.
        sets: how the devices draw the members of a report, if they are those of one block.
    """

    values: Floats
    counts: Floats
    members: int
    has_noise: bool = False
    sets: Sets | None = None


def block_contributions(mechanism: Subset) -> Floats:
    """(answers, answers) contributions of a member of a set to the share of each answer."""
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    return np.asarray((mechanism.size * np.eye(mechanism.domain_size) - flip) / (keep - flip))


def anytime_cell_ends(
    found: Contributions, sums: Floats, rule: IntervalRule, whole: Floats | None = None
) -> Ends:
    """The ends of weighted sums of cells, or of their ratios to another sum.

    Args:
        found: contributions of the reports.
        sums: (cells, sums) weight of each cell in a sum.
        rule: confidence of the intervals.
        whole: (cells,) 1 where a cell is in the sum that all are divided by; by
            default there is no division.
    Returns:
        (sums,) lower and upper ends; NaN if the counts have noise. An end of a ratio that
        the reports do not determine is that of the range of the weights.
    """
    missed = 2 * tail(rule.confidence, rule.comparisons)
    below = np.ones(len(found.values)) if whole is None else found.values @ whole
    ends = np.full((2, sums.shape[1]), np.nan)
    if found.has_noise:
        return ends[0], ends[1]
    for column, above in enumerate((found.values @ sums).T):
        # Nobody can give an answer that is in no cell, and all can be in the sum itself.
        is_whole = whole is not None and np.array_equal(sums[:, column], whole)
        if is_whole or not sums[:, column].any():
            ends[:, column] = float(is_whole)
            continue
        # A sum is never outside the range of the contributions to it, nor a ratio, which is a
        # mean of weights, outside theirs. Ratios are tested up to its length beyond it.
        most = above if whole is None else sums[whole > 0, column]
        least, largest = float(most.min()), float(most.max())
        apart = 0.0 if whole is None else largest - least
        scale = least - apart, largest + apart
        if found.sets is not None and found.sets.are_small:
            truths = sums[:, column], np.ones(len(sums)) if whole is None else whole
            low, high = anytime_set_mean(
                (above, below),
                truths,
                found.counts,
                scale,
                missed,
                sets=found.sets,
                planned=rule.planned,
            )
        else:
            low, high = anytime_mean(
                (above, below), found.counts, scale, missed, found.members, planned=rule.planned
            )
        ends[:, column] = ends_within((low, high), (least, largest))
    return ends[0], ends[1]
