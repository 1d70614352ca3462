"""The covariances of debiased shares under subset selection: for sums, differences and means."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable_analysis.arguments import read_floats, read_report_count
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.channel import check_subset
from deniable_sdk.mechanisms import Subset


def covariance_matrix(shares: ArrayLike, report_count: int, mechanism: Subset) -> Floats:
    """The covariances of the estimated shares of one question.

    The variance of a weighted sum of shares is weights @ matrix @ weights.
    Rows sum to 0, because the shares always sum to 1.

    Args:
        shares: (options,) true shares, or raw estimated ones; they sum to 1.
        report_count: n, at least 1.
        mechanism: the block's subset selection.
    Returns:
        (options, options) matrix, with the total variances on its diagonal.
    Raises:
        InvalidArgument: there is no report, or not one share for each option; the mechanism is not
            subset selection.
    """
    check_subset(mechanism)
    reports = read_report_count(report_count, "a covariance")
    vector = read_floats(shares, "shares")
    if vector.shape != (mechanism.domain_size,):
        raise InvalidArgument(
            f"got shares of shape {vector.shape}; allowed are {mechanism.domain_size} shares, "
            "one for each option"
        )
    return group_covariances(vector, np.ones(len(vector)), reports, mechanism)


def group_covariances(
    shares: Floats, sizes: Floats, report_count: int, mechanism: Subset
) -> Floats:
    """The covariances of the estimated shares of groups of options that have none in common.

    They depend on the options of a group only by their number. Arguments are those of
    covariance_matrix, and `sizes`, the (groups,) numbers of options in the groups.
    """
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    rates = flip * sizes + shares * (keep - flip)
    holding, missing = (float(both) for both in both_supported(mechanism))
    # The pairs of options of two groups, and the probability that the answer is in a pair.
    pairs, either = np.outer(sizes, sizes), np.outer(sizes, shares)
    either += either.T
    np.fill_diagonal(pairs, sizes * (sizes - 1))
    np.fill_diagonal(either, 2 * (sizes - 1) * shares)
    matrix: NDArray[Any] = either * holding + (pairs - either) * missing - np.outer(rates, rates)
    matrix[np.diag_indices(len(rates))] += rates
    return np.asarray(matrix / (report_count * (keep - flip) ** 2))


def both_supported(mechanism: Subset) -> tuple[Fraction, Fraction]:
    """The probability that one report supports two given options at once.

    Returns:
        r1, the probability if the answer is one of the two, and r0, the
        probability if it is not (0 if there are only two options).
    Source: Ye and Barg 2018; enumerated in the tests.
    """
    k, d, p = mechanism.domain_size, mechanism.size, mechanism.keep
    holding = p * (d - 1) / (k - 1)
    if k == 2:
        return holding, Fraction(0)
    missing = (p * (d - 1) * (d - 2) + (1 - p) * d * (d - 1)) / ((k - 1) * (k - 2))
    return holding, missing
