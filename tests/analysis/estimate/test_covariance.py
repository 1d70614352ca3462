"""Covariances of shares, against the enumerated channel."""

from fractions import Fraction

import numpy as np
import pytest

from analysis.channels import every_subset, outputs, uneven_shares
from analysis.known.numbers import INTEGER_WEIGHTS, KnownNumber, known
from deniable_analysis import Channel
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate import covariance_matrix
from deniable_analysis.estimate.channel import total_variance
from deniable_analysis.estimate.covariance import both_supported
from deniable_analysis.planning import plan_mechanism
from deniable_sdk.mechanisms import Subset


@pytest.mark.parametrize("mechanism", every_subset())
def test_both_supported_is_enumerated(mechanism: Subset) -> None:
    """How often a report supports two options is what the channel gives, exactly."""
    holding, missing = both_supported(mechanism)
    pairs = [row for supported, row in outputs(mechanism) if {0, 1} <= supported]
    assert sum(row[0] for row in pairs) == holding == sum(row[1] for row in pairs)
    for answer in range(2, mechanism.domain_size):
        assert sum(row[answer] for row in pairs) == missing


@pytest.mark.parametrize("mechanism", every_subset())
def test_covariances_fit_the_sum_of_shares(mechanism: Subset) -> None:
    """The shares sum to exactly 1, so every row of the matrix sums to 0."""
    shares = [float(share) for share in uneven_shares(mechanism.domain_size)]
    matrix = covariance_matrix(shares, 9, mechanism)
    scale = np.abs(matrix).max()
    assert np.abs(matrix.sum(axis=0)).max() <= 1e-12 * scale
    variances = total_variance(shares, 9, Channel.of(mechanism).rounded())
    assert np.diag(matrix) == pytest.approx(variances, rel=1e-12)


@pytest.mark.parametrize("number", known("subset_selection_covariance_times_n"))
def test_known_covariance(number: KnownNumber) -> None:
    """The covariance of two of seven options is the independently computed one."""
    mechanism = plan_mechanism(number.epsilon, number.domain_size)
    assert mechanism.size == number.inputs["d"]
    matrix = covariance_matrix(number.inputs["f"], 1, mechanism)
    first, second = number.inputs["pair"]
    assert matrix[first, second] == pytest.approx(number.expected, rel=INTEGER_WEIGHTS)


@pytest.mark.parametrize(
    ("shares", "reports", "message"),
    [
        (
            [0.5, 0.5],
            0,
            r"^got 0 reports; a covariance needs at least 1, and",
        ),
        ([0.2, 0.3, 0.5], 10, r"^got shares of shape \(3,\); allowed are 2 shares, one for each"),
    ],
)
def test_covariances_need_reports_and_every_share(
    shares: list[float], reports: int, message: str
) -> None:
    """Without reports, or with another number of shares, the message says what is allowed."""
    mechanism = plan_mechanism(1, 2)
    with pytest.raises(InvalidArgument, match=message):
        covariance_matrix(shares, reports, mechanism)


def test_two_options_have_no_third_answer() -> None:
    """With two options nobody answers a third one, so that probability is 0."""
    assert both_supported(plan_mechanism(1, 2)) == (Fraction(0), Fraction(0))
