"""The forecast of a question that only some respondents reach."""

from typing import Any

import numpy as np
import pytest

from deniable_analysis.simulation import simulate_survey
from deniable_sdk import compile_survey
from deniable_sdk.survey.definition import Definition
from deniable_web.forecast.advice import Caution
from deniable_web.forecast.survey import forecast
from sample_definitions import definition, number, yes_no

RESPONDENTS = 6_000
SURVEYS = 60


def test_a_routed_question_is_warned_of() -> None:
    """The blocks of questions with show_if are named, with what to do; others are not."""
    led: dict[str, Any] = {"show_if": {"question": "smokes", "is": "yes"}}
    questions = yes_no("smokes"), number(**led), yes_no("tried", **led)
    document = definition(*questions, crosstabs=[["smokes", "tried"]])
    (advice,) = [
        advice
        for advice in forecast(Definition.from_document(document)).warnings
        if advice.caution is Caution.ROUTED
    ]
    assert advice.blocks == ("smokes_x_tried", "visits")
    assert advice.message.startswith("smokes_x_tried and visits: show_if leads only some ")
    assert advice.message.endswith(
        "in that case plan for 9 times the respondents, or ask everybody"
    )
    without = forecast(Definition.from_document(definition(yes_no(), number())))
    assert Caution.ROUTED not in [advice.caution for advice in without.warnings]


@pytest.mark.parametrize("part", [1 / 3, 1 / 5])
def test_the_margin_of_a_part_is_as_wide_as_is_told(part: float) -> None:
    """A mean of those who come there strays by 0.6 to 1 times 1 / part what is planned for all."""
    document = definition(
        yes_no("smokes"),
        number(highest=30, show_if={"question": "smokes", "is": "yes"}),
        epsilon=2,
        ask="all",
    )
    planned = forecast(Definition.from_document(document), RESPONDENTS).blocks[1].estimates[0]
    generator = np.random.default_rng(1965)
    survey, values = compile_survey(document), []
    for _ in range(SURVEYS):
        is_led = generator.random(RESPONDENTS) < part
        ends = 30 * generator.integers(2, size=RESPONDENTS)
        answers = {"smokes": np.where(is_led, 0, 1), "visits": np.where(is_led, ends, 31)}
        (visits,) = simulate_survey(survey, answers, generator).estimate("visits").questions
        assert visits.mean is not None
        values.append(visits.mean.value)
    assert planned.margin is not None
    strayed = 1.96 * np.std(np.array(values, dtype=float), ddof=1)
    assert 0.6 / part < strayed / planned.margin < 1 / part
