"""The counts of a source: how often the reports of a block contain each value."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deniable_sdk.survey.published import PublishedSurvey

# A member of a reported value: an option or output of the mechanism, or a pair if reports
# contain pairs.
Member = int | tuple[int, ...]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BlockCounts:
    """How many reports contain a block, and how many of them contain each member of its values.

    Args:
        report_count: how many reports contain the block.
        support: how many of them contain each member, without those that none contains.
        noise: scales of the discrete Laplace noises that releases added to each number in
            `support`, which may then be negative; empty for counts as they are.
    """

    report_count: int
    support: Mapping[Member, int]
    noise: tuple[float, ...] = ()

    def of(self, members: range) -> list[int]:
        """How many reports contain each of these members; 0 if none does."""
        return [self.support.get(member, 0) for member in members]


@dataclass(frozen=True, slots=True)
class SurveyCounts:
    """All counts of one survey at one moment: of its reports, and of each block's values."""

    report_count: int
    blocks: Mapping[str, BlockCounts]


def can_be_counts(
    report_count: int, of_blocks: Sequence[int], survey: PublishedSurvey | None
) -> bool:
    """Whether so many reports can have some blocks so often.

    Args:
        report_count: number of reports.
        of_blocks: how many of them have each of the blocks.
        survey: the survey of the blocks, which says how many a report has; None if that is not
            known.
    """
    if not all(0 <= each <= report_count for each in of_blocks):
        return False
    if survey is None:
        return True
    others = len(survey.blocks) - len(of_blocks)
    least, most = max(0, survey.asked - others), min(survey.asked, len(of_blocks))
    return report_count * least <= sum(of_blocks) <= report_count * most


def sum_of_counts(parts: Sequence[SurveyCounts]) -> SurveyCounts:
    """The counts of several sets of reports together, which have no report in common.

    Args:
        parts: at least one, all of the same blocks.
    """
    blocks = {
        name: sum_of_blocks([part.blocks[name] for part in parts]) for name in parts[0].blocks
    }
    return SurveyCounts(sum(part.report_count for part in parts), blocks)


def sum_of_blocks(parts: Sequence[BlockCounts]) -> BlockCounts:
    """The counts of a block in several sets of reports, as in sum_of_counts."""
    support: Counter[Member] = Counter()
    for part in parts:
        support.update(part.support)
    noise = tuple(scale for part in parts for scale in part.noise)
    return BlockCounts(sum(part.report_count for part in parts), support, noise)


@dataclass(frozen=True, slots=True)
class JointCounts:
    """The joint values of respondents who were asked all of some blocks.

    A tuple has one value for each block. Each different tuple is kept once, with the number
    of reports that have it.

    Args:
        values: for each block, its different values in ascending order: (values,) of
            indexes, (values, size) of sets, or (values, sampled, 2) of pairs.
        indexes: (tuples, blocks) the index of each tuple's value in `values`.
        counts: (tuples,) how many reports have this tuple, at least 1.
    """

    values: tuple[Integers, ...] = field(repr=False)
    indexes: Integers = field(repr=False)
    counts: Integers = field(repr=False)

    @property
    def report_count(self) -> int:
        """How many respondents were asked all of the blocks."""
        return int(self.counts.sum())

    def of(self, index: int) -> Integers:
        """The value of one block in every tuple, by the block's index."""
        found: Integers = self.values[index][self.indexes[:, index]]
        return found
