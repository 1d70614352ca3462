"""What is estimated is right on average, by every set of answers there can be."""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from analysis.known.prevalences import KNOWN
from deniable_analysis import (
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
    project_to_simplex,
    stochastic_lie_detector,
    unrelated_question_unknown,
    warner,
)
from deniable_analysis.designs.answers import answers_of_counts
from deniable_analysis.designs.likelihood import LogLikelihood
from deniable_analysis.designs.moment import solve_moments
from deniable_analysis.estimators import Channel
from deniable_analysis.estimators.weights import weighted_shares


def _counts(rows: int, categories: int) -> Iterator[tuple[int, ...]]:
    """Every way to spread rows over categories."""
    for places in itertools.combinations_with_replacement(range(categories), rows):
        yield tuple(places.count(category) for category in range(categories))


def _chance(counts: Sequence[int], rates: Sequence[float]) -> float:
    ways = math.factorial(sum(counts)) / math.prod(map(math.factorial, counts))
    return ways * math.prod(rate**count for rate, count in zip(rates, counts, strict=True))


def _all_answers(
    matrices: Sequence[np.ndarray], shares: np.ndarray, rows: Sequence[int]
) -> Iterator[tuple[float, list[tuple[int, ...]]]]:
    """Every set of answers of all groups, with its probability."""
    each = [_counts(n, len(matrix)) for n, matrix in zip(rows, matrices, strict=True)]
    rates = [(matrix @ shares).tolist() for matrix in matrices]
    for found in itertools.product(*map(list, each)):
        chance = math.prod(map(_chance, found, rates))
        yield chance, list(found)


def _covariance(result: Prevalence) -> np.ndarray:
    return np.array(result.covariance)


def _check_unbiased(
    design: Any, matrices: Sequence[np.ndarray], shares: np.ndarray, rows: Sequence[int]
) -> None:
    """Fail unless shares, their covariance and its part are right on average."""
    weights, values, spreads, parts = [], [], [], []
    for chance, counts in _all_answers(matrices, shares, rows):
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
    for place, (matrix, n) in enumerate(zip(matrices, rows, strict=True)):
        adds = _adds(design, matrices, rows, place)
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
        moved[group] = tuple(rows[group] * (place == category) for place in range(categories))
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
    for chance, counts in _all_answers([design.probabilities], shares, [40]):
        yes = prevalence(counts[0], design=design).share("yes")
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
        assert found.share("yes").share == pytest.approx(0.25, abs=1e-6)
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


@pytest.mark.parametrize(
    ("design", "counts", "point"),
    [
        (KNOWN["a matrix of three"].design, [50, 30, 20], [0.5, 0.2, 0.3]),
        (stochastic_lie_detector({1: 0.2, 2: 0.8}), [[30, 50], [52, 18]], [0.6, 0.4, 0.7]),
        (unrelated_question_unknown({1: 0.7, 2: 0.2}), [[30, 50], [52, 18]], [0.6, 0.4, 0.7]),
    ],
    ids=["matrix", "lie detector", "unrelated question"],
)
def test_derivatives_are_those_of_finite_differences(
    design: Any, counts: Any, point: list[float]
) -> None:
    """Score and observed information are the slopes of the log likelihood."""
    likelihood = LogLikelihood.of(answers_of_counts(counts, design))
    at, step = np.array(point), 1e-5
    units = np.eye(len(at)) * step
    slopes = [(likelihood.at(at + unit) - likelihood.at(at - unit)) / (2 * step) for unit in units]
    assert likelihood.score(at) == pytest.approx(slopes, rel=1e-6, abs=1e-5)
    bends = [
        (likelihood.score(at + unit) - likelihood.score(at - unit)) / (2 * step) for unit in units
    ]
    assert -likelihood.observed_information(at) == pytest.approx(
        np.array(bends), rel=1e-6, abs=1e-4
    )


def test_the_expected_information_is_the_mean_of_the_observed() -> None:
    """Over all sets of answers, the observed information has the expected one as its mean."""
    design = stochastic_lie_detector({1: 0.2, 2: 0.8})
    point = np.array([0.6, 0.4, 0.7])
    matrices = list(design.matrices(point[2:]))
    total: Any = 0.0
    for chance, counts in _all_answers(matrices, point[:2], [3, 4]):
        likelihood = LogLikelihood.of(answers_of_counts(counts, design))
        total = total + chance * likelihood.observed_information(point)
    assert likelihood.expected_information(point) == pytest.approx(total, rel=1e-9, abs=1e-9)


def test_no_point_beats_the_likeliest_on_a_grid() -> None:
    """Of all shares and parameters on a fine grid none is likelier than what was found."""
    design = stochastic_lie_detector({1: 0.25, 2: 0.75})
    grid = np.linspace(0, 1, 21)
    for counts in ([[9, 1], [2, 8]], [[1, 9], [1, 9]], [[5, 5], [5, 5]], [[10, 0], [0, 10]]):
        answered = answers_of_counts(counts, design)
        likelihood = LogLikelihood.of(answered)
        best = max(
            likelihood.at(np.array([1 - share, share, truth])) for share in grid for truth in grid
        )
        found = prevalence(counts, design=design, method="likelihood")
        assert found.log_likelihood is not None
        assert found.log_likelihood >= best - 1e-9


def test_the_likeliest_of_many_categories_meets_the_conditions_of_a_top() -> None:
    """On the boundary no share's slope leads inside, and free ones have the same slope."""
    design = from_matrix(np.full((6, 6), 0.14) + np.eye(6) * 0.16)
    answered = answers_of_counts([40, 1, 30, 0, 20, 9], design)
    found = prevalence([40, 1, 30, 0, 20, 9], design=design, method="likelihood")
    shares = np.array([option.share for option in found.options])
    score = LogLikelihood.of(answered).score(shares)
    assert found.boundary == ("1", "3", "4", "5")
    assert score[shares > 0] == pytest.approx(100)
    assert np.all(score[shares == 0] <= 100)
    assert [option.standard_error is None for option in found.options] == [
        share == 0 for share in shares
    ]


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
    yes = found.share("yes")
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


def test_valid_shares_are_the_nearest_to_the_raw_ones() -> None:
    """Shares outside 0 to 1 stand beside their projection, and are not replaced by it."""
    found = prevalence([5, 50, 45], design=KNOWN["a matrix of three"].design)
    raw = [option.share for option in found.options]
    assert min(share for share in raw if share is not None) < 0
    nearest = project_to_simplex(np.array(raw, dtype=np.float64))
    assert [option.valid_share for option in found.options] == pytest.approx(nearest.tolist())
