"""Whether answers fit their design: G-squared with its degrees of freedom, p-value and warning."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special, stats

from deniable_analysis.designs import (
    ByGroup,
    GoodnessOfFit,
    crosswise,
    direct,
    forced_response,
    from_matrix,
    kuk,
    prevalence,
    stochastic_lie_detector,
    warner,
)
from deniable_analysis.designs.answers import answers_of_counts
from deniable_analysis.designs.goodness_of_fit import goodness_of_fit

EXTENDED = ByGroup("card", {1: crosswise(Fraction(1, 5)), 2: crosswise(Fraction(4, 5))})
CONTRADICTING = {1: [190, 260], 2: [330, 120]}


def fit_of(counts: Any, design: Any) -> GoodnessOfFit:
    """The test of counts, which must exist and be the same by both methods."""
    fit, other = (
        prevalence(counts, design=design, method=each).fit for each in ("moment", "likelihood")
    )
    assert fit is not None
    assert fit == other
    return fit


def test_complementary_groups_are_tested() -> None:
    """An independent search finds the same G-squared of the extended crosswise model."""

    def loss(share: float) -> float:
        return -sum(
            float(
                special.xlogy(count, chance + share * (1 - 2 * chance))
                + special.xlogy(rest, 1 - chance - share * (1 - 2 * chance))
            )
            for chance, (count, rest) in zip((0.2, 0.8), CONTRADICTING.values(), strict=True)
        )

    least = optimize.minimize_scalar(loss, bounds=(0, 1), options={"xatol": 1e-12}).fun
    highest = sum(each * math.log(each / 450) for each in (190, 260, 330, 120))
    fit = fit_of(CONTRADICTING, EXTENDED)
    assert fit.g_squared == pytest.approx(2 * (highest + least), rel=1e-9)
    assert fit.degrees_of_freedom == 1
    assert fit.p_value == pytest.approx(stats.chi2.sf(fit.g_squared, 1))


def test_a_misfit_is_shown_and_warned_of() -> None:
    """The result prints the test, its document contains it, and a warning says what to ask."""
    found = prevalence(CONTRADICTING, design=EXTENDED)
    assert "goodness of fit: G-squared 24.2683 on 1 df, p = 8.38e-07" in str(found)
    assert found.to_document()["fit"]["degrees_of_freedom"] == 1
    (warning,) = found.warnings
    assert warning.startswith("the answers do not fit the design (G-squared 24.27 on 1 df, p = 8.")
    good = prevalence({1: [190, 260], 2: [260, 190]}, design=EXTENDED)
    assert good.fit is not None
    assert good.fit.g_squared == pytest.approx(0, abs=1e-9)
    assert not good.warnings


@pytest.mark.parametrize(
    ("counts", "design", "freedom"),
    [
        ({0: [80, 20], 1: [60, 40], 2: [70, 30]}, stochastic_lie_detector(
            {1: Fraction(1, 6), 2: Fraction(5, 6)}).with_direct(0), 1),
        ([20, 90, 140, 150, 90, 10], kuk(yes=Fraction(7, 10), no=Fraction(3, 10), draws=5), 4),
        ([300, 100, 100], from_matrix([[0.7, 0.2], [0.2, 0.2], [0.1, 0.6]]), 1),
        ({"a": [60, 40], "b": [70, 30], "c": [80, 20]}, ByGroup("mode", {
            "a": warner(0.8), "b": warner(0.7), "c": direct()}), 2),
    ],
)  # fmt: skip
def test_degrees_of_freedom(counts: Any, design: Any, freedom: int) -> None:
    """Free rates of all groups, less the free shares and parameters."""
    assert fit_of(counts, design).degrees_of_freedom == freedom


def test_a_share_on_a_bound_adds_a_degree_of_freedom() -> None:
    """Both groups have fewer of the category than the design allows."""
    design = ByGroup(
        "die", {1: forced_response(yes=0.2, no=0.2), 2: forced_response(yes=0.5, no=0)}
    )
    assert fit_of({1: [90, 10], 2: [60, 40]}, design).degrees_of_freedom == 2
    assert fit_of({1: [70, 30], 2: [40, 60]}, design).degrees_of_freedom == 1


@pytest.mark.parametrize(
    ("counts", "design"),
    [
        ([600, 400], warner(0.8)),
        ([900, 10], warner(0.8)),
        ({1: [190, 370], 2: [300, 400]}, stochastic_lie_detector({1: 0.2, 2: 0.8})),
    ],
)
def test_designs_that_explain_any_answers_have_no_test(counts: Any, design: Any) -> None:
    """Also where the share is on a bound."""
    found = prevalence(counts, design=design)
    assert found.fit is None
    assert "goodness" not in str(found)
    assert found.to_document()["fit"] is None


def test_weighted_answers_have_no_test() -> None:
    """G-squared of weighted counts does not have a chi-squared distribution."""
    rows = (
        [(1, "same")] * 40 + [(1, "different")] * 20 + [(2, "same")] * 30 + [(2, "different")] * 9
    )
    table = {
        "card": [card for card, _ in rows],
        "answer": [answer for _, answer in rows],
        "weight": [1.0 + row % 2 for row in range(len(rows))],
    }
    assert prevalence(table, "answer", design=EXTENDED).fit is not None
    assert prevalence(table, "answer", design=EXTENDED, weights="weight").fit is None


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_few_honest_surveys_are_warned_of(share: float) -> None:
    """With two groups of 10, summed over all answers, at most 6.5 percent have a warning."""
    answers = np.arange(11)
    warned = np.array(
        [
            [
                bool(fit.warnings)
                for second in answers
                if (fit := goodness_of_fit(answers_of_counts(
                    {1: [first, 10 - first], 2: [second, 10 - second]}, EXTENDED)))
            ]
            for first in answers
        ]
    )  # fmt: skip
    assert warned.shape == (11, 11)
    one = stats.binom.pmf(answers, 10, 0.2 + share * 0.6)
    other = stats.binom.pmf(answers, 10, 0.8 - share * 0.6)
    assert one @ warned @ other <= 0.065
