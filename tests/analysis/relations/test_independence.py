"""Tests of independence: exact on known tables, and at their level otherwise."""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.known.numbers import KnownNumber, known
from analysis.related import (
    MUST,
    Floats,
    channel_matrix,
    counted_study,
    reported_together,
    table_study,
    with_mechanisms,
)
from deniable_analysis import NotIdentified, Study
from deniable_analysis.estimators.association import ChiSquared, pearson, wald
from deniable_analysis.relations.basis import joint_basis, option_scores
from deniable_analysis.relations.cells import Cells
from deniable_analysis.relations.independence import wald_independence
from deniable_analysis.reports.counts import BlockCounts
from deniable_analysis.simulation import simulate_survey, simulate_values
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.weights import Weights, integer_weights
from sample_definitions import choice, survey, yes_no
from sampling_checks import ALPHA, SampleRejected, check_binomial, count_check

LN3 = Weights(3, 1)
LEVEL = 0.05


def yes_no_apart() -> PublishedSurvey:
    """Two yes/no questions, each by itself at epsilon ln 3."""
    published = survey(yes_no(**MUST), yes_no("limited", **MUST), ask="all")
    return with_mechanisms(published, Subset(2, 1, LN3), Subset(2, 1, LN3))


def pearson_of(table: NDArray[np.int64], *mechanisms: Subset) -> ChiSquared:
    """The test on a table of reports of single options."""
    together = reported_together(table)
    scores = [
        option_scores(mechanism, values)[places]
        for mechanism, values, places in zip(
            mechanisms, together.values, together.places.T, strict=True
        )
    ]
    return pearson(scores[0], scores[1], together.counts.astype(np.float64))


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
    with pytest.raises(NotIdentified, match="the 50 reports on 'asthma' and 'limited' do not"):
        study.independence("asthma", "limited")


def joint(rows: int, columns: int, mechanism: Subset) -> Block:
    """A block of a yes/no-like question and another one."""
    published = survey(
        choice("row", rows, **MUST), choice("column", columns, **MUST),
        crosstabs=[["row", "column"]],
    )  # fmt: skip
    return with_mechanisms(published, mechanism).blocks[0]


def wald_of(block: Block, support: NDArray[np.int64], reports: int) -> ChiSquared:
    """The test of a joint block from its supporting reports."""
    mechanism = block.mechanism
    assert isinstance(mechanism, Subset)
    counts = BlockCounts(reports, dict(enumerate(support.tolist())))
    first, second = block.questions
    basis = joint_basis(mechanism, counts)
    cells = Cells((first, second), (block,), basis, np.eye(mechanism.domain_size))
    return wald_independence(cells)


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


def separate_rejections(truth: Floats, reports: int, surveys: int, source: Random) -> int:
    """How many surveys of two separate questions at epsilon 1 reject independence."""
    one = integer_weights(Fraction(1))
    mechanisms = [Subset(size, 1, one) for size in truth.shape]
    left, right = (channel_matrix(mechanism) for mechanism in mechanisms)
    law = (left @ truth @ right.T).ravel()
    generator = np.random.default_rng(source.getrandbits(64))
    tables = generator.multinomial(reports, law, size=surveys).reshape(-1, *truth.shape)
    return sum(pearson_of(table, *mechanisms).p_value < LEVEL for table in tables)


@pytest.mark.parametrize("number", known("chi2_independence_on_reported_table"))
def test_separate_questions_hold_the_level_and_have_the_power(
    number: KnownNumber, random_source: Random
) -> None:
    """Independent answers are rejected 5 % of the time, dependent ones as often as known."""
    independent = np.full((3, 4), 1 / 12)
    hits = separate_rejections(independent, number.inputs["n"], 1000, random_source)
    check_binomial(hits, 1000, LEVEL)
    # Each channel makes a deviation from equal shares smaller by its slope.
    slopes = [np.expm1(1) / (np.e + size - 1) for size in independent.shape]
    wanted = number.expected["noncentrality_private"] / np.prod(slopes) ** 2
    dependent = shifted(independent, wanted / number.inputs["n"])
    hits = separate_rejections(dependent, number.inputs["n"], 1000, random_source)
    assert power(dependent, number.inputs["n"]) == pytest.approx(
        number.expected["power"], abs=number.tolerance
    )
    check_binomial(hits, 1000, number.expected["power"])


def shifted(independent: Floats, wanted: float) -> Floats:
    """A table with the same margins and so much chi-squared in each report."""
    shape = independent.shape
    turn = np.outer(np.cos(np.arange(shape[0])), np.sin(np.arange(shape[1]) + 1))
    turn -= turn.mean(axis=0)
    turn -= turn.mean(axis=1, keepdims=True)
    scale = math.sqrt(wanted / float(np.sum(turn**2 / independent)))
    return np.asarray(independent + turn * scale)


