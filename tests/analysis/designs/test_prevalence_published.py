"""Prevalences that others have published, again."""

import math
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest

from analysis.known.prevalences import KNOWN, Known
from analysis.known.studies import needs_studies, reference, study
from deniable_analysis.designs import (
    ByGroup,
    compare_with_direct,
    direct,
    forced_response,
    mangat,
    prevalence,
    stochastic_lie_detector,
)

SIXTH = Fraction(1, 6)
DETECTOR = stochastic_lie_detector({1: SIXTH, 2: 1 - SIXTH})
BY_CONDITION = ByGroup("condition", DETECTOR)
BY_DIE = forced_response(yes=SIXTH, no=SIXTH)

FOUR_DIGITS = 5e-5
KUK_DIGITS = 3.1e-4

# The rows of each case of the stochastic lie detector.
MINARETS = {
    "all": "RRdesign == 1",
    "left": "RRdesign == 1 & leftRight < 0",
    "centre": "RRdesign == 1 & leftRight == 0",
    "right": "RRdesign == 1 & leftRight > 0",
    "age_le_22": "RRdesign == 1 & age <= 22",
    "age_ge_23": "RRdesign == 1 & age >= 23",
}
NIGERIA = {"all": "Quesid > 0", "female0": "`cov.female` == 0", "female1": "`cov.female` == 1"}


@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_moments_from_counts(known: Known) -> None:
    """Unbiased shares and parameters, and their errors, are those of the published formulas."""
    found = prevalence(known.counts, design=known.design)
    digits = KUK_DIGITS if known is KNOWN["kuk, five cards"] else 1e-9
    for category, share in known.shares.items():
        assert found[category].share == pytest.approx(share, rel=1e-9)
    for category, error in known.errors.items():
        assert found[category].standard_error == pytest.approx(error, rel=digits)
    parameters = {each.name: (each.value, each.standard_error) for each in found.parameters}
    assert parameters.keys() == (known.parameters or {}).keys()
    for name, expected in (known.parameters or {}).items():
        assert parameters[name] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_likelihoods_from_counts(known: Known) -> None:
    """The likeliest shares and their log likelihood are those of another optimizer."""
    found = prevalence(known.counts, design=known.design, method="likelihood")
    for category, share in (known.likeliest or known.shares).items():
        assert found[category].share == pytest.approx(share, abs=1e-6)
    for each in found.parameters:
        assert known.parameters is not None
        assert each.value == pytest.approx(known.parameters[each.name][0], abs=1e-6)
    assert found.log_likelihood == pytest.approx(known.log_likelihood, rel=1e-9)
    assert found.boundary == ()


def test_the_likelihoods_errors_are_those_of_the_moments_but_for_one_answer() -> None:
    """Inside the bounds the observed information differs by n / (n - 1) only."""
    for name in ("warner", "forced response of five"):
        known = KNOWN[name]
        found = prevalence(known.counts, design=known.design, method="likelihood")
        for category, error in known.errors.items():
            expected = error * math.sqrt(999 / 1000)
            assert found[category].standard_error == pytest.approx(expected, rel=1e-6)


def _rows(case: Any, name: str, query: str) -> pd.DataFrame:
    rows = study(name).query(query)
    assert case["n"] <= len(rows)
    return rows


@needs_studies
@pytest.mark.parametrize("group", MINARETS)
def test_the_minarets_survey_by_moments(group: str) -> None:
    """Shares and truthfulness in the minarets study, with their errors, are as published."""
    case = reference(f"minarets_sld_{group}_moment")
    found = prevalence(_rows(case, "minarets", MINARETS[group]), "rrt", design=BY_CONDITION)
    yes, (truth,) = found["yes"], found.parameters
    result = case["result"]
    assert found.rows == case["n"]
    assert yes.share == pytest.approx(result["pi"], rel=FOUR_DIGITS)
    assert yes.standard_error == pytest.approx(result["pi_se"], rel=FOUR_DIGITS)
    assert truth.value == pytest.approx(result["t"], rel=FOUR_DIGITS)
    assert truth.standard_error == pytest.approx(result["tSE"], rel=FOUR_DIGITS)


