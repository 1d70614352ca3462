"""Combinations of the answers to two questions that were randomized separately."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.mechanisms.basis import Basis
from deniable_analysis.mechanisms.linear import Contributions, LinearShares, block_contributions
from deniable_sdk.mechanisms import Subset
from deniable_storage.counts import Integers, JointCounts

# The largest number of products of scores in memory at a time.
_CHUNK_CELLS = 1 << 22
# The largest number of rows of tuples in memory at a time.
_CHUNK_ROWS = 1 << 16


@dataclass(frozen=True, slots=True)
class SeparateBasis(Basis):
    """Combinations of the answers to two blocks that were randomized separately.

    Args:
        cells: shares of all combinations.
        reports: number of respondents who were asked both.
        mechanisms: mechanisms of both blocks.
        memberships: as for separate_basis.
        joint: values of these respondents.
    """

    # Without field() a dataclass would make the base's properties their defaults.
    cells: LinearShares = field()  # a field here
    reports: int = field()  # a field here
    mechanisms: Sequence[Subset]
    memberships: Sequence[Floats]
    joint: JointCounts

    @property
    def contributions(self) -> Contributions:
        """As in Basis: those of all pairs of members, one of each block's set."""
        first, second = (
            support_of(mechanism, values)
            for mechanism, values in zip(self.mechanisms, self.joint.values, strict=True)
        )
        pairs = np.zeros((first.shape[1], second.shape[1]))
        for start in range(0, len(self.joint.counts), _CHUNK_ROWS):
            indexes = self.joint.indexes[start : start + _CHUNK_ROWS]
            counts = self.joint.counts[start : start + _CHUNK_ROWS, None]
            pairs += (first[indexes[:, 0]] * counts).T @ second[indexes[:, 1]]
        scores = (
            block_contributions(mechanism) @ membership
            for mechanism, membership in zip(self.mechanisms, self.memberships, strict=True)
        )
        members = self.mechanisms[0].size * self.mechanisms[1].size
        return Contributions(np.asarray(np.kron(*scores), np.float64), pairs.ravel(), members)

    def of_population(self, population: int | None) -> Self:
        return replace(self, cells=self.cells.of_population(population))


def separate_basis(
    mechanisms: Sequence[Subset], memberships: Sequence[Floats], joint: JointCounts
) -> SeparateBasis:
    """The cells of two questions that were randomized separately.

    Each report of a block has a score for every option, with expectation 1 for
    the answer and 0 for all others. The products of the scores of both blocks
    are scores of the cells. With size 1 this is the inverse of the Kronecker
    product of both channels.

    Args:
        mechanisms: mechanisms of both blocks.
        memberships: for each block, (answers, options) 1 where an answer of the
            block contains an option of its question.
        joint: values of the respondents who were asked both.
    Source: Chaudhuri and Mukerjee 1988; van den Hout and van der Heijden
        2002; the scores of sets are those of S. Wang et al. 2016.
    """
    first, second = (
        option_scores(mechanism, values) @ membership
        for mechanism, values, membership in zip(
            mechanisms, joint.values, memberships, strict=True
        )
    )
    size = first.shape[1] * second.shape[1]
    sums, squares = np.zeros(size), np.zeros((size, size))
    rows = max(1, _CHUNK_CELLS // size)
    for start in range(0, len(joint.counts), rows):
        indexes = joint.indexes[start : start + rows]
        counts = joint.counts[start : start + rows].astype(np.float64)
        products = first[indexes[:, 0], :, None] * second[indexes[:, 1], None, :]
        scores = products.reshape(len(indexes), size)
        sums += counts @ scores
        squares += (scores * counts[:, None]).T @ scores
    n = joint.report_count
    shares = sums / n
    total = (squares / n - np.outer(shares, shares)) / n
    cells = LinearShares.of_total(shares, total, n)
    return SeparateBasis(cells, n, mechanisms, memberships, joint)


def option_scores(mechanism: Subset, values: Integers) -> Floats:
    """The unbiased scores of every answer, for some values of a block.

    Args:
        mechanism: mechanism of the block.
        values: (values,) indices or (values, size) sets.
    """
    flip = float(mechanism.flip)
    return (support_of(mechanism, values) - flip) / (float(mechanism.keep) - flip)


def support_of(mechanism: Subset, values: Integers) -> Floats:
    """(values, answers) 1 where a value supports an answer; values as in option_scores."""
    support = np.zeros((len(values), mechanism.domain_size))
    np.put_along_axis(support, values.reshape(len(values), mechanism.size), 1.0, axis=1)
    return support
