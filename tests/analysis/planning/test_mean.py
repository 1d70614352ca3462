"""Plans for a mean, of a number that is published for its mean or for its distribution."""

from fractions import Fraction

import pytest

from deniable_analysis.errors import InvalidArgument
from deniable_analysis.planning import MeanMargin, MeanStandardError, plan_mean
from deniable_sdk import compile_survey, theory
from deniable_sdk.mechanisms.base import Target
from planning_channels import mean_parts, scores, variance
from sample_definitions import definition

EPSILONS = [0.5, 1, 1.5, 2, 4]


@pytest.mark.parametrize("places", [2, 5, 31])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_best_is_what_a_survey_takes(epsilon: float, places: int) -> None:
    """A number whose mean is wanted is published with the very mechanism of the plan."""
    for offers_no_answer in (False, True):
        question = {"id": "n", "type": "number", "min": 1, "max": places, "text": "How many?"}
        question |= {"target": "mean", "required": not offers_no_answer}
        survey = compile_survey(definition(question, epsilon=epsilon))
        planned = plan_mean(epsilon, places, offers_no_answer=offers_no_answer)
        assert planned == survey.blocks[0].mechanism


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_number_for_its_distribution_is_what_a_survey_takes(epsilon: float) -> None:
    """So it is where the author says nothing of a target, and the mean takes no fewer."""
    question = {"id": "n", "type": "number", "min": 1, "max": 31, "text": "How many?"}
    survey = compile_survey(definition({**question, "required": True}, epsilon=epsilon))
    planned = plan_mean(epsilon, 31, target=Target.SHARES)
    assert planned == survey.blocks[0].mechanism
    assert MeanMargin(0.1).respondents(planned) >= MeanMargin(0.1).respondents(
        plan_mean(epsilon, 31)
    )


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_an_epsilon_alone_is_planned_for_many_numbers(epsilon: float) -> None:
    """It is a number of 1,000 places; half of those make a difference of a respondent."""
    many, fewer = (
        MeanMargin(0.1).respondents(plan_mean(epsilon, places)) for places in (1000, 501)
    )
    assert MeanMargin(0.1).respondents(epsilon) == many
    assert abs(many - fewer) <= 1


@pytest.mark.parametrize("target", Target)
@pytest.mark.parametrize("places", [2, 4])
@pytest.mark.parametrize("epsilon", [1, 3])
def test_a_plan_is_enough_for_the_hardest_answers(
    epsilon: float, places: int, target: Target
) -> None:
    """Enumerated, half of the answers at each of two places need just the planned respondents."""
    mechanism = plan_mean(epsilon, places, target=target)
    values = {
        output: mean_parts(mechanism, mechanism.domain, int(output))[0]
        for output in theory.channel(mechanism)
    }
    half, last = Fraction(1, 2), places - 1
    assert sum(map(abs, (scores(places)[0], scores(places)[-1]))) == 1
    needed = max(
        variance(
            mechanism,
            values,
            [half * (index == one) + half * (index == last - one) for index in range(places)],
        )
        for one in range(places)
    )
    needed *= 30**2 / Fraction(3, 4) ** 2
    found = MeanStandardError(0.75, low=0, high=30).respondents(mechanism)
    assert found - 1 < needed <= found


def test_margins_and_respondents_are_inverse() -> None:
    """So many respondents give a margin, and that margin takes so many respondents."""
    mechanism = plan_mean(2, 31)
    margin = MeanMargin(low=0, high=30).reached(mechanism, 1234)
    assert abs(MeanMargin(margin, low=0, high=30).respondents(mechanism) - 1234) <= 1


def test_refusals_name_the_argument() -> None:
    """Places, epsilons, bounds and errors that make no sense are named."""
    with pytest.raises(InvalidArgument, match=r"^places: got 1; allowed are 2 to 1000"):
        plan_mean(1, 1)
    with pytest.raises(InvalidArgument, match=r"^epsilon: got 11; allowed is a number from 0\.01"):
        plan_mean(11, 5)
    with pytest.raises(InvalidArgument, match=r"^low, high: got 3 and 2; allowed are two finite"):
        MeanMargin(low=3, high=2).reached(1, 100)
    with pytest.raises(InvalidArgument, match=r"^sd: got 0; allowed is a number above 0"):
        MeanStandardError(0).respondents(1)
    with pytest.raises(InvalidArgument, match=r"^respondents: got 0; allowed is a whole number"):
        MeanMargin().reached(1, 0)
