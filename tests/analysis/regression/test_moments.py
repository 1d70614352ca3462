"""Regression of randomized numbers by unbiased moments."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.regressions import CHANNEL, THREE, WARNER, people, reported
from deniable_analysis import Regression, regress
from deniable_analysis.designs import ByGroup, Design, from_matrix, from_mechanism
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.regression.moments import unbiased_scores
from deniable_analysis.regression.observations import reports_of
from deniable_sdk.mechanisms import OneOf, Piecewise
from deniable_sdk.weights import integer_weights
from sampled_params import sampled_params
from sampling_checks import ALPHA, count_check

GRID = 6
WEIGHTS = integer_weights(Fraction(2))
WAVE = from_mechanism(Piecewise(OneOf(GRID), GRID - 1, 3, WEIGHTS))
ONE_BIT = from_mechanism(Piecewise(OneOf(GRID), 1, 1, WEIGHTS))
WITH_NONE = from_mechanism(Piecewise(OneOf(GRID, offers_no_answer=True), GRID - 1, 3, WEIGHTS))


def numbers(rows: int, seed: int) -> tuple[pd.DataFrame, dict[str, NDArray[np.int64]]]:
    """Numbers that explain each other: x a grid, y a grid, habit yes or no."""
    generator = np.random.default_rng(seed)
    x = generator.integers(GRID, size=rows)
    habit = generator.integers(2, size=rows)
    y = np.clip((x + 2 * habit + generator.integers(3, size=rows)) // 2, 0, GRID - 1)
    table = pd.DataFrame({"income": 2 + 0.7 * x - habit + generator.normal(size=rows)})
    return table, {"x": x, "y": y, "habit": habit}


def told(rows: int, seed: int, **designs: Design) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A table of reports, and the same of true answers."""
    table, truths = numbers(rows, seed)
    generator = np.random.default_rng(seed + 1)
    given = {name: reported(design, truths[name], generator) for name, design in designs.items()}
    return table.assign(**given), table.assign(**truths)


def estimates(found: Regression) -> NDArray[np.float64]:
    """The estimates of the coefficients."""
    return np.array([each.estimate for each in found.coefficients])


@pytest.mark.parametrize("design", [WAVE, CHANNEL, WARNER, WITH_NONE], ids=lambda each: each.name)
def test_scores_are_unbiased(design: Design) -> None:
    """Under every answer the mean of a score is what the answer is worth."""
    table = {"column": list(design.observed)}
    targets: NDArray[np.float64] = np.column_stack(
        [np.eye(len(design.true)), np.arange(len(design.true), dtype=np.float64) ** 2]
    )
    scores = unbiased_scores(reports_of(table, "column", design), targets)
    np.testing.assert_allclose(design.probabilities.T @ scores, targets, atol=1e-9)


def test_scores_vary_least() -> None:
    """No other unbiased score has a smaller variance where all answers are as likely."""
    table = {"column": list(WAVE.observed)}
    worth = np.arange(GRID, dtype=float)[:, np.newaxis]
    scores = unbiased_scores(reports_of(table, "column", WAVE), worth)
    chances = WAVE.probabilities.mean(axis=1)
    _, _, rows = np.linalg.svd(WAVE.probabilities.T)
    for other in rows[GRID:]:
        assert abs(chances @ (scores[:, 0] * other)) < 1e-10


