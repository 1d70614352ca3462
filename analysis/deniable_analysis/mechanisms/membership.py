"""Which cells of a block contain an answer: groups of cells as matrices of 0 and 1."""

from collections.abc import Iterable, Sequence

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.questions import Question


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
