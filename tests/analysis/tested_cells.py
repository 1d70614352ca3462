"""Tests of independence, of tables and blocks of which everything is chosen."""

import numpy as np
from numpy.typing import NDArray

from analysis.related import (
    MUST,
    reported_together,
    with_mechanisms,
)
from deniable_analysis.estimate.cells import JointBasis
from deniable_analysis.relations.cells import Cells, option_scores
from deniable_analysis.relations.independence import ChiSquared, pearson, wald_independence
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_storage.counts import BlockCounts
from sample_definitions import choice, survey


def pearson_of(table: NDArray[np.int64], *mechanisms: Subset) -> ChiSquared:
    """The test on a table of reports of single options."""
    together = reported_together(table)
    scores = [
        option_scores(mechanism, values)[places]
        for mechanism, values, places in zip(
            mechanisms, together.values, together.indexes.T, strict=True
        )
    ]
    return pearson(scores[0], scores[1], together.counts.astype(np.float64))


def joint(rows: int, columns: int, mechanism: Subset) -> Block:
    """A block of a yes/no-like question and another one."""
    published = survey(
        choice("row", rows, **MUST), choice("column", columns, **MUST),
        crosstabs=[["row", "column"]],
    )  # fmt: skip
    return with_mechanisms(published, mechanism).blocks[0]


def wald_of(block: Block, support: NDArray[np.int64], reports: int) -> ChiSquared:
    """The test of a joint block from its supporting reports."""
    mechanism = block.mechanism
    assert isinstance(mechanism, Subset)
    counts = BlockCounts(reports, dict(enumerate(support.tolist())))
    first, second = block.questions
    basis = JointBasis(mechanism, counts)
    cells = Cells((first, second), (block,), basis, np.eye(mechanism.domain_size))
    return wald_independence(cells)
