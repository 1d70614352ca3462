"""Tests of independence with the nominal level, for joint and separate randomization."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import gammaincc

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.relations.cells import SEPARATE, Cells, cells_of, option_scores
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.answers import answers_of
from deniable_analysis.results.crosstab import Departure, IndependenceTest
from deniable_sdk.mechanisms import Subset
from deniable_sdk.wording import counted

# Directions whose variance is below this part of the largest count as constant.
_NO_VARIANCE = 1e-10


@dataclass(frozen=True, slots=True)
class ChiSquared:
    """A statistic with a chi-squared distribution if there is no association."""

    statistic: float
    degrees_of_freedom: int

    @property
    def p_value(self) -> float:
        """The p-value of the statistic."""
        return float(gammaincc(self.degrees_of_freedom / 2, self.statistic / 2))


def wald(values: Floats, covariances: Floats) -> ChiSquared:
    """The Wald test of the hypothesis that all values are 0.

    Directions without variance do not count as degrees of freedom.
    """
    inverse, rank = _inverse(covariances)
    return ChiSquared(max(0.0, float(values @ inverse @ values)), rank)


def pearson(first: Floats, second: Floats, weights: Floats) -> ChiSquared:
    """The test of the hypothesis that the scores of two questions are uncorrelated.

    If the scores are indicators of the reported options, this is Pearson's
    chi-squared of the reported table. If a report is a set, the scores are
    indicators of the options that it contains, because tables of sets are too
    sparse for Pearson's test. Two reports that were randomized independently
    are independent if the answers are.

    Args:
        first: (tuples, options) scores of one question.
        second: (tuples, options) of the other.
        weights: (tuples,) number of reports with each tuple.
    Source: Pearson 1900; Gaboardi and Rogers 2018 (ICML) for its validity with
        randomized reports.
    """
    total = float(weights.sum())
    parts = weights / total
    centred = [scores - parts @ scores for scores in (first, second)]
    left, right = ((scores * parts[:, None]).T @ scores for scores in centred)
    crossed = (centred[0] * parts[:, None]).T @ centred[1]
    (left_inverse, left_rank), (right_inverse, right_rank) = _inverse(left), _inverse(right)
    statistic = total * float(np.sum((left_inverse @ crossed @ right_inverse) * crossed))
    return ChiSquared(max(0.0, statistic), left_rank * right_rank)


def _inverse(covariances: Floats) -> tuple[Floats, int]:
    """The inverse in the directions that vary, and the number of these directions."""
    values, vectors = np.linalg.eigh((covariances + covariances.T) / 2)
    varies = values > _NO_VARIANCE * max(float(values.max(initial=0.0)), 1e-300)
    kept = vectors[:, varies]
    return (kept / values[varies]) @ kept.T, int(varies.sum())


# The covariances of more cells fill the memory, and nobody reads so many cells.
_MOST_CELLS = 1000


def independence(study: ReportedSurvey, first: str, second: str) -> IndependenceTest:
    """The test of the hypothesis that the answers of those who answered both are independent.

    Errors are those of Study.independence.
    """
    cells = cells_of(study, first, second)
    height, width = (len(answers_of(question)) for question in cells.questions)
    sizes = cells.membership.sum(axis=0).reshape(cells.shape)
    if not sizes[:height, :width].all():
        raise NotIdentified(
            f"an answer to one of {first!r} and {second!r} decides who is asked the other, so "
            "they are never independent; look at the shares among those who were asked"
        )
    is_plain = all(len(block.questions) == 1 for block in cells.blocks) and not any(
        question.offers_no_answer for question in cells.questions
    )
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
        epsilon=cells.epsilon,
        statistic=found.statistic,
        degrees_of_freedom=found.degrees_of_freedom,
        p_value=found.p_value,
        departures=_departures(cells),
    )


def _of_reports(study: ReportedSurvey, cells: Cells) -> ChiSquared:
    together = study.joint_counts(cells.blocks)
    scores = [
        option_scores(block.mechanism, values)[indexes]
        for block, values, indexes in zip(
            cells.blocks, together.values, together.indexes.T, strict=True
        )
        if isinstance(block.mechanism, Subset)
    ]
    return pearson(scores[0], scores[1], together.counts.astype(np.float64))


def wald_independence(cells: Cells) -> ChiSquared:
    """The Wald test of the hypothesis that the answers of those who answered both are independent.

    The covariances are those of independent answers with these margins. With
    the covariances at the estimated cells, the test rejects too often in small
    surveys.

    Source: the delta method for F s - r c', with the sum s of the cells F; it is in effect a
        score test.
    """
    apart, slopes, covariances, _ = _apart(cells)
    height, width = apart.shape
    # The last row and column are determined by the others.
    free = slopes.reshape(height, width, -1)[:-1, :-1].reshape(-1, slopes.shape[1])
    return wald(apart[:-1, :-1].ravel(), free @ covariances @ free.T)


def _departures(cells: Cells) -> tuple[Departure, ...]:
    """The differences of the cells from the products of their margins; empty for huge tables."""
    rows, columns = cells.questions
    if len(rows.names) * len(columns.names) > _MOST_CELLS:
        return ()
    apart, slopes, covariances, answered = _apart(cells)
    scale = answered**2 or 1.0
    errors = np.sqrt(np.maximum(0.0, np.sum(slopes @ covariances * slopes, axis=1))) / scale
    pairs = product(answers_of(rows), answers_of(columns))
    return tuple(
        Departure(options=pair, difference=difference, standard_error=error)
        for pair, difference, error in zip(
            pairs, (apart.ravel() / scale).tolist(), errors.tolist(), strict=True
        )
    )


def _apart(cells: Cells) -> tuple[Floats, Floats, Floats, float]:
    """F s - r c' of those who answered both, its derivatives by all cells, and their covariances.

    F are their cells with the sum s, which is last, and the margins r and c. The covariances are
    those under independence.
    """
    height, width = (len(answers_of(question)) for question in cells.questions)
    whole = cells.table()
    table = whole[:height, :width]
    rows, columns, answered = table.sum(axis=1), table.sum(axis=0), float(table.sum())
    products = np.outer(rows, columns)
    tested = whole.copy()
    tested[:height, :width] = products / answered if answered else 0.0
    covariances = cells.basis.shares_if(cells.membership, tested.ravel()).covariances
    slopes = np.zeros((height * width, *whole.shape))
    slopes[:, :height, :width] = _slopes(table).reshape(-1, height, width)
    apart = table * answered - products
    return apart, slopes.reshape(height * width, -1), covariances, answered


def _slopes(table: Floats) -> Floats:
    """The derivatives of F s - r c' by F."""
    (height, width), size = table.shape, table.size
    of_sum = table.sum() * np.eye(size) + np.outer(table.ravel(), np.ones(size))
    of_columns = np.kron(np.eye(height), np.outer(table.sum(axis=0), np.ones(width)))
    of_rows = np.kron(np.outer(table.sum(axis=1), np.ones(height)), np.eye(width))
    return np.asarray(of_sum - of_columns - of_rows)
