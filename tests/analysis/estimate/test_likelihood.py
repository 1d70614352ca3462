"""The distribution of the answers from the outputs of numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.enumerated import estimates, expected_counts, number, with_mechanism
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.outputs import likeliest_of_all, likeliest_shares, output_shares
from deniable_sdk import theory
from deniable_sdk.mechanisms import OneOf, Piecewise
from deniable_sdk.weights import Weights
from mechanism_grid import name, piecewises

WAVES = [
    *piecewises(5, [Weights(3, 1)]),
    Piecewise(OneOf(9, offers_no_answer=True), 8, 8, Weights(5, 2)),
]


def matrix(mechanism: Piecewise) -> NDArray[np.float64]:
    """The channel as a matrix of outputs by answers."""
    return np.array(list(theory.channel(mechanism).values()), dtype=np.float64)


def dense(
    counts: NDArray[np.float64], mechanism: Piecewise, iterations: int
) -> NDArray[np.float64]:
    """Expectation maximization as the textbook has it."""
    channel = matrix(mechanism)
    shares = np.full(channel.shape[1], 1 / channel.shape[1])
    for _ in range(iterations):
        shares = shares * (channel.T @ (counts / counts.sum() / (channel @ shares)))
        shares /= shares.sum()
    return shares


@pytest.mark.parametrize("mechanism", WAVES, ids=name)
def test_sums_of_windows_are_the_channel(mechanism: Piecewise) -> None:
    """Output shares are the channel's matrix times the shares of the answers."""
    shares = np.arange(1.0, mechanism.domain.size + 1)
    shares /= shares.sum()
    assert output_shares(shares, mechanism) == pytest.approx(matrix(mechanism) @ shares, rel=1e-12)


@pytest.mark.parametrize("mechanism", WAVES, ids=name)
def test_steps_are_those_of_the_textbook(mechanism: Piecewise) -> None:
    """Twenty fast steps give what twenty steps with the whole matrix give."""
    counts = np.array([7.0 + (output * 5) % 11 for output in range(mechanism.outputs)])
    found = likeliest_shares(counts, mechanism, 20)
    assert found == pytest.approx(dense(counts, mechanism, 20), abs=1e-12)
    assert math.isclose(found.sum(), 1)
    assert found.min() >= 0


def test_reports_of_several_designs_are_explained_together() -> None:
    """Each mechanism has its own matrix for the same answers, one of them with rounding."""
    designs = [Piecewise(OneOf(9), 8, 3, Weights(20, 1)), Piecewise(OneOf(9), 3, 2, Weights(3, 1))]
    truth = np.array([0.3, 0, 0.1, 0, 0.2, 0, 0, 0, 0.4])
    reported = [(1000 * output_shares(truth, each), each) for each in designs]
    assert likeliest_of_all(reported, 10**5) == pytest.approx(truth, abs=0.01)
    stacked, matrices = np.concatenate([counts for counts, _ in reported]), map(matrix, designs)
    channel, shares = np.concatenate(list(matrices)), np.full(9, 1 / 9)
    for _ in range(20):
        shares = shares * (channel.T @ (stacked / 2000 / (channel @ shares)))
    assert likeliest_of_all(reported, 20) == pytest.approx(shares, abs=1e-12)


def test_more_steps_are_never_less_likely() -> None:
    """The likelihood of the reports grows from step to step."""
    mechanism = Piecewise(OneOf(12, offers_no_answer=True), 11, 7, Weights(3, 1))
    counts = np.array([3.0 + (output * 7) % 13 for output in range(mechanism.outputs)])
    likelihoods = [
        float(
            counts @ np.log(output_shares(likeliest_shares(counts, mechanism, steps), mechanism))
        )
        for steps in (0, 1, 2, 5, 20, 100, 300)
    ]
    assert likelihoods == sorted(likelihoods)
    assert likelihoods[-1] > likelihoods[0] + 1


def test_expected_counts_give_the_true_distribution() -> None:
    """From the expected counts of a distribution it is found again, without no answer."""
    mechanism = Piecewise(OneOf(5, offers_no_answer=True), 4, 3, Weights(20, 1))
    published = with_mechanism(mechanism, number())
    truths = [Fraction(part, 32) for part in (1, 4, 12, 4, 3, 8)]
    _, counts = expected_counts(mechanism, dict(enumerate(truths)))
    (question,) = estimates(published, counts).questions
    assert question.distribution
    assert question.distribution.names == ("1", "1.5", "2", "2.5", "3")
    assert question.distribution.shares == pytest.approx(
        [float(truth / (1 - truths[-1])) for truth in truths[:-1]], abs=0.002
    )
    assert question.options[0].share == pytest.approx(0.25)


def test_a_standstill_ends_the_steps() -> None:
    """Equal counts of a channel without neighbours are already the likeliest."""
    mechanism = Piecewise(OneOf(4), 3, 1, Weights(3, 1))
    assert likeliest_shares([5, 5, 5, 5], mechanism, 10**9) == pytest.approx([0.25] * 4)


@pytest.mark.parametrize("counts", [[1, 2], [0, 0, 0, 0]])
def test_counts_that_are_none_are_refused(counts: list[int]) -> None:
    """Too few counts, and counts of no report, say what is allowed."""
    mechanism = Piecewise(OneOf(4), 3, 1, Weights(3, 1))
    with pytest.raises(
        InvalidArgument, match=r"summing to \d; allowed are 4 counts, one for each"
    ):
        likeliest_shares(counts, mechanism)
