"""The least epsilon for a margin."""

import math
from collections.abc import Callable

import pytest

from analysis.known.numbers import KnownNumber, known
from deniable_analysis.errors import Infeasible, InvalidArgument
from deniable_analysis.planning import (
    Alternative,
    Detection,
    Margin,
    MeanMargin,
    Order,
    Share,
    StandardError,
    TwoGroups,
    plan_mean,
    plan_mechanism,
)
from deniable_sdk.mechanisms import Subset
from deniable_sdk.mechanisms.base import Target


@pytest.mark.parametrize("number", known("eps_needed_for_n_and_moe_f0.5"))
def test_known_epsilons(number: KnownNumber) -> None:
    """Epsilon for respondents and a margin is the known one, or known not to exist."""
    respondents, margin = number.inputs["n"], number.inputs["moe"]
    if number.expected is None:
        with pytest.raises(Infeasible, match=r"even without privacy it takes 1068"):
            Margin(margin).epsilon(respondents)
        return
    found = Margin(margin).epsilon(respondents)
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
    found = Margin(0.05, share=share, simultaneous=simultaneous).epsilon(4000, options=options)
    for epsilon, is_enough in ((found, True), (found - 1e-6, False)):
        needed = Margin(0.05, share=share, simultaneous=simultaneous).respondents(
            plan_mechanism(f"{epsilon:.6f}", options)
        )
        assert (needed <= 4000) is is_enough


def test_the_smallest_epsilon_is_enough_for_a_wide_margin() -> None:
    """Where even the smallest epsilon gives the margin, it is the answer."""
    assert Margin(0.5).epsilon(1_000_000) == 0.01


def test_more_than_the_largest_epsilon_is_infeasible() -> None:
    """What would take more than the largest epsilon is refused, and the message says so."""
    with pytest.raises(Infeasible, match=r"it would take an epsilon above 10, the most a survey"):
        Margin(0.01).epsilon(9604)
    with pytest.raises(Infeasible, match=r"epsilon above 10"):
        Margin(0.001, share=0.0).epsilon(10)


def test_infeasible_even_without_privacy_counts_all_comparisons() -> None:
    """Equal shares of five options, all at once, take 425 respondents without privacy."""
    with pytest.raises(Infeasible, match=r"even without privacy it takes 425"):
        Margin(0.05, share=Share.EQUAL, simultaneous=True).epsilon(100, options=5)


def test_respondents_must_be_some() -> None:
    """No respondents is refused before anything is computed."""
    with pytest.raises(InvalidArgument, match=r"^respondents: got 0"):
        Margin(0.05).epsilon(0)


ONE_SIDED = Alternative.ONE_SIDED


@pytest.mark.parametrize("options", [2, 5])
def test_epsilon_for_every_goal_is_enough_and_a_millionth_less_is_not(options: int) -> None:
    """Standard errors, tests and orders, too, take just the epsilon that is found."""

    def mechanism(epsilon: str) -> Subset:
        return plan_mechanism(epsilon, options)

    pair = (0.55, 0.45)  # together 1, as two options must be
    found: list[float] = [
        StandardError(0.02, share=0.1).epsilon(3000, options=options),
        Detection(0.2, 0.1, alternative=ONE_SIDED).epsilon(3000, options=options),
        TwoGroups(0.2, 0.3, power=0.9).epsilon(3000, options=options),
        Order(*pair, probability=0.99).epsilon(3000, options=options),
    ]
    takes: list[Callable[[str], int]] = [
        lambda text: StandardError(0.02, 0.1).respondents(mechanism(text)),
        lambda text: Detection(0.2, 0.1, alternative=ONE_SIDED).respondents(mechanism(text)),
        lambda text: TwoGroups(0.2, 0.3, power=0.9).respondents(mechanism(text)),
        lambda text: Order(*pair, probability=0.99).respondents(mechanism(text)),
    ]
    for epsilon, needed in zip(found, takes, strict=True):
        assert needed(f"{epsilon:.6f}") <= 3000 < needed(f"{epsilon - 1e-6:.6f}")


@pytest.mark.parametrize("target", Target)
def test_epsilon_for_a_mean_is_enough(target: Target) -> None:
    """A mean takes just the epsilon that is found, whatever the number is published for."""
    bounds = {"low": 0, "high": 30}
    found = MeanMargin(1.5, low=0, high=30).epsilon(2000, places=31, target=target)
    needed = [
        MeanMargin(1.5, **bounds).respondents(plan_mean(f"{epsilon:.6f}", 31, target=target))
        for epsilon in (found, found - 1e-6)
    ]
    assert needed[0] <= 2000 < needed[1]


def test_infeasible_goals_say_what_they_would_take() -> None:
    """What no epsilon gives is refused with what it takes, and with what is wanted."""
    with pytest.raises(Infeasible, match=r"^a standard error of 0\.01 .* privacy it takes 2500;"):
        StandardError(0.01).epsilon(100)
    with pytest.raises(Infeasible, match=r"^distinguishing 0\.2 from 0\.1 with power 0\.8 is"):
        Detection(0.2, 0.1).epsilon(10)
    with pytest.raises(Infeasible, match=r"^distinguishing groups of 0\.2 and 0\.1 .* takes 200"):
        TwoGroups(0.2, 0.1).epsilon(10)
    with pytest.raises(Infeasible, match=r"^the order of 0\.6 and 0\.4 is infeasible with 10"):
        Order(0.6, 0.4).epsilon(10)
    with pytest.raises(Infeasible, match=r"^a margin of 1\.5 .* ask more respondents or allow"):
        MeanMargin(1.5, low=0, high=30).epsilon(10, places=31)
