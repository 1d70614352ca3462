"""The cells of two questions of a study, randomized jointly or separately."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotAskedTogether, NotIdentified
from deniable_analysis.mechanisms.basis import (
    Basis,
    JointBasis,
    block_membership,
    joint_mechanism,
    membership_of,
)
from deniable_analysis.mechanisms.separate import separate_basis
from deniable_analysis.relations.questions import find_question, subset_blocks
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.questions import Question

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
    rows, columns = (block_membership(block, question) for question in questions)
    membership = (rows[:, :, None] * columns[:, None, :]).reshape(len(rows), -1)
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
