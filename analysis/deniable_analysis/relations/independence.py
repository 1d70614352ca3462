"""Tests of independence that hold their level for both ways of asking."""

import numpy as np

from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimators.association import ChiSquared, pearson, wald
from deniable_analysis.mechanisms.linear import Floats
from deniable_analysis.relations.basis import option_scores
from deniable_analysis.relations.cells import SEPARATE, Cells, cells_of
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.independence import IndependenceTest
from deniable_analysis.words import counted
from deniable_sdk.mechanisms import Subset


def independence(study: ReportedSurvey, first: str, second: str) -> IndependenceTest:
    """Whether the answers to two questions are independent.

    Raises:
        QuestionNotFound: the survey does not have one of them.
        NotIdentified: they are one question, one is not randomized by subset
            selection, or the reports do not vary enough for a test.
        NotAskedTogether: nobody was asked both.
    """
    cells = cells_of(study, first, second)
    is_plain = all(len(block.questions) == 1 for block in cells.blocks)
    if cells.design == SEPARATE and is_plain:
        method, found = "pearson", _of_reports(study, cells)
    else:
        method, found = "wald", wald_independence(cells)
    if not found.degrees_of_freedom:
        raise NotIdentified(
            f"got {counted(cells.basis.reports, 'report')} on {first!r} and {second!r}, with too "
            "little variation for a test of independence: wait for more, or merge options"
        )
    return IndependenceTest(
        questions=(first, second),
        design=cells.design,
        method=method,
        reports=cells.basis.reports,
        statistic=found.statistic,
        degrees_of_freedom=found.degrees_of_freedom,
        p_value=found.p_value,
    )


def _of_reports(study: ReportedSurvey, cells: Cells) -> ChiSquared:
    together = study.together(cells.blocks)
    scores = [
        option_scores(block.mechanism, values)[places]
        for block, values, places in zip(
            cells.blocks, together.values, together.places.T, strict=True
        )
        if isinstance(block.mechanism, Subset)
    ]
    return pearson(scores[0], scores[1], together.counts.astype(np.float64))


def wald_independence(cells: Cells) -> ChiSquared:
    """Whether the cells are the products of their margins.

    The covariances are those that independent answers with these margins
    would have: with those at the estimated cells it rejects too often in
    small surveys.

    Source: the delta method for F - r c'; a score test in all but name.
    """
    table = cells.table()
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    products = np.outer(rows, columns)
    slopes = _slopes(rows, columns)
    covariances = cells.basis.if_shares_were(cells.membership, products.ravel())
    apart = (table - products)[:-1, :-1].ravel()
    return wald(apart, slopes @ covariances @ slopes.T)


def _slopes(rows: Floats, columns: Floats) -> Floats:
    """How each of F - r c', without its last row and column, moves with F."""
    height, width = len(rows), len(columns)
    slopes = np.einsum("ia,jb->ijab", np.eye(height), np.eye(width))
    slopes = slopes - np.einsum("ia,j,b->ijab", np.eye(height), columns, np.ones(width))
    slopes = slopes - np.einsum("i,a,jb->ijab", rows, np.ones(height), np.eye(width))
    return np.asarray(slopes[:-1, :-1].reshape(-1, height * width))
