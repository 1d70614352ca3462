"""Regressions of a study: joint blocks, separate ones, and real answers."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.health_answers import FORMULA, MUST, clear_regression, health, real_answers
from deniable_analysis import Study, regress
from deniable_analysis.designs import from_mechanism
from deniable_analysis.errors import (
    ColumnNotFound,
    InvalidArgument,
    NotAskedTogether,
    NotIdentified,
)
from deniable_analysis.estimate.mechanisms import block_likelihood
from deniable_analysis.regression.regress import blocks_for, reports_of_block
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey, theory
from deniable_storage.counts import JointCounts
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from sampling_checks import ALPHA, check_binomial, count_check


def test_separate_blocks_and_joint_blocks_find_the_same() -> None:
    """Asked one by one or as pairs, all of everybody: the truth is within chance."""
    crosstabs: list[list[list[str]]] = [[], [["limitation", "health"]]]
    for each_crosstabs in crosstabs:
        published = health(10, ask="all", crosstabs=each_crosstabs)
        study = simulate_survey(published, real_answers(published), np.random.default_rng(4))
        found = study.regress(FORMULA)
        assert found.rows == 20190
        assert found.epsilon == pytest.approx(10, rel=1e-6)
        for each in clear_regression(published).coefficients:
            own = found[each.name]
            count_check()
            assert (
                2 * stats.norm.sf(abs(own.estimate - each.estimate) / own.standard_error) > ALPHA
            )


def test_only_those_asked_all_count() -> None:
    """Of respondents who are asked two of three blocks, those with both are regressed."""
    published = health(8, ask=2, crosstabs=[])
    given = {name: places[:3000] for name, places in real_answers(published).items()}
    study = simulate_survey(published, given, np.random.default_rng(5))
    found = study.regress("limitation ~ health")
    check_binomial(found.rows, 3000, 1 / 3)
    assert found.epsilon == pytest.approx(8, rel=1e-6)


def test_nobody_was_asked_both() -> None:
    """Questions of more blocks than anybody is asked are refused, with the blocks."""
    published = health(2, ask=1, crosstabs=[])
    study = Study(published, 1, lambda _: None, lambda _: None)  # type: ignore[arg-type, return-value]
    with pytest.raises(NotAskedTogether) as caught:
        study.regress("limitation ~ health")
    assert "each respondent is asked 1 of the blocks (limitation; health; deductible_plan)" in str(
        caught.value
    )


def test_the_fewest_blocks_with_the_most_epsilon_are_taken() -> None:
    """One joint block goes before two separate ones."""
    published = health(4, ask="all", crosstabs=[["limitation", "health"]])
    asked = [question for question in published.questions if question.id != "deductible_plan"]
    (block,) = blocks_for(published, asked)
    assert [question.id for question in block.questions] == ["limitation", "health"]


def nothing(study: PublishedSurvey) -> JointCounts:
    """No report at all."""
    forms = [block.mechanism.form.shape for block in study.blocks]
    values = tuple(np.empty((0, *shape), dtype=np.int64) for shape in forms)
    empty = np.empty(0, dtype=np.int64)
    return JointCounts(values, np.empty((0, len(forms)), dtype=np.int64), empty)


def test_an_empty_study_and_one_report() -> None:
    """Without reports there is no regression, nor with fewer than there are coefficients."""
    published = health()
    study = Study(published, 1, lambda _: None, lambda _: nothing(published))  # type: ignore[arg-type, return-value]
    with pytest.raises(
        InvalidArgument, match="no report carries limitation, health, deductible_pl"
    ):
        study.regress(FORMULA)
    one = {name: places[:1] for name, places in real_answers(published).items()}
    single = simulate_survey(published, one, np.random.default_rng(1))
    with pytest.raises(NotIdentified, match=r"got 1 row for 5 coefficients \(Intercept, health\["):
        single.regress(FORMULA)


def test_questions_that_cannot_be_used() -> None:
    """Unknown questions are named with near ones, multiple choice with what to do."""
    published = survey(yes_no("asthma", **MUST), multiple("drugs"), ask="all")
    study = Study(published, 1, lambda _: None, lambda _: None)  # type: ignore[arg-type, return-value]
    with pytest.raises(ColumnNotFound, match="did you mean drugs"):
        study.regress("asthma ~ drug")
    with pytest.raises(InvalidArgument, match="drugs takes several options at once; allowed in a"):
        study.regress("asthma ~ drugs")


def every_number() -> tuple[PublishedSurvey, dict[str, NDArray[Any]]]:
    """A survey of numbers and a scale, answered by 6,000 people, some of whom do not."""
    published = survey(
        number("visits", highest=12, **MUST),
        scale("stress", levels=5),
        {**scale("sleep", levels=5, **MUST), "target": "mean", "mechanism": "piecewise"},
        yes_no("asthma", **MUST),
        epsilon=10,
        ask="all",
    )
    generator = np.random.default_rng(3)
    visits = generator.integers(13, size=6000)
    stress = np.clip(visits // 3 + generator.integers(-1, 2, size=6000), 0, 4)
    sleep = np.clip(4 - stress + generator.integers(-1, 2, size=6000), 0, 4)
    asthma = (generator.random(6000) < 0.2 + 0.05 * visits).astype(int)
    silent = generator.random(6000) < 0.1
    given = {
        "visits": visits,
        "stress": np.where(silent, 5, stress),
        "sleep": sleep,
        "asthma": 1 - asthma,
    }
    return published, given


@pytest.mark.parametrize(
    ("formula", "method"),
    [
        ("visits ~ asthma", "moments"),
        ("sleep ~ visits", "moments"),
        ("visits ~ stress", "moments"),
        ("asthma ~ visits", "likelihood"),
        ("asthma ~ C(stress, contr.treatment('1'))", "likelihood"),
        ("stress ~ asthma", "moments"),
    ],
)
def test_numbers_and_scales_are_regressed(formula: str, method: str) -> None:
    """Numbers as outcome and as predictor, among those who answered, find the truth."""
    published, given = every_number()
    study = simulate_survey(published, given, np.random.default_rng(11))
    found = study.regress(formula)
    assert found.method == method
    table = {
        question.id: [question.names[index] for index in given[question.id].tolist()]
        for question in published.questions
    }
    rows = [index for index, name in enumerate(table["stress"]) if name != "no_answer"]
    is_of_stress = "stress" in formula and "C(" not in formula
    kept = rows if is_of_stress else range(6000)
    clear: dict[str, Any] = {name: [column[row] for row in kept] for name, column in table.items()}
    for name in ("visits", "sleep", *(["stress"] if is_of_stress else [])):
        clear[name] = [float(value) for value in clear[name]]
    wanted = regress(formula, clear, method=method)
    for each in wanted.coefficients:
        own = found[each.name]
        count_check()
        assert 2 * stats.norm.sf(abs(own.estimate - each.estimate) / own.standard_error) > ALPHA
        assert own.standard_error < 3


def test_a_number_that_nobody_must_answer_is_no_regressor_of_a_likelihood() -> None:
    """Its "no answer" has no number: C() is named as the way out."""
    published, given = every_number()
    study = simulate_survey(published, given, np.random.default_rng(11))
    with pytest.raises(InvalidArgument, match=r"allowed is C\(stress\), with 'no_answer'"):
        study.regress("asthma ~ stress")


def test_a_rounded_number_is_an_outcome_and_no_predictor() -> None:
    """A number reported in coarse steps is regressed on, but not regressed with."""
    published = survey(
        {**number("visits", highest=100, **MUST), "target": "mean", "mechanism": "piecewise"},
        yes_no("asthma", **MUST),
        epsilon=1,
        ask="all",
    )
    _, given = every_number()
    asked = {name: given[name] for name in ("visits", "asthma")}
    study = simulate_survey(published, asked, np.random.default_rng(11))
    with pytest.raises(NotIdentified, match=r"visits: its .* 101 answers"):
        study.regress("asthma ~ visits")
    assert study.regress("visits ~ asthma").method == "moments"


def test_a_joint_block_of_which_only_some_questions_matter() -> None:
    """The likelihood averaged over the others is that of how many options support each answer.

    Enumerated: over all sets with as many options of each answer that matters
    it is, up to a factor of the set alone, the probability of such a set.
    """
    published = survey(yes_no("a", **MUST), choice("b", 3, **MUST), crosstabs=[["a", "b"]])
    (block,) = published.blocks
    design = from_mechanism(block.mechanism)
    chances = design.probabilities
    form = block.mechanism.form
    sets = np.array([json.loads(output) for output in theory.channel(block.mechanism)])
    sets = sets.reshape(-1, *form.shape)
    np.testing.assert_allclose(block_likelihood(block, sets), chances, rtol=1e-12)
    found = reports_of_block(block, published.questions[:1], sets, np.arange(len(sets)))
    merged = found.channel.constant[found.codes]
    members = sets.reshape(len(sets), -1)
    kinds = [(row < 3).sum() for row in members]
    for kind in set(kinds):
        rows = [index for index, each in enumerate(kinds) if each == kind]
        exact = chances[rows].sum(axis=0).reshape(2, 3)
        np.testing.assert_allclose(exact[:, :1], exact[:, 1:2], rtol=1e-12)
        ratios = merged[rows][:, 0] / merged[rows][:, 1]
        np.testing.assert_allclose(ratios, exact[0, 0] / exact[1, 0], rtol=1e-12)


def test_closed_scores_of_a_joint_block_are_unbiased() -> None:
    """Under every joint answer the mean of a score is the indicator of the answer that matters."""
    published = survey(yes_no("a", **MUST), scale("b", levels=4, **MUST), crosstabs=[["a", "b"]])
    (block,) = published.blocks
    sets = np.array([json.loads(output) for output in theory.channel(block.mechanism)])
    sets = sets.reshape(-1, *block.mechanism.form.shape)
    found = reports_of_block(block, published.questions[1:], sets, np.arange(len(sets)))
    assert found.channel.scores is not None
    scores = found.channel.scores[found.codes]
    means = block_likelihood(block, sets).T @ scores
    np.testing.assert_allclose(means, np.tile(np.eye(4), (2, 1)), atol=1e-12)


@pytest.mark.parametrize("asked", [scale("c", levels=4), choice("c", 3), yes_no("c")])
def test_who_gives_no_answer_has_no_place_in_an_order(asked: dict[str, Any]) -> None:
    """To refuse is not the most of a scale; as a category of its own it has odds."""
    published = survey(yes_no(**MUST), asked, crosstabs=[["asthma", "c"]], epsilon=3)
    generator, count = np.random.default_rng(3), len(published.questions[1].names)
    answers = {"asthma": generator.integers(2, size=900), "c": generator.integers(count, size=900)}
    study = simulate_survey(published, answers, generator)
    with pytest.raises(InvalidArgument, match="'no_answer'; that is not above or below"):
        study.regress("c ~ asthma", link="ordered")
    apart = study.regress("c ~ asthma", link="logit")
    assert any("no_answer" in each.name for each in apart.coefficients)
