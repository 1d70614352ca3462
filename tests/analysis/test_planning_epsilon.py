"""The least epsilon for a margin."""

import math

import pytest

from analysis.known_numbers import KnownNumber, known
from deniable_analysis import (
    Infeasible,
    InvalidPlan,
    Share,
    epsilon_for_margin,
    plan_mechanism,
    respondents_for_margin,
)


@pytest.mark.parametrize("number", known("eps_needed_for_n_and_moe_f0.5"))
def test_known_epsilons(number: KnownNumber) -> None:
    """Epsilon for respondents and a margin is the known one, or known not to exist."""
    respondents, margin = number.inputs["n"], number.inputs["moe"]
    if number.expected is None:
        with pytest.raises(Infeasible, match=r"even without privacy it takes 1068"):
            epsilon_for_margin(respondents, margin)
        return
    found = epsilon_for_margin(respondents, margin)
    assert found == pytest.approx(number.expected, abs=number.tolerance)
    closed = 2 * math.atanh(1.959963984540054 / (2 * margin * math.sqrt(respondents)))
    assert 0 <= found - closed <= 1.001e-6


@pytest.mark.parametrize("share", [Share.WORST, Share.EQUAL, 0.1])
@pytest.mark.parametrize("options", [2, 3, 5, 12])
@pytest.mark.parametrize("simultaneous", [False, True])
def test_the_epsilon_is_enough_and_a_millionth_less_is_not(
    share: Share | float, options: int, simultaneous: bool
) -> None:
    """The epsilon found gives the margin and the next smaller one does not."""
    found = epsilon_for_margin(4000, 0.05, options=options, share=share, simultaneous=simultaneous)
    for epsilon, is_enough in ((found, True), (found - 1e-6, False)):
        needed = respondents_for_margin(
            plan_mechanism(f"{epsilon:.6f}", options), 0.05, share=share, simultaneous=simultaneous
        )
        assert (needed <= 4000) is is_enough


def test_the_smallest_epsilon_is_enough_for_a_wide_margin() -> None:
    """Where even the smallest epsilon gives the margin, it is the answer."""
    assert epsilon_for_margin(1_000_000, 0.5) == 0.01


def test_more_than_the_largest_epsilon_is_infeasible() -> None:
    """What would take more than the largest epsilon is refused, and the message says so."""
    with pytest.raises(Infeasible, match=r"it would take an epsilon above 10, the most a survey"):
        epsilon_for_margin(9604, 0.01)
    with pytest.raises(Infeasible, match=r"epsilon above 10"):
        epsilon_for_margin(10, 0.001, share=0.0)


def test_infeasible_even_without_privacy_counts_all_comparisons() -> None:
    """Equal shares of five options, all at once, take 425 respondents without privacy."""
    with pytest.raises(Infeasible, match=r"even without privacy it takes 425"):
        epsilon_for_margin(100, 0.05, options=5, share=Share.EQUAL, simultaneous=True)


def test_respondents_must_be_some() -> None:
    """No respondents is refused before anything is computed."""
    with pytest.raises(InvalidPlan, match=r"^respondents: got 0"):
        epsilon_for_margin(0, 0.05)
