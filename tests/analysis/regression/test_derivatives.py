"""The derivatives of the likelihood, against differences and enumeration."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis.regressions import CASES, Case, people, randomized
from deniable_analysis.regression import evaluation
from deniable_analysis.regression.evaluation import Pattern, evaluate, log_likelihood
from deniable_analysis.regression.fit import expected_information
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcomes import LINKS
from deniable_analysis.regression.starts import start

TABLE = randomized(people(60))
STEP = 1e-5


def somewhere(model: Model, seed: int = 3) -> NDArray[np.float64]:
    """Parameters near the start, where no derivative is 0."""
    generator = np.random.default_rng(seed)
    begin = start(model, np.full(len(model.unknown), 0.6))
    return begin + 0.2 * generator.normal(size=model.size)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_scores_are_the_gradient(case: Case) -> None:
    """The rows' scores add up to what the log likelihood gains by small steps."""
    model = case.assembly(TABLE).model
    at = somewhere(model)
    found = model.counts @ evaluate(model, at).scores
    steps = np.eye(model.size) * STEP
    differences = [
        (log_likelihood(model, at + step) - log_likelihood(model, at - step)) / (2 * STEP)
        for step in steps
    ]
    np.testing.assert_allclose(found, differences, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_information_is_minus_the_slope_of_the_scores(case: Case) -> None:
    """The observed information is what small steps take from the scores."""
    model = case.assembly(TABLE).model
    at = somewhere(model)
    steps = np.eye(model.size) * STEP
    differences = [
        model.counts
        @ (evaluate(model, at - step).scores - evaluate(model, at + step).scores)
        / (2 * STEP)
        for step in steps
    ]
    found = evaluate(model, at).observed
    np.testing.assert_allclose(found, differences, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found, found.T, rtol=0, atol=1e-9)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_chunks_make_no_difference(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows looked at a few at a time give the same numbers."""
    model = case.assembly(TABLE).model
    at = somewhere(model)
    whole = evaluate(model, at)
    monkeypatch.setattr(evaluation, "_CHUNK_NUMBERS", 300)
    parts = evaluate(model, at)
    np.testing.assert_allclose(parts.observed, whole.observed, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(parts.scores, whole.scores, rtol=1e-10, atol=1e-12)
    assert log_likelihood(model, at) == pytest.approx(whole.log_likelihood, rel=1e-12)


@pytest.mark.parametrize("name", LINKS)
def test_links_give_probabilities_and_their_derivatives(name: str) -> None:
    """P(yes) and P(no) sum to 1, far out too, and their slopes are differences."""
    predictor = np.linspace(-6, 3, 19)
    logs = LINKS[name](predictor)
    np.testing.assert_allclose(np.exp(logs.value[0]) + np.exp(logs.value[1]), 1, rtol=1e-14)
    up, down = LINKS[name](predictor + STEP), LINKS[name](predictor - STEP)
    for side in (0, 1):
        slopes = (up.value[side] - down.value[side]) / (2 * STEP)
        np.testing.assert_allclose(logs.first[side], slopes, rtol=1e-5, atol=1e-9)
        curves = (up.first[side] - down.first[side]) / (2 * STEP)
        np.testing.assert_allclose(logs.second[side], curves, rtol=1e-5, atol=1e-9)
    for far in (-700.0, 700.0):
        beyond = LINKS[name](np.array([far]))
        assert all(np.isfinite(each).all() for each in (*beyond.first, *beyond.second))


@pytest.mark.parametrize("name", ["logit", "hidden predictors alone", "multinomial", "ordered"])
def test_expected_information_is_the_mean_over_all_that_can_be_reported(name: str) -> None:
    """Every combination of reports, by its probability: scores squared, and the information."""
    model = CASES[name].assembly(TABLE.head(4)).model
    at = somewhere(model)
    by_scores = np.zeros((model.size, model.size))
    by_information = np.zeros((model.size, model.size))
    total = 0.0
    for codes in product(*(range(len(each.channel.constant)) for each in model.reports)):
        everywhere = tuple(
            replace(each, codes=np.full(len(model.counts), code))
            for each, code in zip(model.reports, codes, strict=True)
        )
        other = replace(model, reports=everywhere)
        found = evaluate(other, at)
        chances = np.exp(found.rows)
        total += float(chances.sum())
        by_scores += (found.scores.T * chances * model.counts) @ found.scores
        by_information += evaluate(replace(other, counts=model.counts * chances), at).observed
    assert total == pytest.approx(len(model.counts), rel=1e-12)
    expected = expected_information(model, at)
    np.testing.assert_allclose(expected, by_scores, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(expected, by_information, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_means_move_as_their_gradients_say(case: Case) -> None:
    """What is expected of an outcome moves with its predictors as it says."""
    model = case.assembly(TABLE).model
    every = slice(0, len(model.counts))
    linear = model.linear(somewhere(model), every)
    means, moved = model.outcome.means(linear)
    for index in range(len(linear)):
        step = np.zeros_like(linear)
        step[index] = STEP
        up, down = (model.outcome.means(linear + sign * step)[0] for sign in (1, -1))
        np.testing.assert_allclose(moved[index], (up - down) / (2 * STEP), rtol=1e-5, atol=1e-8)
    if len(means) > 1:
        np.testing.assert_allclose(means.sum(axis=0), 1, rtol=1e-12)


@pytest.mark.parametrize("name", [name for name, each in CASES.items() if "normal" not in name])
def test_rows_that_are_alike_are_looked_at_together(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By patterns of what is clear, totals are those of the rows one by one."""
    table = randomized(people(600)).assign(age=lambda each: each["age"].round().clip(-1, 1))
    model = CASES[name].assembly(table).model
    at = start(model, np.full(len(model.unknown), 0.6)) + 0.1 * np.sin(np.arange(model.size))
    monkeypatch.setattr("deniable_analysis.regression.evaluation._FEWEST_ROWS", 1)
    patterns = Pattern.all_of(replace(model, counts=model.counts + 0.5))
    assert (patterns is None) == bool(model.unknown)
    if patterns is None:
        return
    assert len(patterns) == (3 if "age" in CASES[name].formula else 1)
    found = [each.totals(at) for each in patterns]
    whole = evaluate(replace(model, counts=model.counts + 0.5), at)
    weighted = whole.scores.T * (model.counts + 0.5)
    wanted = {
        "log_likelihood": whole.log_likelihood,
        "gradient": weighted.sum(axis=1),
        "scatter": weighted @ whole.scores,
        "observed": whole.observed,
    }
    for each, number in wanted.items():
        total = sum(getattr(one, each) for one in found)
        np.testing.assert_allclose(total, number, rtol=1e-9, atol=1e-7)
    logs = [each.log_likelihood(at) for each in patterns]
    assert sum(filter(None, logs)) == pytest.approx(whole.log_likelihood, rel=1e-12)
