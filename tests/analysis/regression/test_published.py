"""Regressions of published studies give the reference results."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from analysis.known.studies import needs_studies, reference, study
from deniable_analysis import Regression, likelihood_ratio, regress
from deniable_analysis.designs import ByGroup, forced_response, stochastic_lie_detector
from deniable_analysis.regression import Coefficient
from deniable_analysis.regression.evaluation import evaluate

pytestmark = needs_studies

DIE = forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
DETECTOR = stochastic_lie_detector({1: Fraction(2, 12), 2: Fraction(10, 12)})
COVARIATES = (
    "cov.asset.index + cov.married + I(cov.age/10) + I((cov.age/10)**2) + cov.education "
    "+ cov.female"
)
# Four digits, and the references' own last ones.
DIGITS = 5e-5


def nigeria(formula: str, **choices: Any) -> Regression:
    """A regression of the survey on contact with armed groups."""
    return regress(formula, study("nigeria"), designs={"rr.q1": DIE}, **choices)


def minarets(formula: str, **choices: Any) -> Regression:
    """A regression of the survey on minarets, of those asked with the detector."""
    table = study("minarets")
    design = ByGroup("condition", DETECTOR)
    return regress(formula, table[table["RRdesign"] == 1], designs={"rrt": design}, **choices)


def minarets_with_direct(formula: str) -> Regression:
    """A regression of all, those who were asked directly too."""
    design = ByGroup("condition", DETECTOR.with_direct(0))
    return regress(formula, study("minarets"), designs={"rrt": design})


def check(
    found: tuple[Coefficient, ...],
    estimates: list[float],
    errors: list[float],
    rel: float = DIGITS,
) -> None:
    """The same estimates and standard errors."""
    np.testing.assert_allclose([each.estimate for each in found], estimates, rtol=rel)
    np.testing.assert_allclose([each.standard_error for each in found], errors, rtol=rel)


def test_logistic_with_a_forced_response_outcome() -> None:
    """Estimates, observed errors and likelihood ratios of Blair, Imai and Zhou's Table 3."""
    found = nigeria(f"rr.q1 ~ {COVARIATES}")
    case = reference("nigeria_rrreg_tight")
    rows = case["coefficients"]
    check(found.coefficients, [row["estimate"] for row in rows], [row["se"] for row in rows])
    assert found.log_likelihood == pytest.approx(case["log_lik"], abs=1e-8)
    assert found.rows == 2423
    assert found.left_out == 34
    tight = reference("nigeria_rrlog")["tight"]
    assert found.log_likelihood is not None
    assert found.log_likelihood >= tight["log_lik"]
    ratios = [each.statistic for each in found.likelihood_ratios().tests]
    np.testing.assert_allclose(ratios, tight["lr_chi2"], rtol=1e-4, atol=2e-6)


def test_logistic_with_expected_information() -> None:
    """The standard errors of Fisher scoring, as GLMMRR prints them."""
    case = reference("nigeria_rrglm")["coefficients"]
    found = nigeria(f"rr.q1 ~ {COVARIATES}", se="expected")
    check(found.coefficients, [each["estimate"] for each in case], [each["se"] for each in case])


def test_the_intercept_alone() -> None:
    """A regression on nothing gives the log-odds of the prevalence."""
    (case,) = reference("nigeria_rrreg_intercept")["coefficients"]
    check(nigeria("rr.q1 ~ 1").coefficients, [case["estimate"]], [case["se"]])


def test_predictions_for_the_first_respondents() -> None:
    """Probabilities, errors and intervals of five rows, and the mean of all."""
    table = study("nigeria").dropna().head(5).drop(columns="rr.q1")
    found = nigeria(f"rr.q1 ~ {COVARIATES}")
    shown = found.predict(table).to_frame()
    wanted = np.array(reference("nigeria_rrlog_predict_first5")["result"]["values"])
    columns = ["prediction", "standard_error", "low", "high"]
    # The reference takes rougher standard errors, good to three digits.
    np.testing.assert_allclose(shown[columns].to_numpy(), wanted, rtol=3e-3)
    np.testing.assert_allclose(shown["prediction"], wanted[:, 0], rtol=DIGITS)
    mean = reference("nigeria_rrreg_predict_avg")["result"]["fitted_mean"]
    assert found.predict().values.mean() == pytest.approx(mean, rel=1e-6)


