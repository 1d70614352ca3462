"""What is estimated is right on average, by every set of answers there can be."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from analysis.every_answer import every_answer
from analysis.known.prevalences import KNOWN
from deniable_analysis.designs import (
    ByGroup,
    Design,
    Prevalence,
    UnknownDesign,
    cheating_detection,
    crosswise,
    direct,
    forced_choice,
    from_matrix,
    kuk,
    mangat,
    prevalence,
    stochastic_lie_detector,
    unrelated_question_unknown,
    warner,
)
from deniable_analysis.designs.answers import answers_of_counts
from deniable_analysis.designs.moment import solve_moments
from deniable_analysis.results import project_to_simplex


def _covariance(result: Prevalence) -> np.ndarray:
    return np.array(result.covariance)


def _check_unbiased(
    design: Any, matrices: Sequence[np.ndarray], shares: np.ndarray, rows: Sequence[int]
) -> None:
    """Fail unless shares, their covariance and its part are right on average."""
    weights, values, spreads, parts = [], [], [], []
    for chance, counts in every_answer(matrices, shares, rows):
        given = counts[0] if isinstance(design, Design) else counts
        result = prevalence(given, design=design)
        weights.append(chance)
        values.append([option.share for option in result.options])
        spreads.append(_covariance(result))
        parts.append([option.mechanism_variance for option in result.options])
    chances = np.array(weights)
    assert chances.sum() == pytest.approx(1)
    found = np.array(values)
    assert chances @ found == pytest.approx(shares, abs=1e-12)
    centred = found - shares
    truth = np.einsum("c,ci,cj->ij", chances, centred, centred)
    assert np.einsum("c,cij->ij", chances, np.array(spreads)) == pytest.approx(truth, abs=1e-12)
    # Given the truths, only the randomization is left of the variance.
    conditional = chances @ np.array(parts)
    assert conditional == pytest.approx(_mechanism_variance(design, matrices, shares, rows))


def _mechanism_variance(
    design: Any, matrices: Sequence[np.ndarray], shares: np.ndarray, rows: Sequence[int]
) -> np.ndarray:
    """By what each answer adds to the shares, under each truth."""
    found = np.zeros(len(shares))
    for index, (matrix, n) in enumerate(zip(matrices, rows, strict=True)):
        adds = _adds(design, matrices, rows, index)
        for truth, share in enumerate(shares):
            mean = adds @ matrix[:, truth]
            found += share * ((adds**2) @ matrix[:, truth] - mean**2) / n
    return found


def _adds(
    design: Any, matrices: Sequence[np.ndarray], rows: Sequence[int], group: int
) -> np.ndarray:
    """What an answer of a group adds to the shares, up to what the others add."""

    def shares_of(counts: list[tuple[int, ...]]) -> np.ndarray:
        given = counts[0] if isinstance(design, Design) else counts
        return np.array([each.share for each in prevalence(given, design=design).options])

    categories = len(matrices[group])
    base = [tuple([n] + [0] * (len(m) - 1)) for n, m in zip(rows, matrices, strict=True)]
    columns = []
    for category in range(categories):
        moved = list(base)
        moved[group] = tuple(rows[group] * (index == category) for index in range(categories))
        columns.append(shares_of(moved))
    return np.column_stack(columns)


SINGLE = {
    "warner": (warner(0.7), [0.2, 0.8], 6),
    "crosswise": (crosswise(0.2), [0.95, 0.05], 6),
    "mangat": (mangat(0.6), [0.7, 0.3], 6),
    "direct": (direct(), [0.7, 0.3], 5),
    "three": (KNOWN["a matrix of three"].design, [0.5, 0.3, 0.2], 5),
    "forced": (forced_choice({"a": 0.1, "b": 0.2, "c": 0.3}), [0.2, 0.2, 0.6], 4),
    "more observed than true": (
        from_matrix([[0.5, 0.1], [0.3, 0.2], [0.2, 0.7]], true=["no", "yes"]),
        [0.6, 0.4],
        5,
    ),
}


@pytest.mark.parametrize("name", SINGLE)
def test_moments_are_unbiased(name: str) -> None:
    """Shares, covariance and mechanism part of one design are right on average."""
    design, shares, rows = SINGLE[name]
    _check_unbiased(design, [design.probabilities], np.array(shares), [rows])


def test_moments_of_several_designs_are_unbiased() -> None:
    """Groups with different designs, one of them direct, are pooled without bias."""
    designs = {"die": warner(0.8), "card": crosswise(0.25), "openly": direct()}
    matrices = [design.probabilities for design in designs.values()]
    _check_unbiased(ByGroup("mode", designs), matrices, np.array([0.7, 0.3]), [3, 4, 2])


def test_moments_of_cheating_detection_are_unbiased() -> None:
    """Three true categories behind two groups are told without bias."""
    design = cheating_detection({1: 0.2, 2: 0.7})
    matrices = list(design.matrices(()))
    _check_unbiased(design, matrices, np.array([0.5, 0.3, 0.2]), [4, 5])


def test_kuks_shares_are_unbiased_by_the_mean_of_red_cards() -> None:
    """Kuk's own estimator is an exact left inverse of its matrix."""
    design = kuk(yes=Fraction(7, 10), no=Fraction(2, 5), draws=4)
    assert design.estimator is not None
    product = [
        [
            sum(entry * row[column] for entry, row in zip(line, design.matrix, strict=True))
            for column in range(2)
        ]
        for line in design.estimator
    ]
    assert product == [[1, 0], [0, 1]]


