"""Plans of surveys that are watched until a margin is reached."""

import numpy as np
import pytest

from deniable_analysis.designs import forced_response, stochastic_lie_detector
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.anytime import anytime_ends
from deniable_analysis.planning import (
    AnytimeMargin,
    Margin,
    Share,
    plan_groups,
    plan_mechanism,
)
from deniable_sdk.mechanisms import SampledBits, SomeOf, Subset
from deniable_sdk.weights import Weights

LN3 = 1.0986122886681098
# Epsilon, the share, and the margin of a yes/no question: respondents that were computed
# independently, by bisection of the exact interval at the expected rate.
KNOWN = {
    (1, 0.3, 0.05): 4832,
    (1, 0.3, 0.1): 1075,
    (LN3, 0.3, 0.03): 12327,
    (2, 0.1, 0.03): 3103,
}


@pytest.mark.parametrize("case", KNOWN, ids=str)
def test_known_respondents_until_a_margin(case: tuple[float, float, float]) -> None:
    """The numbers are the independently computed ones."""
    epsilon, share, margin = case
    mechanism = plan_mechanism(epsilon)
    found = AnytimeMargin(margin, share=share).respondents(mechanism)
    assert found == KNOWN[case]
    assert AnytimeMargin(share=share).reached(mechanism, found) <= margin
    assert AnytimeMargin(share=share).reached(mechanism, found - 1) > margin
    assert found > Margin(margin, share=share).respondents(mechanism)


@pytest.mark.deep
@pytest.mark.parametrize("case", KNOWN, ids=str)
def test_simulated_surveys_end_when_planned(case: tuple[float, float, float]) -> None:
    """The mean of 200 surveys is within 1 % of the plan; at most 20 and chance end later."""
    epsilon, share, margin = case
    mechanism, random = plan_mechanism(epsilon), np.random.default_rng(12)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    goal = AnytimeMargin(margin, share=share)
    expected = goal.respondents(mechanism)
    step = max(5, expected // 200)
    looks = np.arange(step, int(1.3 * expected), step)
    counts = np.cumsum(
        random.binomial(step, flip + share * (keep - flip), (200, len(looks))), axis=1
    )
    ended = np.full(200, looks[-1])
    for number, reports in list(enumerate(looks))[::-1]:
        if reports < 0.8 * expected:
            break
        low, high = anytime_ends(counts[:, number], int(reports), 0.05)
        is_reached = (high - low) / 2 <= margin * (keep - flip)
        ended = np.where(is_reached, reports, ended)
    assert ended.mean() == pytest.approx(expected, rel=0.01)
    # More than 35 of 200 have a chance of 0.03 % at 10 %. It ended up to a step before the look.
    assert np.sum(ended - step >= goal.respondents_in_nine_of_ten(mechanism)) <= 35


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("bits", [1, 2, 9])
@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
def test_nine_of_ten_surveys_have_reached_the_margin(
    share: float, bits: int, simultaneous: bool
) -> None:
    """Also where few reports support an option, or contain its bit; for every option if wanted."""
    mechanism, random = SampledBits(SomeOf(9, 9), bits, Weights(7, 1)), np.random.default_rng(5)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    goal = AnytimeMargin(0.06, share=share, simultaneous=simultaneous)
    expected, later = goal.respondents(mechanism), goal.respondents_in_nine_of_ten(mechanism)
    assert expected <= later < 1.3 * expected
    options, missed = (9, 0.05 / 9) if simultaneous else (1, 0.05)
    reports = random.binomial(later, bits / 9, (400, options))
    counts = random.binomial(reports, flip + share * (keep - flip))
    low, high = anytime_ends(counts, reports.astype(float), missed)
    ended = np.all((high - low) / 2 <= 0.06 * (keep - flip), axis=1)
    # Less has a chance of 0.2 % at 90 %.
    assert ended.mean() >= 0.855


def test_bits_that_only_some_reports_contain_need_more_respondents() -> None:
    """With one bit of four in each report, four times as many."""
    whole, part = (SampledBits(SomeOf(4, 1), bits, Weights(3, 1)) for bits in (4, 1))
    assert whole.keep == part.keep
    alone = AnytimeMargin(0.05).respondents(whole)
    assert AnytimeMargin(0.05).respondents(part) == pytest.approx(4 * alone, abs=3)


def test_all_options_at_once_need_more() -> None:
    """The level is divided among the options; two options are one comparison."""
    two, five = plan_mechanism(1), plan_mechanism(1, options=5)
    needed = [
        AnytimeMargin(0.05, simultaneous=every).respondents(each)
        for each in (two, five)
        for every in (False, True)
    ]
    assert needed[0] == needed[1]
    assert needed[2] < needed[3]


def test_a_design_of_two_categories_is_planned() -> None:
    """A die with the channel of a mechanism needs as many respondents."""
    die = forced_response(yes=0.25, no=0.25)
    mechanism = Subset(2, 1, Weights(3, 1))
    assert AnytimeMargin(0.05, share=0.2).respondents(die) == pytest.approx(
        AnytimeMargin(0.05, share=0.2).respondents(mechanism), abs=1
    )


def test_designs_without_a_rate_of_support_are_refused() -> None:
    """The message says what to plan instead."""
    groups = plan_groups(stochastic_lie_detector({1: 0.2, 2: 0.8}), {"t": 0.8})
    with pytest.raises(InvalidArgument, match="plan for one look, with a margin"):
        AnytimeMargin(0.05).respondents(groups)


def test_a_goal_turns_the_plan_round() -> None:
    """The epsilon that a number of respondents affords, and the margin that they reach."""
    goal = AnytimeMargin(0.05, share=Share.EQUAL)
    epsilon = goal.epsilon(2000, options=3)
    assert goal.respondents(plan_mechanism(epsilon, 3)) <= 2000
    assert goal.respondents(plan_mechanism(epsilon - 1e-6, 3)) > 2000
    assert goal.reached(plan_mechanism(epsilon, 3), 2000) <= 0.05
    assert goal.words == "a margin of 0.05 at every look"
