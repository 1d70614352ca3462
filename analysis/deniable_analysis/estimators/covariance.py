"""The covariances of the estimated shares of one question.

Needed for every difference, sum or mean of shares of the same question.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable_analysis.arguments import read_floats, read_report_count
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidCounts
from deniable_analysis.estimators.channel import check_subset
from deniable_sdk.mechanisms import Subset


def covariance_matrix(shares: ArrayLike, report_count: int, mechanism: Subset) -> Floats:
    """The covariances of the estimated shares of one question.

    The variance of a weighted sum of shares is weights @ matrix @ weights.
    Rows sum to 0, as the shares always sum to 1.

    Args:
        shares: (options,) true shares, or raw estimated ones; they sum to 1.
        report_count: n, at least 1.
        mechanism: the block's subset selection.
    Returns:
        (options, options) matrix, with the total variances on its diagonal.
    Raises:
        InvalidCounts: there is no report, or not one share for each option.
        InvalidChannel: the mechanism is not subset selection.
    """
    check_subset(mechanism)
    reports = read_report_count(report_count, "a covariance")
    vector = read_floats(shares, "shares")
    if vector.shape != (mechanism.domain_size,):
        raise InvalidCounts(
            f"got shares of shape {vector.shape}; allowed are {mechanism.domain_size} shares, "
            "one for each option"
        )
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    rates = flip + vector * (keep - flip)
    holding, missing = (float(both) for both in both_supported(mechanism))
    either = vector[:, None] + vector[None, :]
    matrix: NDArray[Any] = either * holding + (1 - either) * missing - np.outer(rates, rates)
    np.fill_diagonal(matrix, rates * (1 - rates))
    return np.asarray(matrix / (reports * (keep - flip) ** 2))


def both_supported(mechanism: Subset) -> tuple[Fraction, Fraction]:
    """How likely one report supports two given options at once.

    Returns:
        r1, if the answer is one of the two, and r0, if it is another one (0
        where there is no other one).
    Source: Ye and Barg 2018; enumerated in the tests.
    """
    k, d, p = mechanism.domain_size, mechanism.size, mechanism.keep
    holding = p * (d - 1) / (k - 1)
    if k == 2:
        return holding, Fraction(0)
    missing = (p * (d - 1) * (d - 2) + (1 - p) * d * (d - 1)) / ((k - 1) * (k - 2))
    return holding, missing
