"""The likelihood of randomized answers: its derivatives and its top."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize

from analysis.every_answer import every_answer
from analysis.known.prevalences import KNOWN
from deniable_analysis.designs import (
    from_matrix,
    prevalence,
    stochastic_lie_detector,
    unrelated_question_unknown,
)
from deniable_analysis.designs.answers import answers_of_counts
from deniable_analysis.designs.maximum_likelihood import LogLikelihood, solve_likelihood


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
    for chance, counts in every_answer(matrices, point[:2], [3, 4]):
        likelihood = LogLikelihood.of(answers_of_counts(counts, design))
        total = total + chance * likelihood.observed_information(point)
    assert likelihood.expected_information(point) == pytest.approx(total, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("truth", "counts"),
    [
        *(
            ({1: 0.25, 2: 0.75}, counts)
            for counts in (
                [[9, 1], [2, 8]],
                [[1, 9], [1, 9]],
                [[5, 5], [5, 5]],
                [[10, 0], [0, 10]],
            )
        ),
        # Lower tops are reached from the middle, and from the unbiased estimate.
        ({1: 0.41, 2: 0.79}, [[23, 28], [44, 0]]),
        ({1: 0.37, 2: 0.6}, [[5, 31], [18, 12]]),
    ],
)
def test_no_point_beats_the_likeliest_on_a_grid(
    truth: dict[int, float], counts: list[list[int]]
) -> None:
    """Of all shares and parameters on a fine grid none is likelier than what was found."""
    design = stochastic_lie_detector(truth)
    grid = np.linspace(0, 1, 21)
    likelihood = LogLikelihood.of(answers_of_counts(counts, design))
    best = max(
        likelihood.at(np.array([1 - share, share, honest])) for share in grid for honest in grid
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


@pytest.mark.parametrize("seed", range(12))
def test_no_optimizer_of_scipy_ends_higher(seed: int) -> None:
    """Shares and parameters by SLSQP from some starts, also where the top is on a bound."""
    generator = np.random.default_rng(seed)
    design = (stochastic_lie_detector, unrelated_question_unknown)[seed % 2]({1: 0.2, 2: 0.8})
    counts = generator.integers(1, 40, size=(2, 2)).tolist()
    answered = answers_of_counts(counts, design)
    likelihood, found = LogLikelihood.of(answered), solve_likelihood(answered)
    top = likelihood.at(np.concatenate((found.shares, found.parameters)))
    for _ in range(8):
        share, *others = generator.uniform(0.05, 0.95, size=2)
        with np.errstate(all="ignore"):
            minimize: Any = optimize.minimize
            other = minimize(
                lambda where: -likelihood.at(np.array([where[0], 1 - where[0], *where[1:]])),
                [share, *others],
                method="SLSQP",
                bounds=[(1e-9, 1 - 1e-9)] * 2,
            )
        assert -other.fun <= top + 1e-6
