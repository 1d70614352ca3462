"""Tests of independence: their statistics, and what they refuse."""

import numpy as np
import pytest
from scipy import stats

from analysis.known.numbers import KnownNumber, known
from analysis.related import (
    LN3,
    MUST,
    channel_matrix,
    counted_study,
    table_study,
    yes_no_apart,
)
from analysis.tested_cells import joint, pearson_of, wald_of
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.relations.independence import wald
from deniable_analysis.simulation import simulate_survey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights
from sample_definitions import choice, survey, yes_no

LEVEL = 0.05


@pytest.mark.parametrize("number", known("worked_example_chi2_reported_table"))
def test_separate_questions_are_tested_on_their_reports(number: KnownNumber) -> None:
    """The worked example's Pearson statistic, degrees of freedom and p-value come out."""
    study = table_study(yes_no_apart(), number.inputs["reported_counts"])
    found = study.independence("asthma", "limited")
    assert found.statistic == pytest.approx(number.expected["chi2"], abs=number.tolerance)
    assert found.degrees_of_freedom == number.expected["df"]
    assert found.p_value == pytest.approx(number.expected["p"], rel=1e-6)
    assert (found.method, found.design, found.reports) == ("pearson", "separate", 1000)


def test_the_statistic_is_pearsons_for_any_table() -> None:
    """With single options it is what scipy computes of the reported table."""
    table = np.array([[30, 20, 50], [10, 60, 15], [40, 45, 55], [7, 9, 12]])
    found = pearson_of(table, Subset(4, 1, LN3), Subset(3, 1, Weights(7, 2)))
    expected = stats.chi2_contingency(table, correction=False)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue)


def test_options_that_nobody_reported_cost_their_degrees_of_freedom() -> None:
    """An empty row or column is left out of the test."""
    table = np.array([[30, 0, 50], [10, 0, 15], [0, 0, 0]])
    found = pearson_of(table, Subset(3, 1, LN3), Subset(3, 1, LN3))
    expected = stats.chi2_contingency(table[:2][:, [0, 2]], correction=False)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.degrees_of_freedom == 1


def test_all_reports_alike_are_refused() -> None:
    """Without any variation there is no test, and the error says to wait."""
    study = table_study(yes_no_apart(), [[50, 0], [0, 0]])
    with pytest.raises(NotIdentified, match="got 50 reports on 'asthma' and 'limited', with too"):
        study.independence("asthma", "limited")


def test_exactly_independent_cells_give_nothing() -> None:
    """Where cells are the products of their margins the statistic is 0."""
    mechanism = Subset(6, 1, LN3)
    truth = np.outer([0.25, 0.75], [0.2, 0.3, 0.5]).ravel()
    support = np.rint(8000 * (channel_matrix(mechanism) @ truth)).astype(int)
    found = wald_of(joint(2, 3, mechanism), support, int(support.sum()))
    assert found.degrees_of_freedom == 2
    assert found.statistic == pytest.approx(0, abs=1e-3)


def test_the_wald_statistic_is_its_definition() -> None:
    """Of two by two it is the square of F11 - r c, over its variance by differences."""
    mechanism = Subset(4, 1, LN3)
    block, support = joint(2, 2, mechanism), np.array([400, 150, 170, 280])
    found = wald_of(block, support, 1000)
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    cells = (support / 1000 - flip) / (keep - flip)

    def apart(shares: Floats) -> float:
        table = shares.reshape(2, 2)
        return float(table[0, 0] - table.sum(axis=1)[0] * table.sum(axis=0)[0])

    step = 1e-6
    slopes = [(apart(cells + step * unit) - apart(cells)) / step for unit in np.eye(4)]
    table = cells.reshape(2, 2)
    null = np.outer(table.sum(axis=1), table.sum(axis=0)).ravel()
    rates = flip + null * (keep - flip)
    covariances = (np.diag(rates) - np.outer(rates, rates)) / (1000 * (keep - flip) ** 2)
    variance = np.array(slopes) @ covariances @ np.array(slopes)
    assert found.statistic == pytest.approx(apart(cells) ** 2 / variance, rel=1e-4)


def test_a_question_in_a_crosstab_is_related_by_the_wald_test() -> None:
    """Where one of two separate questions stands in a joint block, cells are tested."""
    published = survey(
        yes_no(**MUST), choice("region", 3, **MUST), yes_no("limited", **MUST),
        crosstabs=[["asthma", "region"]], ask="all", epsilon=8,
    )  # fmt: skip
    generator = np.random.default_rng(3)
    asthma = generator.choice(2, size=4000)
    answers = {"asthma": asthma, "region": generator.choice(3, size=4000), "limited": asthma}
    study = simulate_survey(published, answers, generator)
    found = study.independence("asthma", "limited")
    assert (found.design, found.method, found.degrees_of_freedom) == ("separate", "wald", 1)
    assert found.p_value < 1e-6
    assert study.independence("region", "limited").p_value > 1e-4


def test_the_test_has_all_forms() -> None:
    """It is a sentence, a document and a frame of one row."""
    found = table_study(yes_no_apart(), [[420, 180], [150, 250]]).independence("asthma", "limited")
    assert str(found) == (
        "asthma x limited (separate): 1000 reports; independence: pearson chi-squared 103.4272 "
        "with 1 degree of freedom, p = 2.701e-24"
    )
    assert found.to_document()["method"] == "pearson"
    assert found.to_frame()["questions"].tolist() == ["asthma x limited"]


def test_directions_without_variance_are_left_out() -> None:
    """A Wald statistic counts only what can vary."""
    found = wald(np.array([3.0, 0.0]), np.diag([1.0, 0.0]))
    assert found.statistic == pytest.approx(9)
    assert found.degrees_of_freedom == 1
    assert wald(np.zeros(2), np.zeros((2, 2))).degrees_of_freedom == 0


def test_joint_reports_of_one_cell_are_refused_or_tested() -> None:
    """A single joint report does not vary enough for anything but a large p-value."""
    published = survey(
        yes_no(**MUST), yes_no("limited", **MUST), crosstabs=[["asthma", "limited"]]
    )
    study = counted_study(published, asthma_x_limited=[1, 0, 0, 0])
    assert study.independence("asthma", "limited").p_value > LEVEL
