"""How many blocks to ask, and what crosstabs cost, against known numbers."""

import json
from pathlib import Path
from typing import Any

import pytest

from deniable_analysis.planning import (
    Share,
    merged_unit_variance,
    plan_asking,
    plan_mechanism,
    unit_variance,
)
from deniable_sdk import theory
from deniable_sdk.compiler import best_without_joining, design_survey
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.survey.definition import Definition
from sample_definitions import choice, definition, scale, yes_no

_ALL = json.loads((Path(__file__).parents[1] / "known" / "planning_anchors.json").read_text())


def known(anchor: str) -> list[Any]:
    """The parameters of a test: inputs and result of every known number of this name."""
    found = [
        pytest.param(entry["inputs"], entry["expected"], id=entry["id"])
        for entry in _ALL
        if entry["name"] == anchor
    ]
    assert found
    return found


def ask(options: int, count: int, **keys: object) -> Definition:
    """So many questions with so many options, all required."""
    questions = (choice(f"q{number}", options, required=True) for number in range(count))
    return Definition.from_document(definition(*questions, **keys))


def variances(surveyed: Definition) -> list[float]:
    """The variance of the survey for each number of questions that an author could ask."""
    numbers = range(1, len(surveyed.blocks) + 1)
    return [design_survey(surveyed.replace(ask=asked)).variance for asked in numbers]


@pytest.mark.parametrize(("inputs", "expected"), known("optimal_number_of_questions_to_sample"))
def test_the_known_best_numbers(inputs: dict[str, int], expected: int) -> None:
    """Of 10 separate questions the known best number is asked."""
    surveyed = ask(inputs["k"], inputs["d"], epsilon=inputs["eps_total"])
    alone, plan = best_without_joining(surveyed), plan_asking(surveyed)
    assert (alone.asked, len(alone.blocks)) == (expected, inputs["d"])
    assert plan.is_best
    assert plan.saving == pytest.approx(alone.variance / design_survey(surveyed).variance)


@pytest.mark.parametrize("options", [2, 3, 5, 10, 40])
@pytest.mark.parametrize("epsilon", ["0.1", 1, 2, 3, 5, 10])
def test_the_best_number_is_the_best_of_all(options: int, epsilon: int | str) -> None:
    """Of 10 separate questions no number of asked ones has a smaller variance than the best."""
    surveyed = ask(options, 10, epsilon=epsilon)
    assert best_without_joining(surveyed).variance == min(variances(surveyed))


def test_mixed_questions_are_asked_best_too() -> None:
    """At epsilon 1 no number is better for ten unlike questions, and drawing unequally is."""
    questions = [
        *(yes_no(f"a{number}") for number in range(4)),
        *(choice(f"b{number}", 5 * number) for number in (1, 4, 20)),
        scale("c", 11, target="mean"),
        {"id": "d", "type": "number", "min": 0, "max": 99, "text": "How many?"},
        {"id": "e", "type": "multiple", "options": ["f", "g", "h"], "text": "Which?"},
    ]
    surveyed = Definition.from_document(definition(*questions, epsilon=1))
    assert best_without_joining(surveyed).variance == min(variances(surveyed))
    assert plan_asking(surveyed).saving > 1.5


def test_what_an_empty_answer_and_a_cap_cost_is_known() -> None:
    """In respondents: 7 yes/no questions that may be left empty, and one that spends less."""
    free = [yes_no(f"q{number}") for number in range(7)]
    plan = plan_asking(Definition.from_document(definition(*free, epsilon=1)))
    assert plan.optional == pytest.approx(11.729094575741124 / 8.194715159454537, rel=1e-6)
    assert sorted(plan.optional_questions) == [f"q{number}" for number in range(7)]
    assert plan.capped == 1
    capped = [yes_no("a", required=True, epsilon=1), yes_no("b", required=True)]
    plan = plan_asking(Definition.from_document(definition(*capped, epsilon=2)))
    assert (plan.optional, plan.optional_questions) == (1, ())
    assert plan.capped > 1.5


