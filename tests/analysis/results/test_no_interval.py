"""No interval where the reports show no variance, whatever is estimated of them."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.related import MUST, counted_study, with_mechanisms
from deniable_analysis import Study, regress
from deniable_analysis.designs import (
    ByGroup,
    compare_with_direct,
    direct,
    from_matrix,
    prevalence,
    stochastic_lie_detector,
)
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights
from deniable_storage.counts import JointCounts
from sample_definitions import choice, survey

WEIGHTS = Weights(7, 1)
LETTERS = ("a", "b", "c")
NOISY = from_matrix(
    [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], observed=LETTERS, true=LETTERS
)


def alike(reports: int) -> Study:
    """A study in which everybody reports the same: two towns, and a mode."""
    published = with_mechanisms(
        survey(choice("town", 4, **MUST), choice("mode", 2, **MUST), epsilon=4, ask=2),
        Subset(4, 2, WEIGHTS),
        Subset(2, 1, WEIGHTS),
    )
    found = JointCounts(
        (np.array([[0, 1]]), np.array([0])), np.array([[0, 0]]), np.array([reports])
    )
    counts = counted_study(published, town={0: reports, 1: reports}, mode=[reports, 0])
    return Study(published, 1, counts.count, lambda _: found)


@pytest.mark.parametrize("reports", [1, 2, 3, 7, 10, 100])
def test_groups_that_all_report_alike_may_differ_by_anything(reports: int) -> None:
    """Differences of groups whose reports do not vary have the widest ends, and no test."""
    found = alike(reports).compare_groups("mode", "town", ("o0", "o1"))
    for each in found.options:
        assert each.difference == pytest.approx(0)
        assert (each.low, each.high) == pytest.approx((-1, 1))
        assert (each.z, each.p_value, each.standard_error) == (None, None, None)


@pytest.mark.parametrize("rows", [2, 3, 7, 10, 13])
def test_rows_that_are_all_alike_have_no_interval(rows: int) -> None:
    """Shares of three categories, of which one only was reported, have no ends."""
    found = prevalence([rows, 0, 0], design=NOISY)
    assert found.interval == "wald"
    assert [each.share for each in found.options] == pytest.approx([9 / 7, -1 / 7, -1 / 7])
    assert [(each.low, each.high) for each in found.options] == [(None, None)] * 3


def test_unknown_parameters_without_variance_have_no_interval() -> None:
    """The unknown parameter of groups that answer alike has no ends either."""
    found = prevalence([[9, 0], [0, 9]], design=stochastic_lie_detector({1: 0.2, 2: 0.8}))
    (honest,) = found.parameters
    assert honest.value == pytest.approx(0.5)
    assert (honest.low, honest.high) == (None, None)


def test_differences_from_direct_answers_without_variance_have_no_interval() -> None:
    """Where both groups answer alike, no difference has ends, and none has a test."""
    table = pd.DataFrame({"group": [0] * 9 + [1] * 9, "answer": ["a"] * 18})
    design: Any = ByGroup("group", {0: direct(LETTERS), 1: NOISY})
    differences = compare_with_direct(table, "answer", design=design).differences
    assert differences
    for each in differences:
        assert abs(each.difference) > 0.1
        assert (each.low, each.high, each.z, each.p_value) == (None, None, None, None)


@pytest.mark.parametrize(("slope", "unit"), [(3.0, 1.0), (0.0, 1.0), (3.0, 1e-9), (0.0, 1e6)])
def test_numbers_on_a_line_have_no_interval(slope: float, unit: float) -> None:
    """Coefficients and predictions of an outcome that strays from no line have no ends."""
    ages = np.arange(40) % 7
    table = {"income": unit * (2 + slope * ages), "age": ages}
    found = regress("income ~ age", table, method="moments")
    assert found["age"].estimate == pytest.approx(slope * unit, abs=1e-9 * unit)
    for each in found.coefficients:
        assert math.isnan(each.low)
        assert math.isnan(each.high)
        assert each.z is each.p_value is each.to_document()["low"] is None
        assert each.cells()[2:] == ("", "", "", "")
        assert (each.mark().low, each.mark().high) == (None, None)
    predicted = found.predict()
    assert np.isnan(predicted.low).all()
    assert predicted.to_document()["high"] == [[None]] * 40
    assert "nan" not in str(found) + str(predicted)


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_small_units_keep_their_intervals(unit: float) -> None:
    """Numbers that do stray from a line have intervals, however small they are."""
    ages = np.arange(40) % 7
    noise = np.random.default_rng(5).normal(size=40)
    table = {"income": unit * (2 + 3 * ages + noise), "age": ages}
    for method in ("moments", "likelihood"):
        found = regress("income ~ age", table, method=method)
        one = found["age"]
        assert one.low < one.estimate < one.high
        assert one.p_value is not None
        assert np.isfinite(found.predict().low).all()


def test_effects_that_rest_on_nothing_finite_have_no_interval() -> None:
    """Where every coefficient runs to infinity, what follows from them has no ends."""
    table = {"sick": ["no"] * 9 + ["yes"] * 9, "town": ["here"] * 9 + ["there"] * 9}
    found = regress("sick ~ town", table)
    assert all(each.is_infinite for each in found.coefficients)
    (effect,) = found.average_marginal_effects().effects
    assert effect.estimate == pytest.approx(1)
    assert math.isnan(effect.low)
    assert effect.p_value is None
    predicted = found.predict()
    assert np.isnan(predicted.low).all()
    assert np.isnan(predicted.high).all()
    assert {mark.low for chart in predicted.charts() for mark in chart.marks} == {None}