def test_a_randomized_predictor() -> None:
    """Membership explained by contact: at least the likelihood of the reference, and its maximum.

    The reference stopped 4e-5 below the maximum of the log likelihood, at
    which its nuisance coefficients are still up to a hundredth of a standard
    error away: ours are held to their own gradient, and to it as far as it goes.
    """
    found = nigeria(f"civic ~ {COVARIATES} + rr.q1")
    case = reference("nigeria_predictor_direct_ml")
    assert found.log_likelihood is not None
    assert case["log_lik"] <= found.log_likelihood <= case["log_lik"] + 1e-4
    own = (*found.coefficients, *found.predictor_coefficients)
    theirs = [*case["outcome"], *case["sensitive"]]
    for each, other in zip(own, theirs, strict=True):
        assert abs(each.estimate - other["estimate"]) < 0.01 * other["se"]
        assert each.standard_error == pytest.approx(other["se"], rel=3.5e-3)
    model, at = found.assembly.model, found.fit.parameters
    errors = np.sqrt(np.diag(found.fit.covariance))
    assert np.abs(model.counts @ evaluate(model, at).scores * errors).max() < 1e-5


@pytest.mark.parametrize(
    ("case", "formula"),
    [
        ("minarets_rrlog_full", "rrt ~ age.c * leftRight.c"),
        ("minarets_rrlog_leftright", "rrt ~ leftRight.c"),
        ("minarets_rrlog_intercept", "rrt ~ 1"),
    ],
)
def test_logistic_with_the_stochastic_lie_detector(case: str, formula: str) -> None:
    """Coefficients and the unknown t together, with likelihood ratios."""
    found, tight = minarets(formula), reference(case)["tight"]
    check(
        (*found.coefficients, *found.design_parameters),
        tight["estimate"],
        tight["se_observed"],
        2e-4,
    )
    assert found.log_likelihood == pytest.approx(tight["log_lik"], abs=1e-6)
    if tight["lr_chi2"]:
        ratios = [each.statistic for each in found.likelihood_ratios().tests]
        np.testing.assert_allclose(ratios, tight["lr_chi2"][:-1], rtol=DIGITS, atol=2e-5)


@pytest.mark.parametrize(
    ("case", "formula"),
    [
        ("minarets_rrlog_dq_rr", "rrt ~ RRdesign * leftRight.c"),
        ("minarets_rrlog_format_only", "rrt ~ RRdesign"),
        ("minarets_rrlog_null", "rrt ~ 1"),
    ],
)
def test_direct_and_randomized_answers_together(case: str, formula: str) -> None:
    """Respondents of three groups, one of them asked directly."""
    found, tight = minarets_with_direct(formula), reference(case)["tight"]
    check((*found.coefficients, *found.design_parameters), tight["estimate"], tight["se_observed"])
    assert found.log_likelihood == pytest.approx(tight["log_lik"], abs=1e-7)
    if tight["lr_chi2"]:
        ratios = [each.statistic for each in found.likelihood_ratios().tests]
        np.testing.assert_allclose(ratios, tight["lr_chi2"][:-1], rtol=DIGITS)


def test_likelihood_ratios_of_two_regressions() -> None:
    """Nested regressions, and equal prevalence in both formats."""
    full, some = minarets("rrt ~ age.c * leftRight.c"), minarets("rrt ~ leftRight.c")
    none = minarets("rrt ~ 1")
    pairs = {
        "minarets_lrt_full_vs_leftright": (full, some),
        "minarets_lrt_leftright_vs_intercept": (some, none),
        "minarets_lrt_format": (
            minarets_with_direct("rrt ~ RRdesign"),
            minarets_with_direct("rrt ~ 1"),
        ),
    }
    for case, pair in pairs.items():
        found, wanted = likelihood_ratio(*pair), reference(case)
        assert found.statistic == pytest.approx(wanted["chi2"], rel=DIGITS)
        assert found.p_value == pytest.approx(wanted["p"], rel=1e-4)
        assert found.degrees == wanted["df"]


def test_linear_with_a_randomized_predictor() -> None:
    """Political attitude explained by the trait, the design's t held fixed."""
    (known,) = minarets("rrt ~ 1").design_parameters
    table = study("minarets")
    designs = DETECTOR.designs([known.estimate])
    found = regress(
        "leftRight ~ age + rrt",
        table[table["RRdesign"] == 1],
        designs={"rrt": ByGroup("condition", designs)},
        predictors="saturated",
    )
    case = reference("minarets_rrlin_own_t_fixed")
    for each, other in zip(found.coefficients, case["coefficients"], strict=True):
        assert abs(each.estimate - other["estimate"]) < 2e-4 * other["se"]
        assert each.standard_error == pytest.approx(other["se"], rel=DIGITS)
    assert found.log_likelihood == pytest.approx(case["log_lik"], abs=1e-5)
    assert found.residual_sd is not None
    assert found.residual_sd.estimate == pytest.approx(case["sigma"], rel=DIGITS)
    (share,) = found.predictor_coefficients
    assert 1 / (1 + np.exp(-share.estimate)) == pytest.approx(case["pi"][1], rel=DIGITS)