@pytest.mark.parametrize(("inputs", "expected"), known("n_var_f0.5_binary_split_vs_sample"))
def test_asking_all_against_asking_one(inputs: dict[str, int], expected: dict[str, float]) -> None:
    """The factor of asking everything is the known ratio of its error to the best."""
    count, epsilon = inputs["d"], inputs["eps"]
    whole = ask(2, count, epsilon=epsilon, ask="all")
    plan = plan_asking(whole)
    one = plan_asking(ask(2, count, epsilon=epsilon, ask=1))
    ratio = expected["split"] / expected["sample"]
    assert plan.factor / one.factor == pytest.approx(ratio, rel=1e-6)
    assert plan.is_best == (plan.factor == 1)


@pytest.mark.parametrize(("inputs", "expected"), known("split_vs_sample_crossover_total_eps"))
def test_the_known_epsilons_where_splitting_wins(inputs: dict[str, Any], expected: float) -> None:
    """Just below the known epsilon asking one has the smaller error, just above asking all has."""
    for epsilon, one_wins in ((expected - 0.002, True), (expected + 0.002, False)):
        if epsilon <= 10:
            surveyed = ask(inputs["k"], inputs["d"], epsilon=f"{epsilon:.6f}")
            found = variances(surveyed)
            assert (found[0] < found[inputs["d"] - 1]) is one_wins


@pytest.mark.parametrize(("inputs", "expected"), known("crosstab_total_n_mse_uniform"))
def test_known_errors_of_crosstabs(inputs: dict[str, Any], expected: dict[str, float]) -> None:
    """The cells of a joint question have the known summed error."""
    cells = inputs["k1"] * inputs["k2"]
    mechanism = plan_mechanism(float(inputs["eps_total"]), cells)
    known_error = pytest.approx(expected["joint_subset_selection"], rel=1e-8)
    assert float(theory.error(mechanism, Target.SHARES)) == known_error
    assert float(cells * unit_variance(mechanism, Share.EQUAL)) == known_error


@pytest.mark.parametrize(
    ("inputs", "expected"), known("marginal_n_var_uniform_joint_vs_split_vs_sample")
)
def test_known_errors_of_marginals(inputs: dict[str, int], expected: dict[str, float]) -> None:
    """One row of a joint question has the known variance at equal shares."""
    mechanism = plan_mechanism(inputs["eps"], inputs["k1"] * inputs["k2"])
    found = merged_unit_variance(mechanism, inputs["k2"], Share.EQUAL)
    assert float(found) == pytest.approx(expected["joint"], rel=1e-6)


def test_what_a_question_and_half_the_epsilon_cost_is_what_other_designs_need() -> None:
    """The dearest block is the hardest one, and each factor is that of a definition without it."""
    questions = [yes_no("a"), choice("b", 9, required=True), yes_no("c")]
    whole = Definition.from_document(definition(*questions, epsilon=1))
    plan = plan_asking(whole)
    fewer = Definition.from_document(definition(questions[0], questions[2], epsilon=1))
    weaker = Definition.from_document(definition(*questions, epsilon="0.5"))
    variance = design_survey(whole).variance
    assert plan.dearest == ("b",)
    assert plan.dearest_factor == pytest.approx(variance / design_survey(fewer).variance)
    assert plan.halved == pytest.approx(design_survey(weaker).variance / variance)


def test_nothing_is_said_of_what_a_survey_cannot_lack() -> None:
    """A survey keeps a question, and an epsilon that is allowed."""
    plan = plan_asking(Definition.from_document(definition(yes_no("a"), epsilon="0.01")))
    assert (plan.dearest, plan.dearest_factor, plan.halved) == ((), 1, None)
    pair = Definition.from_document(definition(yes_no("a"), yes_no("b"), epsilon=3, ask=2))
    assert plan_asking(pair).dearest_factor > 1
