"""Estimates from blocks over paths: exact where the reports are as expected, and covering."""

import itertools
from typing import Any

import numpy as np
import pytest

from analysis.related import counted_study
from deniable_analysis import Study, compare
from deniable_analysis.codebook.formulas import shares_of
from deniable_analysis.codebook.variables import codebook_of
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.planning import planned_estimates
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.survey.block import Block
from sample_definitions import choice, multiple, scale, survey, yes_no
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


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("interval", ["wilson", "anytime"])
@pytest.mark.parametrize("size", [1, 2])
def test_rows_that_routing_decides_are_known(size: int, interval: str) -> None:
    """Whoever was not harassed has no answer to the rest, whatever the reports say."""
    published = with_size(routed(True, 1), size)
    study = expected_study(published, np.full(8, 1 / 8))
    for first, second in (("h", "w"), ("w", "h"), ("h", "s")):
        table = study.crosstab(first, second, interval=interval)
        within = {cell.options: cell for cell in table.within_rows}
        assert all(cell.low is not None for cell in within.values())
        if first == "h":
            certain = within["no", "not asked or no_answer"]
            assert (certain.low, certain.high) == pytest.approx((1, 1), abs=1e-6)


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
    with pytest.raises(InvalidArgument, match="no answer to one of h, w, s, which are required"):
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


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("at_most", [2, 4])
def test_options_of_listed_sets_are_exact_where_reports_are_as_expected(
    required: bool, at_most: int
) -> None:
    """The share of an option is that of all sets with it; they need not sum to 1."""
    published = survey(multiple("m", 4, at_most=at_most, required=required), epsilon=6)
    (block,) = published.blocks
    truth = np.random.default_rng(SEED).dirichlet(np.ones(len(block.cells)))
    study = expected_study(published, truth)
    (found,) = study.estimate(interval="wilson").questions
    assert found.interval == "wilson"
    for index, option in enumerate(found.options):
        sets = [index in there(cell)[0] for cell in block.cells]  # type: ignore[operator]
        assert there(option.share) == pytest.approx(truth[sets].sum(), abs=1e-9)
        assert option.valid_share == pytest.approx(truth[sets].sum(), abs=1e-9)
    assert study.estimate(interval="anytime").questions[0].interval == "anytime"
    with pytest.raises(NotIdentified, match="multiple"):
        study.winner("m")
    named = [value.option for value in codebook_of(published).variables[0].values]
    assert {"none", "o0", "o0 + o2"} <= set(named)
    assert len(set(named)) == len(block.cells)


def test_simulated_sets_are_what_was_chosen() -> None:
    """Also compared between studies; and none is not "no answer"."""
    published = survey(multiple("m", 3), epsilon=8)
    generator = np.random.default_rng(SEED)
    chosen = generator.random((4000, 3)) < [0.1, 0.4, 0.7]
    none = generator.random(4000) < 0.1
    given = {"m": np.column_stack([chosen & ~none[:, None], none])}
    first, second = (simulate_survey(published, given, generator) for _ in range(2))
    shares = [there(option.share) for option in first.estimate().questions[0].options]
    assert shares == pytest.approx(given["m"].mean(axis=0).tolist(), abs=0.02)
    assert all(there(each.p_value) > 1e-4 for each in compare(first, second, "m").options)
    with pytest.raises(InvalidArgument, match="no answer together with options"):
        simulate_survey(published, {"m": np.array([[True, False, False, True]] * 5)}, generator)


def test_a_codebook_and_a_plan_know_the_paths() -> None:
    """A variable for each path of a set, and an estimate for each question."""
    published = with_size(routed(True, 1), 2)
    (block,) = published.blocks
    book = codebook_of(published)
    assert [variable.option for variable in book.variables][:2] == [
        "yes, o0, 1",
        "yes, o0, 2",
    ]
    assert len(book.variables) == len(block.cells)
    shares_told = {(each.question, each.option): each.merged for each in shares_of(book)}
    assert shares_told["h", "no"] == 1
    assert shares_told["h", "yes"] == len(block.cells) - 1
    planned = planned_estimates(block, Target.SHARES)
    assert {each.question for each in planned} == {"h", "w", "s"}
