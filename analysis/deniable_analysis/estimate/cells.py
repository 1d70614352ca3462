"""Shares of cells and of groups of cells, for every question under subset selection.

A cell is an answer to a block, or a combination of the answers to two blocks.
Options of a question, cells of a crosstab and its margins are groups of cells,
defined by a membership matrix; the options of a question that is a block of its
own are the cells themselves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from deniable_analysis.arguments import read_report_count
from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import Interval
from deniable_analysis.errors import UnsupportedMechanism
from deniable_analysis.estimate.alarms import sum_warnings
from deniable_analysis.estimate.anytime_sets import Sets
from deniable_analysis.estimate.channel import merged_channel
from deniable_analysis.estimate.choice import IntervalRule
from deniable_analysis.estimate.covariance import group_covariances
from deniable_analysis.estimate.linear import (
    Contributions,
    LinearShares,
    anytime_cell_ends,
    block_contributions,
    block_shares,
    merge,
)
from deniable_analysis.estimate.noise import Noise
from deniable_analysis.estimate.tails import group_tails
from deniable_analysis.estimate.tallies import (
    NORMAL,
    Numbers,
    Tally,
    member_counts,
    tally_numbers,
    tally_warnings,
)
from deniable_analysis.results.valid import project_to_simplex
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


def membership_of(sizes: Sequence[int], index: int) -> Floats:
    """(cells, options) 1 where a cell contains an option of one of several questions.

    `sizes` are the numbers of options of all questions; the last varies fastest.
    """
    option = np.indices(sizes)[index].ravel()
    return np.asarray(option[:, None] == np.arange(sizes[index]), dtype=np.float64)


def block_membership(block: Block, question: Question) -> Floats:
    """(cells, options) 1 where a cell of a block contains an option of one of its questions."""
    options = len(question.names)
    if not block.cells:
        return np.eye(options)
    place, found = block.questions.index(question), np.zeros((len(block.cells), options))
    for row, cell in zip(found, block.cells, strict=True):
        # An answer to a multiple choice is a set of options.
        row[np.array(cell[place], dtype=np.intp)] = 1.0
    return found


def combined_membership(block: Block, questions: Iterable[Question]) -> Floats:
    """(cells, combinations) 1 where a cell has a combination of answers to some questions.

    The last of the questions varies fastest. No cell has a combination that cannot occur.
    """
    found = np.ones((block.mechanism.form.members, 1))
    for question in questions:
        options = block_membership(block, question)
        found = (found[:, :, None] * options[:, None, :]).reshape(len(found), -1)
    return found


def group_sizes(membership: Floats) -> set[int]:
    """How many cells the groups have that have any; `membership` is (cells, groups)."""
    return {int(size) for size in membership.sum(axis=0) if size}


class Basis:
    """Shares of cells; the share of a group of cells is their sum."""

    @property
    def cells(self) -> LinearShares:
        """The shares of all cells and their covariances; InvalidArgument without a report."""
        raise NotImplementedError

    @property
    def reports(self) -> int:
        """The number of reports that the shares are computed from."""
        raise NotImplementedError

    @property
    def contributions(self) -> Contributions:
        """The contributions of the reports to the shares of all cells."""
        raise NotImplementedError

    def of_population(self, population: int | None) -> Self:
        """The same shares for a sample of a finite population."""
        raise NotImplementedError

    def is_binomial(self, merged: int) -> bool:
        """Whether the support of a group of up to this many cells is a binomial count."""
        del merged  # never, if the answers were randomized separately
        return False

    @property
    def has_noise(self) -> bool:
        """Whether the counts have the noise of releases."""
        return False  # counts of separately randomized answers have none

    def counted(self, membership: Floats) -> tuple[Tally, ...] | None:
        """The tally of each group of cells; None if one is no binomial count, or has no cells.

        `membership` is (cells, groups) 1 where a group contains a cell.
        """
        del membership  # as in is_binomial
        return None

    def shares_if(self, membership: Floats, shares: Floats) -> LinearShares:
        """Groups of cells with these shares, and their covariances under this hypothesis.

        If the answers were randomized separately, they are the estimated shares
        with their covariances.
        """
        del shares  # see the docstring
        return merge(self.cells, membership)

    def tails(self, membership: Floats) -> Floats:
        """(2, groups) tail variances of the shares of groups, at 0 and at 1; see alarms."""
        raise NotImplementedError

    def interval(self, membership: Floats, rule: IntervalRule) -> str:
        """The interval method of groups of cells; `membership` is as in counted."""
        is_binomial = self.is_binomial(max(group_sizes(membership)))
        has_it = rule.interval is Interval.ANYTIME or is_binomial
        return rule.interval.value if has_it else NORMAL

    def numbers(self, membership: Floats, rule: IntervalRule) -> list[Numbers]:
        """The numbers of groups of cells; empty if there is no report.

        Args:
            membership: as in counted. The share of a group without cells is 0.
            rule: which intervals; those for one look are normal if the support
                of a group is not a binomial count.
        """
        if not self.reports:
            return [{}] * membership.shape[1]
        is_possible: list[bool] = (membership.sum(axis=0) > 0).tolist()
        found = iter(self._numbers(membership[:, is_possible], rule))
        never = {**_NEVER, "reports": self.reports}
        return [next(found) if each else never for each in is_possible]

    def _numbers(self, membership: Floats, rule: IntervalRule) -> list[Numbers]:
        tallies = self.counted(membership)
        if tallies:
            return tally_numbers(tallies, rule, project_to_simplex)
        merged, ends = merge(self.cells, membership), None
        if rule.interval is Interval.ANYTIME:
            ends = anytime_cell_ends(self.contributions, membership, rule)
        return merged.numbers(self.reports, rule, ends)

    def warnings(
        self, names: Sequence[str], membership: Floats, among: int | None = None
    ) -> tuple[str, ...]:
        """A sentence for each group of cells further outside 0 to 1 than chance explains.

        There is none for counts with noise.

        Args:
            names: names of the groups.
            membership: as in counted.
            among: number of all groups, if these are only some of them.
        """
        if not self.reports or self.has_noise:
            return ()
        is_possible: list[bool] = (membership.sum(axis=0) > 0).tolist()
        named = [name for name, each in zip(names, is_possible, strict=True) if each]
        membership = membership[:, is_possible]
        tallies = self.counted(membership)
        if not tallies:
            shares = merge(self.cells, membership).shares
            return sum_warnings(named, shares, self.tails(membership), among)
        return tally_warnings(named, tallies, among)


# The numbers of a group without cells: nobody can give such an answer.
_NEVER: Numbers = dict.fromkeys(
    (
        *("share", "low", "high", "valid_share", "manipulation_margin"),
        *("mechanism_variance", "sampling_variance"),
    ),
    0.0,
)


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

    @property
    def contributions(self) -> Contributions:
        counts, noise = self.members
        each, size = block_contributions(self.mechanism), self.mechanism.size
        sets = Sets(self.mechanism.domain_size, size, float(self.mechanism.keep))
        return Contributions(each, counts, size, noise is not None, sets if size > 1 else None)

    @cached_property
    def members(self) -> tuple[Floats, Noise | None]:
        """(cells,) how many reports contain each cell, and the noise of one of these numbers."""
        return member_counts(self.counts, self.mechanism.domain_size, self.mechanism.size)

    @property
    def has_noise(self) -> bool:
        return self.members[1] is not None

    def of_population(self, population: int | None) -> Self:
        return replace(self, population=population)

    def is_binomial(self, merged: int) -> bool:
        """False for larger sets and groups: a set can support a group more than once."""
        return merged == 1 or self.mechanism.size == 1

    def counted(self, membership: Floats) -> tuple[Tally, ...] | None:
        sizes = np.rint(membership.sum(axis=0)).astype(int).tolist()
        if 0 in sizes or not self.is_binomial(max(sizes)):
            return None
        counts, noise = self.members
        return tuple(
            Tally(
                support,
                self.reports,
                merged_channel(self.mechanism, size),
                noise and noise.of_sum(size),
            )
            for support, size in zip((counts @ membership).tolist(), sizes, strict=True)
        )

    def tails(self, membership: Floats) -> Floats:
        sizes = np.rint(membership.sum(axis=0)).astype(int).tolist()
        return np.array([group_tails(self.mechanism, size) for size in sizes]).T / self.reports

    def shares_if(self, membership: Floats, shares: Floats) -> LinearShares:
        """As in Basis.

        Under subset selection the covariances of sums depend on the sums alone. The groups
        have no cell in common.

        Raises:
            InvalidArgument: there is no report.
        """
        sizes = membership.sum(axis=0)
        reports = read_report_count(self.reports, "a covariance")
        covariances = group_covariances(shares, sizes, reports, self.mechanism)
        return LinearShares.of_total(shares, covariances, reports).of_population(self.population)


def joint_mechanism(block: Block) -> Subset:
    """The mechanism of a block whose answers are cells.

    Raises:
        UnsupportedMechanism: it is not subset selection.
    """
    if isinstance(block.mechanism, Subset):
        return block.mechanism
    raise UnsupportedMechanism(
        f"block {block.id!r} joins several questions and is randomized by "
        f"{block.mechanism.name!r}; this version debiases joint blocks by {Subset.name!r} only"
    )
