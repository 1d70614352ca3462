"""The cells of two questions of a study, randomized jointly or separately."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotAskedTogether, NotIdentified
from deniable_analysis.estimate.cells import (
    Basis,
    JointBasis,
    block_membership,
    combined_membership,
    joint_mechanism,
    membership_of,
)
from deniable_analysis.estimate.linear import Contributions, LinearShares, block_contributions
from deniable_analysis.estimate.tails import pair_tails
from deniable_analysis.relations.questions import find_question, subset_blocks
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import Integers, JointCounts

JOINT, SEPARATE = "joint", "separate"


@dataclass(frozen=True, slots=True)
class Cells:
    """Two questions, and the shares of their combinations.

    Args:
        questions: question of the rows and question of the columns.
        blocks: block that joins both questions, or the two blocks that contain
            them.
        basis: shares that the cells are sums of.
        membership: (shares of the basis, cells) 1 where a cell contains a share
            of the basis; the second question varies fastest.
    """

    questions: tuple[Question, Question]
    blocks: tuple[Block, ...]
    basis: Basis
    membership: Floats

    @property
    def design(self) -> str:
        """Whether the answers were randomized jointly or separately."""
        return JOINT if len(self.blocks) == 1 else SEPARATE

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        rows, columns = self.questions
        return len(rows.names), len(columns.names)

    @property
    def epsilon(self) -> float:
        """The privacy loss of a report on these blocks."""
        return sum(block.epsilon for block in self.blocks)

    def table(self) -> Floats:
        """The (rows, columns) raw shares."""
        shares = self.basis.cells.shares @ self.membership
        return np.asarray(shares.reshape(self.shape))

    def covariances(self) -> Floats:
        """The (cells, cells) covariances of the raw shares."""
        return np.asarray(self.membership.T @ self.basis.cells.covariances @ self.membership)

    def of_population(self, population: int | None) -> Self:
        """The same cells for a sample of a finite population."""
        return replace(self, basis=self.basis.of_population(population))

    def margin(self, index: int) -> Floats:
        """The (shares of the basis, options) membership of one of the two questions."""
        return self.membership @ membership_of(self.shape, index)


def cells_of(study: ReportedSurvey, first_id: str, second_id: str) -> Cells:
    """The cells of two questions, from a joint block if one exists.

    Errors are those of Study.crosstab.
    """
    first, second = (find_question(study, name) for name in (first_id, second_id))
    if first == second:
        raise NotIdentified(
            f"got the question {first_id!r} twice; name two different ones to relate them"
        )
    blocks = subset_blocks(study, first)
    joint = [block for block in blocks if second in block.questions]
    if joint:
        block = min(joint, key=lambda each: len(each.questions))
        return _joint_cells(study, (first, second), block)
    return _separate_cells(study, (first, second), (blocks, subset_blocks(study, second)))


def _joint_cells(
    study: ReportedSurvey, questions: tuple[Question, Question], block: Block
) -> Cells:
    counts = study.count([block]).blocks[block.id]
    if not counts.report_count:
        raise NotIdentified(
            f"no report carries block {block.id!r} yet; wait for reports before relating "
            f"{questions[0].id!r} and {questions[1].id!r}"
        )
    membership = combined_membership(block, questions)
    return Cells(questions, (block,), JointBasis(joint_mechanism(block), counts), membership)


def _separate_cells(
    study: ReportedSurvey,
    questions: tuple[Question, Question],
    candidates: tuple[tuple[Block, ...], tuple[Block, ...]],
) -> Cells:
    blocks = tuple(min(each, key=lambda block: len(block.questions)) for each in candidates)
    asked, every = study.survey.asked, len(study.survey.blocks)
    together = study.joint_counts(blocks) if asked > 1 else None
    if not together or not together.report_count:
        first, second = (question.id for question in questions)
        if asked == every:
            raise NotIdentified(
                f"no report of {study.survey.slug}@{study.edition} carries questions {first!r} "
                f"and {second!r} yet; wait for reports before relating them"
            )
        raise NotAskedTogether(
            f"no respondent was asked both {first!r} and {second!r} so far: each is asked "
            f"{asked} of {every} blocks; declare crosstabs: [[{first}, {second}]] before "
            "publishing, or let ask be higher"
        )
    memberships = [
        block_membership(block, question)
        for block, question in zip(blocks, questions, strict=True)
    ]
    basis = separate_basis([joint_mechanism(block) for block in blocks], memberships, together)
    return Cells(questions, blocks, basis, np.eye(len(basis.cells.shares)))


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

    def tails(self, membership: Floats) -> Floats:
        """As in Basis, for groups of all combinations of some rows with some columns."""
        sizes = [each.sum(axis=0) for each in self.memberships]
        table = membership.reshape(*map(len, sizes), -1)
        cells = sizes[0] @ table.any(axis=1), sizes[1] @ table.any(axis=0)
        first, second = self.mechanisms
        found = [
            pair_tails((first, second), (rows, columns))
            for rows, columns in zip(*(each.astype(int).tolist() for each in cells), strict=True)
        ]
        return np.array(found).T / self.reports


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
    """The unbiased scores of every answer, for (values,) indices or (values, size) sets."""
    flip = float(mechanism.flip)
    return (support_of(mechanism, values) - flip) / (float(mechanism.keep) - flip)


def support_of(mechanism: Subset, values: Integers) -> Floats:
    """(values, answers) 1 where a value supports an answer; values as in option_scores."""
    support = np.zeros((len(values), mechanism.domain_size))
    np.put_along_axis(support, values.reshape(len(values), mechanism.size), 1.0, axis=1)
    return support
