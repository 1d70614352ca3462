"""Shares of combinations of options, and all that can be worked out from them.

A joint block was reported as one answer: its cells are shares like those of
one question. Blocks that were randomized apart give cells only through the
respondents who were asked both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators import Channel, project_to_simplex
from deniable_analysis.estimators.intervals import IntervalRule
from deniable_analysis.mechanisms.linear import LinearShares, block_shares, linear_shares, merge
from deniable_analysis.mechanisms.share_numbers import (
    NORMAL,
    Numbers,
    binomial_numbers,
    normal_numbers,
    normal_warnings,
    share_warnings,
)
from deniable_sdk.mechanisms import Subset
from deniable_storage.counts import BlockCounts, Integers, JointCounts

# So many products of scores are held at a time.
_CHUNK_CELLS = 1 << 22


@dataclass(frozen=True, slots=True)
class Basis:
    """Shares of cells, from which those of groups of cells are summed.

    Args:
        cells: the shares of all cells, with their covariances.
        reports: how many reports they were computed from.
        joint: the mechanism and the supporting reports of each cell, where
            the cells are the answers of one block.
    """

    cells: LinearShares
    reports: int
    joint: tuple[Subset, tuple[int, ...]] | None = None

    def numbers(self, membership: Floats, rule: IntervalRule) -> list[Numbers]:
        """The numbers of groups of cells, all of the same size.

        Args:
            membership: (cells, groups) 1 where a group holds a cell.
            rule: which intervals; normal ones where no binomial count tells
                the group.
        """
        counted = self._counted(membership)
        if counted:
            return binomial_numbers(counted[0], self.reports, counted[1], rule, project_to_simplex)
        found = merge(self.cells, membership)
        return normal_numbers(
            found.shares, found.variances(), self.reports, rule, project_to_simplex
        )

    def warnings(self, names: Sequence[str], membership: Floats) -> tuple[str, ...]:
        """A sentence for each group of cells further outside 0 to 1 than chance explains.

        Args:
            names: of the groups.
            membership: as numbers takes it.
        """
        counted = self._counted(membership)
        if counted:
            return share_warnings(names, counted[0], self.reports, counted[1])
        found = merge(self.cells, membership)
        return normal_warnings(names, found.shares, found.variances()[0], self.reports)

    def _counted(self, membership: Floats) -> tuple[list[int], Channel] | None:
        """How many reports support each group, where these are binomial counts."""
        merged = int(membership[:, 0].sum())
        if not self.is_binomial(merged) or not self.joint:
            return None
        mechanism, support = self.joint
        summed: list[int] = np.rint(np.array(support) @ membership).astype(int).tolist()
        return summed, merged_channel(mechanism, merged)

    def interval(self, merged: int, rule: IntervalRule) -> str:
        """The interval method of groups with this number of cells."""
        return rule.interval.value if self.is_binomial(merged) else NORMAL

    def is_binomial(self, merged: int) -> bool:
        """Whether the support of a group with this number of cells is a binomial count."""
        return self.joint is not None and (merged == 1 or self.joint[0].size == 1)

    def if_shares_were(self, membership: Floats, shares: Floats) -> Floats:
        """The covariances of groups of cells, were their shares these.

        Where the reports are no joint answers they are those at the shares
        that were found. Under subset selection the covariances of sums depend
        on the sums alone, so that each cell of a group may have an equal part.
        """
        if not self.joint:
            return merge(self.cells, membership).covariances
        spread = membership @ (shares / membership.sum(axis=0))
        found = linear_shares(spread, self.joint[0], self.reports)
        return merge(found, membership).covariances


def merged_channel(mechanism: Subset, merged: int) -> Channel:
    """What a report says of a group of cells, of which it can support one.

    Source: a group of m cells under k-ary randomized response is supported
    with probability p + (m - 1) q if it contains the answer, else m q.
    """
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    return Channel(keep + (merged - 1) * flip, merged * flip)


def joint_basis(mechanism: Subset, counts: BlockCounts) -> Basis:
    """The cells of a block.

    Raises:
        InvalidCounts: there is no report.
    """
    support = tuple(counts.of(range(mechanism.domain_size)))
    return Basis(block_shares(mechanism, counts), counts.report_count, (mechanism, support))


def separate_basis(
    mechanisms: Sequence[Subset], memberships: Sequence[Floats], together: JointCounts
) -> Basis:
    """The cells of two questions that were randomized apart.

    Each report of a block is turned into a score for every option, whose
    expectation is 1 for the answer and 0 for others; the products of the
    scores of both blocks are then scores of the cells. With size 1 that is
    the inverse of the Kronecker product of both channels.

    Args:
        mechanisms: of both blocks.
        memberships: of each, (answers, options) 1 where an answer of the block
            holds an option of its question.
        together: their values.
    Source: Chaudhuri and Mukerjee 1988; van den Hout and van der Heijden
        2002; the scores of sets are those of S. Wang et al. 2016.
    """
    first, second = (
        option_scores(mechanism, values) @ membership
        for mechanism, values, membership in zip(
            mechanisms, together.values, memberships, strict=True
        )
    )
    size = first.shape[1] * second.shape[1]
    sums, squares = np.zeros(size), np.zeros((size, size))
    rows = max(1, _CHUNK_CELLS // size)
    for start in range(0, len(together.counts), rows):
        places = together.places[start : start + rows]
        counts = together.counts[start : start + rows].astype(np.float64)
        products = first[places[:, 0], :, None] * second[places[:, 1], None, :]
        scores = products.reshape(len(places), size)
        sums += counts @ scores
        squares += (scores * counts[:, None]).T @ scores
    n = together.report_count
    shares = sums / n
    total = (squares / n - np.outer(shares, shares)) / n
    drawn = (np.diag(shares) - np.outer(shares, shares)) / n
    return Basis(LinearShares(shares, total - drawn, 1 / n), n)


def option_scores(mechanism: Subset, values: Integers) -> Floats:
    """Unbiased scores of every answer, for each of some values of a block.

    Args:
        mechanism: the block's.
        values: (values,) indices or (values, size) sets.
    """
    support = np.zeros((len(values), mechanism.domain_size))
    np.put_along_axis(support, values.reshape(len(values), mechanism.size), 1.0, axis=1)
    flip = float(mechanism.flip)
    return (support - flip) / (float(mechanism.keep) - flip)
