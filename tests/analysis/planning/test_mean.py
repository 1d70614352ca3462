"""Plans for a mean, by one bit or by a place near the true number."""

from fractions import Fraction

import pytest

from deniable_analysis import (
    InvalidPlan,
    MeanMethod,
    margin_for_mean,
    plan_mean,
    respondents_for_mean,
    respondents_for_mean_sd,
)
from deniable_sdk import compile_survey
from deniable_sdk.mechanisms import Sign, SquareWave
from planning_channels import mean_parts, scores, variance
from sample_definitions import definition

EPSILONS = [0.5, 1, 1.5, 2, 4]


@pytest.mark.parametrize("places", [2, 5, 31])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_best_is_what_a_survey_takes(epsilon: float, places: int) -> None:
    """A number whose mean is wanted is published with the very mechanism of the plan."""
    for has_no_answer in (False, True):
        question = {"id": "n", "type": "number", "min": 1, "max": places, "text": "How many?"}
        question |= {"target": "mean", "required": not has_no_answer}
        survey = compile_survey(definition(question, epsilon=epsilon))
        planned = plan_mean(epsilon, places, has_no_answer=has_no_answer)
        assert planned == survey.blocks[0].mechanism


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_one_bit_takes_what_the_closed_form_says(epsilon: float) -> None:
    """Whatever the places, one bit takes z² ((e+1)/(e-1))² over the margin in half ranges."""
    for places in (2, 31):
        one_bit = plan_mean(epsilon, places, method=MeanMethod.SIGN)
        assert isinstance(one_bit, Sign)
        assert respondents_for_mean(one_bit, 0.1) == respondents_for_mean(epsilon, 0.1)


@pytest.mark.parametrize("method", [MeanMethod.SIGN, MeanMethod.SQUARE_WAVE])
@pytest.mark.parametrize("places", [2, 4])
@pytest.mark.parametrize("epsilon", [1, 3])
def test_a_plan_is_enough_for_the_hardest_answers(
    epsilon: float, places: int, method: MeanMethod
) -> None:
    """Enumerated, half of the answers at each end need just the planned respondents."""
    mechanism = plan_mean(epsilon, places, method=method)
    values = {
        output: mean_parts(mechanism, mechanism.domain, int(output))[0]
        for output in mechanism.channel()
    }
    half = Fraction(1, 2)
    truth = [half, *[Fraction(0)] * (places - 2), half]
    assert sum(map(abs, (scores(places)[0], scores(places)[-1]))) == 1
    needed = variance(mechanism, values, truth) * 30**2 / Fraction(3, 4) ** 2
    found = respondents_for_mean_sd(mechanism, 0.75, low=0, high=30)
    assert found - 1 < needed <= found


def test_margins_and_respondents_are_inverse() -> None:
    """So many respondents give a margin, and that margin takes so many respondents."""
    mechanism = plan_mean(2, 31)
    margin = margin_for_mean(mechanism, 1234, low=0, high=30)
    assert abs(respondents_for_mean(mechanism, margin, low=0, high=30) - 1234) <= 1


def test_square_waves_are_asked_for_by_name() -> None:
    """The method named is the one planned, also where the other is better."""
    assert isinstance(plan_mean(1, 31), Sign)
    assert isinstance(plan_mean(1, 31, method=MeanMethod.SQUARE_WAVE), SquareWave)


def test_refusals_name_the_argument() -> None:
    """Places, epsilons, bounds and errors that make no sense are named."""
    with pytest.raises(InvalidPlan, match=r"^places: got 1; allowed are 2 to 1000"):
        plan_mean(1, 1)
    with pytest.raises(InvalidPlan, match=r"^epsilon: got 11; allowed is a number from 0\.01"):
        plan_mean(11, 5)
    with pytest.raises(InvalidPlan, match=r"^low, high: got 3 and 2; allowed are two finite"):
        margin_for_mean(1, 100, low=3, high=2)
    with pytest.raises(InvalidPlan, match=r"^sd: got 0; allowed is a number above 0"):
        respondents_for_mean_sd(1, 0)
    with pytest.raises(InvalidPlan, match=r"^respondents: got 0; allowed is a whole number"):
        margin_for_mean(1, 0)
