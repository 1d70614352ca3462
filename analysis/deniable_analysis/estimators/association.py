"""Chi-squared statistics of two questions' association."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc

from deniable_analysis.arrays import Floats

# Directions that vary less than this part of the largest do not vary.
_NO_VARIANCE = 1e-10


@dataclass(frozen=True, slots=True)
class ChiSquared:
    """A statistic that is chi-squared where there is no association."""

    statistic: float
    degrees_of_freedom: int

    @property
    def p_value(self) -> float:
        """The p-value."""
        return float(gammaincc(self.degrees_of_freedom / 2, self.statistic / 2))


def wald(values: Floats, covariances: Floats) -> ChiSquared:
    """Whether values of these covariances are all 0 but for chance.

    Directions without variance are left out of the degrees of freedom.
    """
    inverse, rank = _inverse(covariances)
    return ChiSquared(max(0.0, float(values @ inverse @ values)), rank)


def pearson(first: Floats, second: Floats, weights: Floats) -> ChiSquared:
    """Whether two kinds of scores of the same reports are uncorrelated.

    With indicators of the reported options it is Pearson's chi-squared of the
    reported table; with the options that reported sets hold it is the same
    for sets, whose tables are too sparse for Pearson's. Reports that were
    randomized apart are independent if the answers are.

    Args:
        first: (tuples, options) scores of one question.
        second: (tuples, options) of the other.
        weights: (tuples,) how many reports have each tuple.
    Source: Pearson 1900; Gaboardi and Rogers 2018 (ICML) for why it holds
        for randomized reports.
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
    """The inverse in the directions that vary, and how many these are."""
    values, vectors = np.linalg.eigh((covariances + covariances.T) / 2)
    varies = values > _NO_VARIANCE * max(float(values.max(initial=0.0)), 1e-300)
    kept = vectors[:, varies]
    return (kept / values[varies]) @ kept.T, int(varies.sum())
