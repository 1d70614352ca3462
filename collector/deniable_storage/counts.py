"""The counts of a source: how often the reports of a block contain each value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# A member of a reported value: an option or output of the mechanism, or a pair
# where reports have pairs.
Member = int | tuple[int, ...]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BlockCounts:
    """How many reports contain a block, and how many of them each member of its values."""

    report_count: int
    support: Mapping[Member, int]

    def of(self, members: range) -> list[int]:
        """How many reports contain each of these, 0 where none does."""
        return [self.support.get(member, 0) for member in members]


@dataclass(frozen=True, slots=True)
class SurveyCounts:
    """All counts of one survey at one moment: all reports, then each block's."""

    report_count: int
    blocks: Mapping[str, BlockCounts]


@dataclass(frozen=True, slots=True)
class JointCounts:
    """The joint values of respondents who were asked all of some blocks.

    Kept are the different tuples of values, one value for each block, with how
    many reports have each; no tuple is repeated.

    Args:
        values: for each block its different values, ascending: (values,) of
            indices, (values, size) of sets, or (values, sampled, 2) of pairs.
        indexes: (tuples, blocks) the index of each tuple's value among those.
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
