"""Prevalences of weighted rows."""

import math
from typing import Any

import numpy as np
import pytest

from deniable_analysis.designs import (
    ByGroup,
    Design,
    Prevalence,
    prevalence,
    stochastic_lie_detector,
    warner,
)
from deniable_analysis.estimate.channel import Channel
from deniable_analysis.estimate.weights import weighted_shares


def _covariance(result: Prevalence) -> np.ndarray:
    return np.array(result.covariance)


def test_equal_weights_change_nothing() -> None:
    """Weights that are all alike give the unweighted estimate and its errors."""
    table = {"answer": ["no"] * 30 + ["yes"] * 20, "weight": [2.5] * 50}
    plain = prevalence(table, "answer", design=warner(0.7))
    weighted = prevalence(table, "answer", design=warner(0.7), weights="weight")
    assert weighted.standard_errors == "linearized"
    for first, second in zip(plain.options, weighted.options, strict=True):
        assert second.share == pytest.approx(first.share)
        assert second.standard_error == pytest.approx(first.standard_error)
        assert second.mechanism_variance == pytest.approx(first.mechanism_variance)
        assert (second.low, second.high) == pytest.approx((first.low, first.high))


def test_weighted_shares_are_those_of_the_estimators() -> None:
    """A table's weighted share and interval are those of weighted reports, but for n - 1."""
    answers = np.array([0, 1] * 40 + [1] * 20)
    weights = np.arange(1.0, 101.0) % 4 + 1
    found = prevalence({"a": answers}, "a", design=warner(0.75), weights=weights)
    expected = weighted_shares(answers[:, None], weights, Channel(0.75, 0.25))
    yes = found["yes"]
    assert yes.share == pytest.approx(expected.shares[0])
    assert (yes.low, yes.high) == pytest.approx((expected.low[0], expected.high[0]))
    assert yes.mechanism_variance == pytest.approx(expected.mechanism_variance[0])
    assert yes.standard_error == pytest.approx(expected.standard_errors[0] * math.sqrt(100 / 99))
    assert found.effective == pytest.approx(expected.effective_count)


@pytest.mark.parametrize(
    "design", [warner(0.75), ByGroup("g", stochastic_lie_detector({0: 0.2, 1: 0.8}))]
)
def test_the_sandwich_of_weights_is_the_linearized_error_but_for_one_answer(design: Any) -> None:
    """Where as much is estimated as is seen, both ways to an error with weights agree."""
    groups = np.arange(240) % 2
    answers = ((np.arange(240) * 7) % 12 < 5 + 2 * groups).astype(int)
    table = {"a": answers, "g": groups, "w": np.arange(240) % 5 + 1.0}
    linear = prevalence(table, "a", design=design, weights="w")
    sandwich = prevalence(table, "a", design=design, weights="w", method="likelihood")
    assert sandwich.standard_errors == "sandwich"
    rows = 240 if isinstance(design, Design) else 120
    assert _covariance(sandwich) == pytest.approx(_covariance(linear) * (rows - 1) / rows)
