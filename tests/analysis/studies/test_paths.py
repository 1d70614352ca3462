"""Estimates from blocks over paths: exact where the reports are as expected, and covering."""

import itertools
from typing import Any

import numpy as np
import pytest

from analysis.related import counted_study
from deniable_analysis import InvalidAnswers, NotIdentified, Study
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from sample_definitions import choice, scale, survey, yes_no
from sampling_checks import SEED
from there import there

MUST: dict[str, Any] = {"required": True}
MANY = 10**12


def routed(required: bool, epsilon: float, **keys: Any) -> PublishedSurvey:
    """Three levels: harassed, by whom, and how bad it was."""
    questions = [
        yes_no("h", required=required),
        choice("w", 3, required=required, show_if={"question": "h", "is": ["yes"]}),
        scale("s", 3, required=required, show_if={"question": "w", "is": ["o0", "o2"]}),
    ]
    return survey(*questions, epsilon=epsilon, together=[["h", "w", "s"]], **keys)


def with_size(published: PublishedSurvey, size: int) -> PublishedSurvey:
    """The same with sets of so many paths."""
    (block,) = published.blocks
    assert isinstance(block.mechanism, Subset)
    return published.replace(blocks=(block.replace(mechanism=block.mechanism.replace(size=size)),))


def expected_study(published: PublishedSurvey, truth: np.ndarray) -> Study:
    """As many reports of each kind as are expected of these shares of paths."""
    (block,) = published.blocks
    mechanism = block.mechanism
    assert isinstance(mechanism, Subset)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    counts = np.rint(MANY * (flip + truth * (keep - flip))).astype(int)
    counts[-1] += mechanism.size * MANY - counts.sum()
    return counted_study(published, **{block.id: counts.tolist()})


def shares(block: Block, truth: np.ndarray, **answers: int) -> float:
    """The share of the paths with these answers."""
    place = {question.id: index for index, question in enumerate(block.questions)}
    return sum(
        float(share)
        for cell, share in zip(block.cells, truth, strict=True)
        if all(cell[place[each]] == answer for each, answer in answers.items())
    )


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_estimates_are_exact_where_reports_are_as_expected(required: bool, size: int) -> None:
    """Shares of all, among those asked, cells of pairs, and means: from the same reports."""
    published = with_size(routed(required, 1), size)
    (block,) = published.blocks
    truth = np.random.default_rng(SEED).dirichlet(np.ones(len(block.cells)))
    study = expected_study(published, truth)
    for question, asked in zip(study.estimate().questions, block.questions, strict=True):
        every = [shares(block, truth, **{asked.id: index}) for index in range(len(asked.names))]
        found = [there(option.share) for option in question.options]
        assert found == pytest.approx(every, abs=1e-9)
        assert sum(there(option.valid_share) for option in question.options) == pytest.approx(1)
    among = study.among_asked("w")
    reached = shares(block, truth, h=0)
    for index, option in enumerate(among.options):
        part = shares(block, truth, h=0, w=index)
        assert there(option.share) == pytest.approx(part / reached, abs=1e-9)
    table = study.crosstab("w", "s")
    for cell, (row, column) in zip(
        table.cells, itertools.product(range(4), range(4)), strict=True
    ):
        part = shares(block, truth, w=row, s=column)
        assert there(cell.share) == pytest.approx(part, abs=1e-9)
        if row == 1 and column < 3:
            assert (cell.share, cell.low, cell.high, cell.standard_error) == (0, 0, 0, 0)


def test_a_pair_that_routing_decides_is_never_independent() -> None:
    """Two questions below the same answer may be."""
    study = expected_study(routed(True, 2), np.full(8, 1 / 8))
    with pytest.raises(NotIdentified, match="decides who is asked the other"):
        study.independence("h", "w")
    with pytest.raises(NotIdentified, match="decides who is asked the other"):
        study.independence("s", "w")
    led = {"show_if": {"question": "h", "is": ["yes"]}}
    both = survey(
        *(yes_no("h", **MUST), choice("a", 2, **MUST, **led), choice("b", 2, **MUST, **led)),
        together=[["h", "a", "b"]],
    )
    even = np.array([0.1, 0.2, 0.1, 0.2, 0.4])
    assert expected_study(both, even).independence("a", "b").p_value > 0.9
    odd = np.array([0.2, 0.1, 0.1, 0.2, 0.4])
    assert expected_study(both, odd).independence("a", "b").p_value < 1e-9


def test_simulated_respondents_answer_only_what_they_are_led_to() -> None:
    """As on a device: other answers count as none, and a required one is not left out."""
    published = routed(True, 8)
    given = {"h": [0, 0, 1, 1] * 500, "w": [0, 1, 2, 3] * 500, "s": [1, 2, 0, 0] * 500}
    study = simulate_survey(published, given, np.random.default_rng(SEED))
    harassed, whom, bad = study.estimate().questions
    assert there(harassed.options[0].share) == pytest.approx(0.5, abs=0.03)
    assert there(whom.options[-1].share) == pytest.approx(0.5, abs=0.03)
    assert there(bad.options[-1].share) == pytest.approx(0.75, abs=0.03)
    with pytest.raises(InvalidAnswers, match="no answer to one of h, w, s, which are required"):
        simulate_survey(published, {**given, "w": [3] * 2000}, np.random.default_rng(SEED))


@pytest.mark.parametrize(("required", "epsilon"), [(True, 2), (False, 1)])
def test_a_regression_averages_over_the_paths_of_other_questions(
    required: bool, epsilon: float
) -> None:
    """The share of harassed people by what they say of the rest, from one block of paths."""
    published = survey(
        *(yes_no("m", **MUST), yes_no("h", required=required)),
        choice("w", 2, required=required, show_if={"question": "h", "is": ["yes"]}),
        together=[["m", "h", "w"]],
        epsilon=epsilon,
    )
    generator = np.random.default_rng(SEED)
    man = generator.integers(2, size=40_000)
    harassed = (generator.random(40_000) > np.where(man == 0, 0.2, 0.5)).astype(int)
    given = {"m": man, "h": harassed, "w": generator.integers(2, size=40_000)}
    study = simulate_survey(published, given, generator)
    found = study.regress("h ~ m") if required else study.regress("w ~ m")
    assert all(np.isfinite(each.estimate) for each in found.coefficients)
