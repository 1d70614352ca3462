"""Simulated surveys: their estimates find the answers that were put in."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.enumerated import multiple, number
from deniable_analysis import Estimates
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from sample_definitions import choice, scale, survey, yes_no
from sampling_checks import ALPHA, SampleRejected, check_binomial, count_check

RESPONDENTS = 100_000
MUST: dict[str, Any] = {"required": True}


def every_kind() -> PublishedSurvey:
    """Six questions in five blocks, of which each respondent is asked two."""
    return survey(
        yes_no(),
        choice(options=3, **MUST),
        scale("level", levels=3, **MUST),
        multiple(),
        number(**MUST),
        scale("mean", levels=4, target="mean", **MUST),
        epsilon=4,
        ask=2,
        crosstabs=[["region", "level"]],
    )


def answers(
    published: PublishedSurvey, respondents: int, generator: np.random.Generator
) -> dict[str, NDArray[Any]]:
    """Uneven answers, with those of two questions of a crosstab tied together."""
    given: dict[str, NDArray[Any]] = {}
    for question in published.questions:
        names = len(question.names)
        if question.type == "multiple":
            rows = generator.random((respondents, names)) < 0.3
            rows[rows[:, -1], :-1] = False
            given[question.id] = rows
        else:
            shares = np.arange(1, names + 1) / (names * (names + 1) / 2)
            given[question.id] = generator.choice(names, size=respondents, p=shares)
    tied = generator.random(respondents) < 0.5
    # Not symmetric, so that cells in another order are not taken for the right ones.
    given["level"] = np.where(tied, 2 - given["region"], given["level"])
    return given


def truths(published: PublishedSurvey, given: dict[str, NDArray[Any]]) -> dict[str, float]:
    """The share of every option and cell, and every mean, among the respondents."""
    found: dict[str, float] = {}
    for question in published.questions:
        for index, name in enumerate(question.names):
            rows = given[question.id]
            said = rows[:, index] if rows.ndim == 2 else rows == index
            found[f"{question.id} {name}"] = float(said.mean())
    for index, cell in enumerate(np.ndindex(3, 3)):
        said = (given["region"] == cell[0]) & (given["level"] == cell[1])
        found[f"cell {index}"] = float(said.mean())
    found["visits mean"] = float(1 + 0.5 * given["visits"].mean())
    found["mean mean"] = float(1 + given["mean"].mean())
    found["level mean"] = float(1 + given["level"].mean())
    return found


def found_values(estimates: Estimates) -> dict[str, tuple[float, float]]:
    """Every estimate, and its standard error."""
    found: dict[str, Any] = {}
    for question in estimates.questions:
        for option in question.options:
            found[f"{question.question} {option.option}"] = (option.share, option.standard_error)
        if question.mean:
            found[f"{question.question} mean"] = (
                question.mean.value,
                question.mean.standard_error,
            )
    (crosstab,) = estimates.crosstabs
    for index, cell in enumerate(crosstab.cells):
        found[f"cell {index}"] = (cell.share, cell.standard_error)
    return found


def check_values(found: dict[str, tuple[float, float]], true: dict[str, float]) -> None:
    """Accept estimates that stray from the truth no further than by chance."""
    for name, (value, error) in found.items():
        count_check()
        if 2 * stats.norm.sf(abs(value - true[name]) / error) < ALPHA:
            raise SampleRejected(f"{name}: {value} with error {error}; true is {true[name]}")


@pytest.fixture(scope="module")
def simulated() -> tuple[PublishedSurvey, dict[str, NDArray[Any]], Estimates]:
    """A survey, its true answers and what is estimated of them."""
    published = every_kind()
    generator = np.random.default_rng(6)
    given = answers(published, RESPONDENTS, generator)
    return published, given, simulate_survey(published, given, generator).estimate()


def test_estimates_find_the_answers(
    simulated: tuple[PublishedSurvey, dict[str, NDArray[Any]], Estimates],
) -> None:
    """Every share, cell and mean is found again, but no shares of rounded answers."""
    published, given, estimates = simulated
    found = found_values(estimates)
    rounded = [question for question in published.questions if question.id in ("mean", "visits")]
    assert truths(published, given).keys() - found.keys() == {
        f"{question.id} {name}" for question in rounded for name in question.names
    }
    check_values(found, truths(published, given))


def test_other_answers_are_rejected(
    simulated: tuple[PublishedSurvey, dict[str, NDArray[Any]], Estimates],
) -> None:
    """The same check rejects the truth of respondents who answered otherwise."""
    published, given, estimates = simulated
    others = {**given, "level": given["region"]}
    with pytest.raises(SampleRejected):
        check_values(found_values(estimates), truths(published, others))


def test_each_respondent_is_asked_as_many_blocks(
    simulated: tuple[PublishedSurvey, dict[str, NDArray[Any]], Estimates],
) -> None:
    """Blocks are drawn evenly, as many for each respondent as the survey says."""
    published, _, estimates = simulated
    carried = {question.blocks: question.reports for question in estimates.questions}
    assert len(carried) == len(published.blocks)
    assert sum(carried.values()) == published.asked * RESPONDENTS
    for reports in carried.values():
        check_binomial(reports, RESPONDENTS, published.asked / len(published.blocks))


def test_a_seed_repeats_a_simulation() -> None:
    """The same generator gives the same estimates."""
    published = every_kind()
    given = answers(published, 1000, np.random.default_rng(1))
    first, second = (
        simulate_survey(published, given, np.random.default_rng(2)).estimate() for _ in range(2)
    )
    assert first == second


def test_answers_to_a_simulation_must_be_complete() -> None:
    """A question without answers, and one too many, is refused by name."""
    published = survey(yes_no(), choice(options=3))
    for given, listed in (({"region": [0]}, "region"), ({}, "no question")):
        with pytest.raises(InvalidArgument) as caught:
            simulate_survey(published, given, np.random.default_rng(1))
        assert str(caught.value) == (
            f"answers: got those of {listed}; allowed are those of every question of survey "
            f"'health': {published.questions[0].id}, region"
        )


def test_answers_to_a_simulation_must_be_of_all_respondents() -> None:
    """Questions answered by different numbers of respondents are refused."""
    published = survey(yes_no(), choice(options=3))
    given = {published.questions[0].id: [0, 1], "region": [0, 1, 2]}
    with pytest.raises(InvalidArgument) as caught:
        simulate_survey(published, given, np.random.default_rng(1))
    assert str(caught.value) == (
        "answers: got from 2 to 3 for a question; allowed are as many for each as there are "
        "respondents"
    )


def test_answers_to_a_simulation_must_be_in_the_domain() -> None:
    """A place beyond a question's names is refused by the question's name."""
    published = survey(choice(options=3))
    with pytest.raises(InvalidArgument) as caught:
        simulate_survey(published, {"region": [0, 4]}, np.random.default_rng(1))
    assert str(caught.value).startswith("answers: question 'region': got an array of int64")
