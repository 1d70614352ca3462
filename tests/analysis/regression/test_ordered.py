"""Ordered outcomes of which the reports leave a category empty."""

import numpy as np
import pandas as pd
import pytest

from deniable_analysis import Regression, regress
from deniable_analysis.designs import forced_choice, from_matrix
from deniable_analysis.regression.evaluation import evaluate
from deniable_analysis.regression.maximize import Lost, maximize
from sampled_params import sampled_params
from there import there

THREE = forced_choice({"a": 0.2, "b": 0.2, "c": 0.2})
FIVE = forced_choice(dict.fromkeys("abcde", 0.12))
EDGES = from_matrix(
    [[0.6, 0.2], [0.2, 0.2], [0.2, 0.6]], observed=("a", "b", "c"), true=("a", "c")
)


def nobody_between(seed: int, count: int = 3, rows: int = 400) -> pd.DataFrame:
    """Reports of people none of whom is in a middle category."""
    generator = np.random.default_rng(seed)
    x = generator.normal(size=rows)
    true = np.where(generator.random(rows) < 1 / (1 + np.exp(-x)), count - 1, 0)
    told = np.where(generator.random(rows) < 0.6, generator.integers(0, count, rows), true)
    return pd.DataFrame({"y": np.array(list("abcde"))[told], "x": x})


def ordered(seed: int) -> Regression:
    """The regression of such reports."""
    return regress("y ~ x", nobody_between(seed), designs={"y": THREE}, link="ordered")


def test_thresholds_do_not_cross() -> None:
    """An ordered category that hardly anybody is in keeps a share above 0."""
    found = ordered(1)
    assert found["a|b"].estimate < found["b|c"].estimate
    assert found.predict().values.min() > 0
    assert found.warnings == ()


def test_a_category_that_is_left_empty() -> None:
    """What is found is the logit of the two others, whose thresholds are one."""
    found = ordered(2)
    edges = regress("y ~ x", nobody_between(2), designs={"y": EDGES})
    assert found.log_likelihood == pytest.approx(edges.log_likelihood, abs=1e-7)
    assert found["x"].estimate == pytest.approx(edges["x"].estimate, abs=1e-6)
    assert found["x"].standard_error == pytest.approx(edges["x"].standard_error, abs=1e-6)
    for threshold in ("a|b", "b|c"):
        assert found[threshold].estimate == pytest.approx(-edges["Intercept"].estimate, abs=1e-6)
        assert found[threshold].standard_error == pytest.approx(
            edges["Intercept"].standard_error, abs=1e-6
        )
    assert found.warnings == (
        (
            "b: the likelihood is highest with nobody in this category, whose two thresholds then "
            "coincide; standard errors treat it as empty"
        ),
    )
    shown = found.predict()
    assert shown.values[:, 1] == pytest.approx(np.zeros(400), abs=1e-15)
    assert shown.values[:, 2] == pytest.approx(edges.predict().values[:, 0], abs=1e-6)
    assert shown.warnings[0].startswith("b: has nobody in the regression, so results")
    assert found.average_marginal_effects().warnings == shown.warnings


def test_tests_of_what_has_an_empty_category() -> None:
    """Each coefficient is tested against the same likelihood as with the two others."""
    edges = regress("y ~ x", nobody_between(2), designs={"y": EDGES})
    tests = ordered(2).likelihood_ratios().tests
    wanted = edges.likelihood_ratios().tests
    assert [each.statistic for each in tests[1:]] == pytest.approx(
        [each.statistic for each in wanted], abs=1e-6
    )


@pytest.mark.parametrize("seed", sampled_params(range(4)))
def test_several_empty_categories(seed: int) -> None:
    """Of five categories three may be empty, and no other start leads higher."""
    found = regress("y ~ x", nobody_between(seed, 5, 100), designs={"y": FIVE}, link="ordered")
    thresholds = [found[name].estimate for name in ("a|b", "b|c", "c|d", "d|e")]
    assert thresholds == sorted(thresholds)
    empty = [name for name, gap in zip("bcd", np.diff(thresholds), strict=True) if gap == 0]
    assert list(found.fit.empty) == empty
    assert (found.warnings != ()) is bool(empty)
    model, start = found.assembly.model, found.fit.parameters.copy()
    others = []
    for width in (0.05, 0.5):
        start[:4] = np.array(thresholds) + width * np.arange(-1.5, 2)
        try:
            others.append(maximize(model, start).evaluation.log_likelihood)
        except Lost as lost:
            # A climb towards a border never ends; this is how far it came.
            others.append(evaluate(model, lost.parameters).log_likelihood)
    assert len(others) == 2
    assert max(others) <= there(found.log_likelihood) + 1e-7


@pytest.mark.deep
def test_thresholds_of_five_are_tested_in_order() -> None:
    """Holding one at 0 moves the others out of its way."""
    found = regress("y ~ x", nobody_between(1, 5, 60), designs={"y": FIVE}, link="ordered")
    assert all(each.statistic >= 0 for each in found.likelihood_ratios().tests)
    assert len(found.likelihood_ratios().tests) == 5
