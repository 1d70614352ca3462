"""Chi-squared statistics of two questions' association."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincc

from deniable_analysis.arrays import Floats

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