def test_kuks_variance_is_right_on_average_where_shares_are_possible() -> None:
    """The variance taken from the estimated shares is unbiased where it is used throughout."""
    design = kuk(yes=Fraction(9, 10), no=Fraction(1, 10), draws=2)
    shares = np.array([0.5, 0.5])
    mean, second, estimated = 0.0, 0.0, 0.0
    for chance, counts in every_answer([design.probabilities], shares, [40]):
        yes = prevalence(counts[0], design=design)["yes"]
        assert yes.share is not None
        assert yes.standard_error is not None
        mean += chance * yes.share
        second += chance * (yes.share - 0.5) ** 2
        estimated += chance * yes.standard_error**2
    assert mean == pytest.approx(0.5, abs=1e-9)
    assert estimated == pytest.approx(second, rel=1e-6)


@pytest.mark.parametrize(
    ("design", "parameter"),
    [
        (stochastic_lie_detector({1: 0.2, 2: 0.8}), 0.7),
        (unrelated_question_unknown({1: 0.7, 2: 0.2}), 0.4),
    ],
    ids=["lie detector", "unrelated question"],
)
def test_expected_rates_give_back_shares_and_parameters(
    design: UnknownDesign, parameter: float
) -> None:
    """Counts that are exactly as expected give the shares and the parameter exactly."""
    rates = design.matrices([parameter]) @ np.array([0.75, 0.25])
    counts = np.round(rates * 10_000_000)
    for method in ("moment", "likelihood"):
        found = prevalence(counts.tolist(), design=design, method=method)
        assert found["yes"].share == pytest.approx(0.25, abs=1e-6)
        assert found.parameters[0].value == pytest.approx(parameter, abs=1e-6)


def test_delta_errors_are_those_of_a_numerical_derivative() -> None:
    """The covariance with a ratio in it is the rates' covariance through finite differences."""
    design = stochastic_lie_detector({1: 0.2, 2: 0.8})
    counts = np.array([[300.0, 500.0], [520.0, 180.0]])

    def estimate(yes: np.ndarray) -> np.ndarray:
        scale = 1e9  # so fine that rounding to whole answers does not matter
        rows = np.round(np.column_stack([1 - yes, yes]) * scale)
        solution = solve_moments(answers_of_counts(rows.tolist(), design))
        return np.concatenate((solution.shares, solution.parameters))

    rates = counts[:, 1] / counts.sum(axis=1)
    step = 1e-5
    slopes = np.column_stack(
        [
            (estimate(rates + step * unit) - estimate(rates - step * unit)) / (2 * step)
            for unit in np.eye(2)
        ]
    )
    spread = np.diag(rates * (1 - rates) / (counts.sum(axis=1) - 1))
    found = solve_moments(answers_of_counts(counts.tolist(), design)).covariance
    assert found == pytest.approx(slopes @ spread @ slopes.T, rel=1e-4)


def test_valid_shares_are_the_nearest_to_the_raw_ones() -> None:
    """Shares outside 0 to 1 stand beside their projection, and are not replaced by it."""
    found = prevalence([5, 50, 45], design=KNOWN["a matrix of three"].design)
    raw = [option.share for option in found.options]
    assert min(share for share in raw if share is not None) < 0
    nearest = project_to_simplex(np.array(raw, dtype=np.float64))
    assert [option.valid_share for option in found.options] == pytest.approx(nearest.tolist())
