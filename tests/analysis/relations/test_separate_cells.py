"""Cells of questions that were randomized apart."""

import itertools
import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from scipy import stats

from analysis.channels import outputs
from analysis.known.numbers import KnownNumber, known
from analysis.related import (
    LN3,
    basis_of,
    channel_matrix,
    table_study,
    yes_no_apart,
)
from deniable_analysis.estimate.cells import Basis
from deniable_analysis.relations.cells import separate_basis
from deniable_analysis.results import Crosstab
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights, integer_weights
from deniable_storage.counts import JointCounts
from sampling_checks import SampleRejected, check_binomial

REPORTED = [[420, 180], [150, 250]]


def apart(known_table: list[list[int]] | None = None) -> Crosstab:
    """The crosstab of two yes/no questions asked apart."""
    return table_study(yes_no_apart(), known_table or REPORTED).crosstab("asthma", "limited")


@pytest.mark.parametrize("number", known("worked_example_kronecker_2x2"))
def test_cells_of_separate_questions_are_the_inverse_of_both_channels(
    number: KnownNumber,
) -> None:
    """The worked example's cells, standard errors and valid shares come out."""
    found = apart(number.inputs["reported_counts"])
    expected = number.expected
    shares = [cell.share for cell in found.cells]
    errors = [cell.standard_error for cell in found.cells]
    valid = [cell.valid_share for cell in found.cells]
    assert shares == pytest.approx(np.ravel(expected["estimate"]), abs=number.tolerance)
    assert errors == pytest.approx(np.ravel(expected["se"]), abs=number.tolerance)
    assert valid == pytest.approx(np.ravel(expected["norm_sub"]), abs=number.tolerance)
    assert (found.design, found.interval, found.reports) == ("separate", "normal", 1000)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1), (2, 2)])
def test_products_of_scores_are_unbiased(sizes: tuple[int, int]) -> None:
    """Over every pair of reports, cells are 1 for the true pair and 0 for others."""
    first, second = Subset(3, sizes[0], LN3), Subset(4, sizes[1], Weights(7, 2))
    for truth in itertools.product(range(3), range(4)):
        mean = np.zeros(12)
        for (one, chances), (other, others) in itertools.product(outputs(first), outputs(second)):
            weight = float(chances[truth[0]] * others[truth[1]])
            mean += weight * one_report(first, second, one, other).cells.shares
        expected = np.zeros((3, 4))
        expected[truth] = 1
        assert mean == pytest.approx(expected.ravel(), abs=1e-12)


def one_report(first: Subset, second: Subset, *sets: frozenset[int]) -> Basis:
    """The cells of a single report of both."""
    values = tuple(np.array([sorted(each)]) for each in sets)
    shaped = tuple(
        value[:, 0] if mechanism.size == 1 else value
        for value, mechanism in zip(values, (first, second), strict=True)
    )
    together = JointCounts(shaped, np.array([[0, 0]]), np.array([1]))
    return separate_basis([first, second], [np.eye(3), np.eye(4)], together)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1)])
def test_covariances_are_those_of_the_multinomial(sizes: tuple[int, int]) -> None:
    """At counts as expected, the covariances are the enumerated ones of a report, over n."""
    first, second = Subset(3, sizes[0], LN3), Subset(3, sizes[1], LN3)
    truth = {(0, 0): 4, (1, 2): 3, (2, 1): 2, (2, 2): 1}
    sets = [outputs(first), outputs(second)]
    chances = {
        pair: sum(
            weight * sets[0][pair[0]][1][i] * sets[1][pair[1]][1][j] / 10
            for (i, j), weight in truth.items()
        )
        for pair in itertools.product(range(len(sets[0])), range(len(sets[1])))
    }
    reports = math.lcm(*(Fraction(chance).denominator for chance in chances.values()))
    counts = np.array([int(chance * reports) for chance in chances.values()])
    values = tuple(
        np.array([sorted(each) if mechanism.size > 1 else min(each) for each, _ in found])
        for found, mechanism in zip(sets, (first, second), strict=True)
    )
    together = JointCounts(values, np.array(list(chances)), counts)
    basis = separate_basis([first, second], [np.eye(3)] * 2, together)
    scores = [
        np.array([score(mechanism, each) for each, _ in found])
        for found, mechanism in zip(sets, (first, second), strict=True)
    ]
    products = np.array([np.outer(scores[0][i], scores[1][j]).ravel() for i, j in chances])
    law = np.array([float(chance) for chance in chances.values()])
    mean = law @ products
    covariances = (products * law[:, None]).T @ products - np.outer(mean, mean)
    expected = np.zeros((3, 3))
    for pair, weight in truth.items():
        expected[pair] = weight / 10
    assert basis.cells.shares == pytest.approx(expected.ravel(), abs=1e-9)
    assert basis.cells.covariances * reports == pytest.approx(covariances, abs=1e-9)
    assert np.trace(basis.cells.mechanism_part) > 0


def score(mechanism: Subset, reported: frozenset[int]) -> list[float]:
    """A set's unbiased scores of the options, by their definition."""
    keep, flip = mechanism.keep, mechanism.flip
    return [float(((v in reported) - flip) / (keep - flip)) for v in range(mechanism.domain_size)]


def test_margins_of_separate_questions_are_sums_of_cells() -> None:
    """Rows and columns sum the cells, and each sums to 1."""
    found = apart()
    assert [row.share for row in found.rows] == pytest.approx([0.7, 0.3])
    assert [column.share for column in found.columns] == pytest.approx([0.64, 0.36])
    alone = table_study(yes_no_apart(), REPORTED).estimate("asthma").questions[0].options[0]
    assert found.rows[0].share == pytest.approx(alone.share)
    assert found.rows[0].standard_error == pytest.approx(alone.standard_error)


def covered(number: KnownNumber, source: Random, surveys: int, narrow: float) -> np.ndarray:
    """How many of so many simulated surveys cover each cell, their widths times narrow."""
    weights = integer_weights(Fraction(str(number.inputs["eps_each"])))
    first, second = Subset(2, 1, weights), Subset(3, 1, weights)
    truth = np.array(number.inputs["F"])
    law = channel_matrix(first) @ truth @ channel_matrix(second).T
    generator = np.random.default_rng(source.getrandbits(64))
    hits = np.zeros(6, dtype=int)
    reach = narrow * float(stats.norm.isf(0.025))
    for table in generator.multinomial(number.inputs["n"], law.ravel(), size=surveys):
        cells = basis_of(table.reshape(2, 3), first, second).cells
        width = reach * np.sqrt(np.diag(cells.covariances))
        hits += np.abs(cells.shares - truth.ravel()) <= width
    return hits


@pytest.mark.sweep
@pytest.mark.parametrize("number", known("kronecker_cell_wald_coverage"))
def test_normal_intervals_of_separate_cells_cover(
    number: KnownNumber, random_source: Random
) -> None:
    """Cells down to 0.02 are covered as often as an independent simulation found."""
    for hits, rate in zip(covered(number, random_source, 1000, 1.0), number.expected, strict=True):
        check_binomial(int(hits), 1000, rate)


def test_too_narrow_intervals_are_caught(random_source: Random) -> None:
    """Intervals of half the width are rejected."""
    (number, *_) = known("kronecker_cell_wald_coverage")[0].values
    hits = covered(number, random_source, 1000, 0.5)
    with pytest.raises(SampleRejected):
        check_binomial(int(hits.min()), 1000, 0.95)
