"""Tests of independence hold their level, and have their power."""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from scipy import stats

from analysis.known.numbers import KnownNumber, known
from analysis.related import (
    LN3,
    MUST,
    channel_matrix,
    with_mechanisms,
)
from analysis.tested_cells import joint, pearson_of, wald_of
from deniable_analysis import Study
from deniable_analysis.arrays import Floats
from deniable_analysis.simulation import simulate_survey, simulate_values
from deniable_sdk.mechanisms import Subset
from deniable_sdk.theory.subset import best_subset
from deniable_sdk.weights import integer_weights
from sample_definitions import choice, survey
from sampling_checks import ALPHA, SampleRejected, check_binomial, count_check

LEVEL = 0.05


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
    mechanism = best_subset(shape[0] * shape[1], integer_weights(epsilon))
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


@pytest.mark.deep
def test_sets_are_tested_too(random_source: Random) -> None:
    """Tied answers are found, and independent ones rejected 5 % of the time."""
    assert sets_apart(5000, random_source, tied=True).independence("row", "column").p_value < 1e-6
    hits = sum(
        sets_apart(400, random_source, tied=False).independence("row", "column").p_value < LEVEL
        for _ in range(100)
    )
    check_binomial(hits, 100, LEVEL)