@needs_studies
@pytest.mark.parametrize("group", MINARETS)
def test_the_minarets_survey_by_likelihood(group: str) -> None:
    """The likeliest shares of the minarets study are the independent check's."""
    case = reference(f"minarets_sld_{group}_ml")
    rows = _rows(case, "minarets", MINARETS[group])
    found = prevalence(rows, "rrt", design=BY_CONDITION, method="likelihood")
    check = case["own_check"]
    assert found["yes"].share == pytest.approx(check["ml"]["pi"], rel=FOUR_DIGITS)
    assert found.parameters[0].value == pytest.approx(check["ml"]["t"], rel=FOUR_DIGITS)
    assert found.log_likelihood == pytest.approx(check["log_lik_no_constant"], rel=1e-9)
    assert ("yes" in found.boundary) == (group == "right")


@needs_studies
@pytest.mark.parametrize("condition", [1, 2])
def test_the_minarets_survey_read_as_mangats(condition: int) -> None:
    """One group read as Mangat's design is impossible in the one and plain in the other."""
    case = reference(f"minarets_mangat_condition{condition}_moment")
    rows = _rows(case, "minarets", f"condition == {condition}")
    design = mangat(SIXTH if condition == 1 else 1 - SIXTH)
    found = prevalence(rows, "rrt", design=design)
    assert found["yes"].share == pytest.approx(case["result"]["pi"], rel=FOUR_DIGITS)
    error = found["yes"].standard_error
    assert error == pytest.approx(case["result"]["pi_se"], rel=FOUR_DIGITS)
    assert bool(found.warnings) == (condition == 1)
    top = prevalence(rows, "rrt", design=design, method="likelihood")
    shares = [option.share for option in top.options]
    assert shares == pytest.approx(case["own_check"]["pi_ml_on_simplex"], abs=1e-9)
    assert top.log_likelihood == pytest.approx(case["own_check"]["log_lik_no_constant"], rel=1e-9)


@needs_studies
def test_the_minarets_survey_asked_openly() -> None:
    """The direct answers give the published share and error."""
    case = reference("minarets_dq")
    rows = _rows(case, "minarets", "RRdesign == -1")
    found = prevalence(rows, "rrt", design=direct())["yes"]
    assert found.share == pytest.approx(case["result"]["pi"], rel=FOUR_DIGITS)
    assert found.standard_error == pytest.approx(case["result"]["pi_se"], rel=FOUR_DIGITS)


@needs_studies
def test_randomized_against_direct_answers_of_the_minarets_survey() -> None:
    """The likelihood ratio of equal shares is that of the published regression."""
    case = reference("minarets_lrt_format")
    by_format = ByGroup("condition", DETECTOR.with_direct(0))
    found = compare_with_direct(study("minarets"), "rrt", design=by_format)
    assert found.likelihood_ratio == pytest.approx(case["chi2"], rel=1e-6)
    assert found.degrees_of_freedom == case["df"]
    assert found.p_value == pytest.approx(case["p"], rel=1e-3)


@needs_studies
@pytest.mark.parametrize("group", NIGERIA)
def test_the_nigeria_survey(group: str) -> None:
    """Shares in the Nigeria study, with their errors, are the reference's."""
    case = reference(f"nigeria_fr_{group}_moment")
    rows = _rows(case, "nigeria", NIGERIA[group])
    found = prevalence(rows, "rr.q1", design=BY_DIE)
    assert found.rows == case["n"]
    assert found.missing == len(rows) - case["n"]
    shares = [option.share for option in found.options]
    errors = [option.standard_error for option in found.options]
    assert shares == pytest.approx(case["result"]["pi"], rel=FOUR_DIGITS)
    assert errors == pytest.approx(case["result"]["pi_se"], rel=FOUR_DIGITS)
    top = prevalence(rows, "rr.q1", design=BY_DIE, method="likelihood")
    check = case["own_check"]
    assert [option.share for option in top.options] == pytest.approx(
        check["pi_ml_on_simplex"], abs=1e-8
    )
    assert top.log_likelihood == pytest.approx(check["log_lik_no_constant"], rel=1e-9)