CASES: dict[str, tuple[str, dict[str, Design]]] = {
    "outcome": ("y ~ income", {"y": WAVE}),
    "one-bit outcome": ("y ~ income", {"y": ONE_BIT}),
    "predictor": ("income ~ x", {"x": WAVE}),
    "predictor beside a category": ("income ~ x + habit", {"x": WAVE, "habit": WARNER}),
    "outcome and predictors": ("y ~ x + habit", {"x": WAVE, "y": WAVE, "habit": WARNER}),
    "square of a predictor": ("income ~ x + I(x**2)", {"x": WAVE}),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", sampled_params(CASES))
def test_intervals_hold_what_true_answers_give(name: str) -> None:
    """Over 40 tables they hold the least squares of the true answers as often as they say.

    More often, where the true answers are the same: then only the randomization
    moves the estimate, and intervals are for chance in the respondents too.
    """
    formula, designs = CASES[name]
    hits = count = 0
    for seed in range(40):
        table, true = told(1500, seed, **designs)
        found = regress(formula, table, designs=designs)
        assert found.method == "moments"
        assert found.standard_errors == "sandwich"
        plain = regress(formula.replace("habit", "C(habit)"), true, method="moments")
        pairs = list(zip(found.coefficients, estimates(plain), strict=True))
        hits += sum(each.low <= wanted <= each.high for each, wanted in pairs)
        count += len(pairs)
    count_check()
    assert stats.binom.cdf(hits, count, 0.95) > ALPHA


def test_naive_numbers_are_pulled_to_zero_and_moments_are_not() -> None:
    """The slope on a square wave's raw reports is far too small, that by moments is right."""
    table, true = told(20_000, 3, x=WAVE)
    slope = regress("income ~ x", true, method="moments")["x"].estimate
    naive = regress("income ~ x", table.assign(x=table["x"].astype(float)))["x"].estimate
    found = regress("income ~ x", table, designs={"x": WAVE})["x"]
    assert naive < 0.75 * slope
    assert abs(found.estimate - slope) < 4 * found.standard_error
    assert found.standard_error < 0.1 * slope


def test_a_one_bit_predictor_is_refused() -> None:
    """One bit tells the mean of a predictor, but not its square."""
    table, _ = told(200, 1, x=ONE_BIT)
    with pytest.raises(NotIdentified, match="no score of its reports is unbiased"):
        regress("income ~ x", table, designs={"x": ONE_BIT})
    with pytest.raises(NotIdentified, match="cannot distinguish 6 answers"):
        regress("income ~ x", table, designs={"x": ONE_BIT}, method="likelihood")


def test_numbers_may_be_categories() -> None:
    """Within C() the levels of a randomized number are categories, by likelihood."""
    table, _ = told(4000, 5, habit=WARNER)
    found = regress("income ~ C(habit)", table, designs={"habit": WARNER})
    assert found.method == "likelihood"
    assert [each.name for each in found.coefficients] == ["Intercept", "C(habit)[T.yes]"]


def test_weights_and_clusters_of_moments() -> None:
    """Weights of 2 are doubled rows; clusters of single rows are a sandwich."""
    table, _ = told(600, 2, x=WAVE)
    designs = {"x": WAVE}
    found = regress("income ~ x", table, designs=designs)
    doubled = regress("income ~ x", table, designs=designs, weights=np.full(600, 2.0))
    np.testing.assert_allclose(doubled.covariance, found.covariance, rtol=1e-9)
    own = table.assign(row=range(600))
    clustered = regress("income ~ x", own, designs=designs, cluster="row")
    np.testing.assert_allclose(clustered.covariance, found.covariance * 600 / 599, rtol=1e-9)


def test_a_design_by_group_is_scored_group_by_group() -> None:
    """Rows of two groups with different designs are each scored by their own."""
    table, truths = numbers(3000, 8)
    generator = np.random.default_rng(8)
    exact = from_matrix(np.eye(GRID))
    clear = np.arange(3000) % 2 == 0
    x = np.array(reported(WAVE, truths["x"], generator), dtype=object)
    x[clear] = truths["x"][clear].astype(str)
    mixed = table.assign(x=x, how=np.where(clear, "asked", "device"))
    designs = {"x": ByGroup("how", {"asked": exact, "device": WAVE})}
    found = regress("income ~ x", mixed, designs=designs)
    only = regress("income ~ x", mixed[~clear], designs={"x": WAVE})
    assert found["x"].standard_error < only["x"].standard_error
    assert abs(found["x"].estimate - 0.7) < 5 * found["x"].standard_error


def test_predictions_of_moments_need_true_answers() -> None:
    """Means are predicted for rows with true answers, with intervals."""
    table, _ = told(3000, 4, x=WAVE)
    found = regress("income ~ x", table, designs={"x": WAVE})
    shown = found.predict({"x": [0, 5]})
    intercept, slope = estimates(found)
    np.testing.assert_allclose(shown.values[:, 0], [intercept, intercept + 5 * slope])
    reach = 1.959964 * np.sqrt(found.covariance[0, 0])
    assert shown.low[0, 0] == pytest.approx(intercept - reach, rel=1e-6)


def test_too_many_sets_are_not_scored() -> None:
    """What cannot be listed is not scored, but likelihoods of it are taken."""
    reports = reports_of({"x": ["0"]}, "x", WAVE)
    hidden: Any = replace(reports, channel=replace(reports.channel, groups=None))
    with pytest.raises(InvalidArgument, match="there are too many possible reports"):
        unbiased_scores(hidden, np.eye(GRID))


def test_income_by_group_agrees_by_both_methods() -> None:
    """Likelihood and moments of the same randomized category agree within their errors."""
    true = people(6000)
    told_group = reported(CHANNEL, true["group"].to_numpy(), np.random.default_rng(1))
    table = true.assign(group=told_group)
    designs = {"group": CHANNEL}
    likely = regress("income ~ group", table, designs=designs)
    moments = regress("income ~ group", table, designs=designs, method="moments")
    assert [each.name for each in likely.coefficients] == [
        "Intercept",
        f"group[T.{THREE[1]}]",
        f"group[T.{THREE[2]}]",
    ]
    for each, other in zip(likely.coefficients, moments.coefficients, strict=True):
        assert abs(each.estimate - other.estimate) < 4 * other.standard_error
        assert each.standard_error < other.standard_error
