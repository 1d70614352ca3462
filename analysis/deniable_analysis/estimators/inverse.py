"""Unbiased shares from the outputs of any channel, by its inverse."""

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidCounts, NotIdentified

# Beyond this the inverse turns rounding into answers.
_WORST_CONDITION = 1e12


def inverted_shares(counts: ArrayLike, channel: ArrayLike) -> tuple[Floats, Floats]:
    """The shares of all answers, and their total covariances.

    Where there are more outputs than answers there are many inverses; this
    one is best where all answers are equally common. It depends on the
    channel alone, so that the shares are unbiased.

    Args:
        counts: (outputs,) reports with each output, at least one.
        channel: (outputs, answers) the probability of each output under each
            answer.
    Returns:
        (answers,) raw shares and (answers, answers) covariances.
    Raises:
        InvalidCounts: there is no report.
        NotIdentified: two mixtures of answers give the same outputs.
    Source: weighted least squares, Aitken 1936.
    """
    observed, matrix = np.asarray(counts, np.float64), np.asarray(channel, np.float64)
    reports = float(observed.sum())
    if not reports > 0:
        raise InvalidCounts("got 0 reports; shares of answers need at least 1")
    scaled = matrix.T / matrix.mean(axis=1)
    information = scaled @ matrix
    if np.linalg.cond(information) > _WORST_CONDITION:
        raise NotIdentified(
            "the reports cannot tell the answers apart: some mixtures of answers give the same "
            "reports; ask with fewer levels"
        )
    inverse = np.linalg.solve(information, scaled)
    rates = observed / reports
    covariances = (inverse * rates) @ inverse.T
    shares = inverse @ rates
    return shares, (covariances - np.outer(shares, shares)) / reports
