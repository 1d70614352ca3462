"""Plans for one question against the block a survey is published with."""

import math

import pytest

from deniable_analysis.errors import InvalidArgument
from deniable_analysis.planning import plan_mechanism
from deniable_sdk.mechanisms import Subset
from sample_definitions import choice, survey


def published(epsilon: str, asked: int, options: int) -> Subset:
    """The mechanism of a survey's question, where so many questions are asked."""
    questions = (choice(f"q{number}", options, required=True) for number in range(asked))
    mechanism = survey(*questions, epsilon=epsilon, ask="all").blocks[0].mechanism
    assert isinstance(mechanism, Subset)
    return mechanism


@pytest.mark.sweep
@pytest.mark.parametrize("options", [2, 5, 40])
@pytest.mark.parametrize("epsilon", ["0.01", "0.3", "2", "10"])
@pytest.mark.parametrize("asked", [1, 4, 5, 50, 200])
def test_a_plan_agrees_with_the_survey(asked: int, epsilon: str, options: int) -> None:
    """The epsilon of a plan is that of the published block to 1e-9, and the size the same."""
    block = published(epsilon, asked, options)
    plan = plan_mechanism(float(epsilon) / asked, options)
    assert abs(plan.weights.epsilon - block.weights.epsilon) < 1e-9
    assert plan.size == block.size


def test_from_five_asked_questions_on_a_survey_is_finer() -> None:
    """With four asked questions plan and block are the same, with five the block is finer."""
    assert published("2", 4, 5) == plan_mechanism(0.5, 5)
    assert published("2", 5, 5).weights.low == 2 * plan_mechanism(0.4, 5).weights.low


@pytest.mark.parametrize("epsilon", [0.006, 0.00005, "0.00005", 10, "10", 10.0])
def test_any_epsilon_a_block_can_have_is_planned(epsilon: float | str) -> None:
    """A question can be planned from 0.01 / 200 to 10, as a number and as a text."""
    found = plan_mechanism(epsilon).weights.epsilon
    assert float(epsilon) - 1e-9 < found <= math.nextafter(float(epsilon), math.inf)


@pytest.mark.parametrize(
    "epsilon",
    [0.0000499, "5e-05", 10.01, 10**400, True, math.nan, math.inf, -1.0, "", "1e999999999"],
)
def test_an_epsilon_no_block_can_have_is_refused(epsilon: float | str) -> None:
    """What no survey can spend on one question is refused, with what is allowed."""
    allowed = (
        r"allowed is a number from 0\.01 \(for one of many questions from 0\.00005\) to 10, "
        "with at most 30 decimals"
    )
    with pytest.raises(InvalidArgument, match=rf"^epsilon: got .*; {allowed}$"):
        plan_mechanism(epsilon)
