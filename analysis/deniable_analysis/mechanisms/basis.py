"""Shares of cells and of groups of cells, for every question under subset selection.

A cell is an answer to a block, or a combination of the answers to two blocks.
Options of a question, cells of a crosstab and its margins are groups of cells,
defined by a membership matrix; the options of a question that is a block of its
own are the cells themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators import Channel, IntervalRule, project_to_simplex
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

# The largest number of products of scores in memory at a time.
_CHUNK_CELLS = 1 << 22


def membership_of(sizes: Sequence[int], index: int) -> Floats:
    """(cells, options) 1 where a cell contains an option of one of several questions.

    Args:
        sizes: the numbers of options of all questions; the last varies fastest.
        index: index of the question.
    """
    option = np.indices(sizes)[index].ravel()
    return np.asarray(option[:, None] == np.arange(sizes[index]), dtype=np.float64)


def merged_channel(mechanism: Subset, merged: int) -> Channel:
    """The channel of a group of cells, of which a report can support at most one.

    Source: a group of m cells under k-ary randomized response is supported
    with probability p + (m - 1) q if it contains the answer, else m q.
    """
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    return Channel(keep + (merged - 1) * flip, merged * flip)


class Basis:
    """Shares of cells; the share of a group of cells is their sum."""

    @property
    def cells(self) -> LinearShares:
        """The shares of all cells, with their covariances.

        Raises:
            InvalidCounts: there is no report.
        """
        raise NotImplementedError

    @property
    def reports(self) -> int:
        """The number of reports that the shares are computed from."""
        raise NotImplementedError

    def of_population(self, population: int | None) -> Self:
        """The same shares for a sample of a finite population."""
        raise NotImplementedError

    def is_binomial(self, merged: int) -> bool:
        """Whether the support of a group of this many cells is a binomial count."""
        del merged  # never, if the answers were randomized separately
        return False

    def counted(self, membership: Floats) -> tuple[list[int], Channel] | None:
        """The number of reports that support each group, and the channel of a group.

        Args:
            membership: (cells, groups) 1 where a group contains a cell; all
                groups have the same size.
        Returns:
            None if the support is not a binomial count.
        """
        del membership  # as in is_binomial
        return None

    def covariances_at(self, membership: Floats, shares: Floats) -> Floats:
        """The covariances of groups of cells under a hypothesis about their shares.

        If the answers were randomized separately, they are the covariances at
        the estimated shares.
        """
        del shares  # see the docstring
        return merge(self.cells, membership).covariances

    def interval(self, merged: int, rule: IntervalRule) -> str:
        """The interval method of groups with this number of cells."""
        return rule.interval.value if self.is_binomial(merged) else NORMAL

    def numbers(self, membership: Floats, rule: IntervalRule) -> list[Numbers]:
        """The numbers of groups of cells; empty if there is no report.

        Args:
            membership: as in counted.
            rule: which intervals; they are normal if the support of a group is
                not a binomial count.
        """
        if not self.reports:
            return [{}] * membership.shape[1]
        counted = self.counted(membership)
        if counted:
            support, channel = counted
            return binomial_numbers(support, self.reports, channel, rule, project_to_simplex)
        found = merge(self.cells, membership)
        return normal_numbers(
            found.shares, found.variances(), self.reports, rule, project_to_simplex
        )

    def warnings(self, names: Sequence[str], membership: Floats) -> tuple[str, ...]:
        """A sentence for each group of cells further outside 0 to 1 than chance explains.

        Args:
            names: names of the groups.
            membership: as in counted.
        """
        if not self.reports:
            return ()
        counted = self.counted(membership)
        if counted:
            support, channel = counted
            return share_warnings(names, support, self.reports, channel)
        found = merge(self.cells, membership)
        return normal_warnings(names, found.shares, found.variances()[0], self.reports)


@dataclass(frozen=True)
class JointBasis(Basis):
    """The answers to one block as cells.

    Args:
        mechanism: mechanism of the block.
        counts: counts of the block.
        population: number of people that the respondents are a sample of.
    """

    mechanism: Subset
    counts: BlockCounts
    population: int | None = None

    @cached_property
    def cells(self) -> LinearShares:  # computed once
        return block_shares(self.mechanism, self.counts).of_population(self.population)

    @property
    def reports(self) -> int:
        return self.counts.report_count

    def of_population(self, population: int | None) -> Self:
        return replace(self, population=population)

    def is_binomial(self, merged: int) -> bool:
        """False for larger sets and groups: a set can support a group more than once."""
        return merged == 1 or self.mechanism.size == 1

    def counted(self, membership: Floats) -> tuple[list[int], Channel] | None:
        merged = int(membership[:, 0].sum())
        if not self.is_binomial(merged):
            return None
        cells = np.array(self.counts.of(range(self.mechanism.domain_size)))
        support: list[int] = np.rint(cells @ membership).astype(int).tolist()
        return support, merged_channel(self.mechanism, merged)

    def covariances_at(self, membership: Floats, shares: Floats) -> Floats:
        """As in Basis.

        Under subset selection the covariances of sums depend on the sums alone,
        so every cell of a group can have an equal share.
        """
        spread = membership @ (shares / membership.sum(axis=0))
        return merge(linear_shares(spread, self.mechanism, self.reports), membership).covariances


@dataclass(frozen=True, slots=True)
class SeparateBasis(Basis):
    """Combinations of the answers to two blocks that were randomized separately."""

    # Without field() a dataclass would make the base's properties their defaults.
    cells: LinearShares = field()  # a field here
    reports: int = field()  # a field here

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
    return SeparateBasis(LinearShares.of_total(shares, total, n), n)


def option_scores(mechanism: Subset, values: Integers) -> Floats:
    """The unbiased scores of every answer, for some values of a block.

    Args:
        mechanism: mechanism of the block.
        values: (values,) indices or (values, size) sets.
    """
    support = np.zeros((len(values), mechanism.domain_size))
    np.put_along_axis(support, values.reshape(len(values), mechanism.size), 1.0, axis=1)
    flip = float(mechanism.flip)
    return (support - flip) / (float(mechanism.keep) - flip)