def power(truth: Floats, reports: int) -> float:
    """What noncentral chi-squared says of the reported table."""
    one = integer_weights(Fraction(1))
    left, right = (channel_matrix(Subset(size, 1, one)) for size in truth.shape)
    law = left @ truth @ right.T
    null = np.outer(law.sum(axis=1), law.sum(axis=0))
    noncentrality = reports * float(np.sum((law - null) ** 2 / null))
    degrees = (truth.shape[0] - 1) * (truth.shape[1] - 1)
    return float(stats.ncx2.sf(stats.chi2.isf(LEVEL, degrees), degrees, noncentrality))


def joint_rejections(
    shape: tuple[int, int], mechanism: Subset, reports: int, surveys: int, source: Random
) -> int:
    """How many surveys of a joint block with independent answers reject that."""
    rows, columns = (np.arange(1, size + 1) / (size * (size + 1) / 2) for size in shape)
    truth = np.outer(rows, columns).ravel()
    block = joint(*shape, mechanism)
    generator = np.random.default_rng(source.getrandbits(64))
    hits = 0
    for _ in range(surveys):
        answers = generator.choice(mechanism.domain_size, size=reports, p=truth)
        values = simulate_values(mechanism, answers, generator)
        support = np.bincount(values.ravel(), minlength=mechanism.domain_size)
        hits += wald_of(block, support, reports).p_value < LEVEL
    return hits


@pytest.mark.parametrize("number", known("independence_test_joint_GRR_wald_level"))
def test_joint_questions_hold_the_level(number: KnownNumber, random_source: Random) -> None:
    """Independent answers of a joint block are rejected about 5 % of the time."""
    inputs = number.inputs
    mechanism = Subset(6, 1, integer_weights(Fraction(1)))
    hits = joint_rejections((2, 3), mechanism, inputs["n"], 400, random_source)
    check_binomial(hits, 400, LEVEL)


def test_joint_sets_hold_the_level(random_source: Random) -> None:
    """So are they where a report is a set of cells."""
    mechanism = Subset(9, 2, integer_weights(Fraction(2)))
    check_binomial(joint_rejections((3, 3), mechanism, 2000, 250, random_source), 250, LEVEL)


@pytest.mark.deep
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)])
@pytest.mark.parametrize("reports", [300, 1000, 10_000])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 4)])
def test_joint_questions_never_reject_too_often(
    epsilon: Fraction, reports: int, shape: tuple[int, int], random_source: Random
) -> None:
    """Over sizes, epsilons and tables the level is at most 5 %, and a point for small ones."""
    mechanism = Subset.best(shape[0] * shape[1], integer_weights(epsilon))
    hits = joint_rejections(shape, mechanism, reports, 1000, random_source)
    count_check()
    assert stats.binom.sf(hits - 1, 1000, LEVEL + 0.01) > ALPHA


def test_pearson_on_joint_cells_is_caught(random_source: Random) -> None:
    """Pearson's test on the reported cells of a joint block rejects far too often."""
    mechanism = Subset(6, 1, integer_weights(Fraction(1)))
    truth = np.outer([1 / 3, 2 / 3], np.array([1, 2, 3]) / 6).ravel()
    law = channel_matrix(mechanism) @ truth
    generator = np.random.default_rng(random_source.getrandbits(64))
    tables = generator.multinomial(40_000, law, size=600).reshape(-1, 2, 3)
    wrong = sum(bool(stats.chi2_contingency(table).pvalue < LEVEL) for table in tables)
    with pytest.raises(SampleRejected):
        check_binomial(wrong, 600, LEVEL)


def sets_apart(respondents: int, source: Random, tied: bool) -> Study:
    """A simulated survey whose two choices are reported as sets."""
    published = survey(choice("row", 4, **MUST), choice("column", 5, **MUST), ask="all")
    published = with_mechanisms(published, Subset(4, 2, LN3), Subset(5, 2, LN3))
    generator = np.random.default_rng(source.getrandbits(64))
    row = generator.choice(4, size=respondents)
    column = row if tied else generator.choice(5, size=respondents)
    return simulate_survey(published, {"row": row, "column": column}, generator)


def test_sets_are_tested_too(random_source: Random) -> None:
    """Tied answers are found, and independent ones rejected 5 % of the time."""
    assert sets_apart(5000, random_source, tied=True).independence("row", "column").p_value < 1e-6
    hits = sum(
        sets_apart(400, random_source, tied=False).independence("row", "column").p_value < LEVEL
        for _ in range(100)
    )
    check_binomial(hits, 100, LEVEL)


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
    assert repr(found) == (
        "asthma x limited (separate): 1000 reports; independence: pearson chi-squared 103.4272 "
        "with 1 degrees of freedom, p = 2.701e-24"
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
