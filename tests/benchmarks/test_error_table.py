"""How near the compiled choice comes to the least possible error."""

import math
from fractions import Fraction

import pytest

from deniable_sdk import theory
from deniable_sdk.mechanisms import OneOf, Piecewise
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.theory.piecewise import best_for_mean
from deniable_sdk.theory.subset import best_subset, worst_total_error
from deniable_sdk.weights import integer_weights

pytestmark = pytest.mark.bench

EPSILONS = (0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 5)
OPTIONS = (2, 3, 4, 5, 7, 10, 20, 50, 100, 300, 1000)
MOST = 1.03


def least_error(options: int, epsilon: float) -> float:
    """N times the total error that no mechanism can beat, in the limit of many.

    Source: Ye and Barg 2019 (EJS 13): the smallest over all whole set sizes d
    of (k-1)^2 (d e + k - d)^2 / (k d (k - d) (e - 1)^2), here in floats and by
    trying every size, so independently of the compiler's arithmetic.
    """
    odds = math.exp(epsilon)
    return min(
        (options - 1) ** 2
        * (size * odds + options - size) ** 2
        / (options * size * (options - size) * (odds - 1) ** 2)
        for size in range(1, options)
    )


def ratio(options: int, epsilon: float) -> float:
    """The compiled choice's error over the least possible."""
    weights = integer_weights(Fraction(repr(epsilon)))
    return float(worst_total_error(best_subset(options, weights))) / least_error(options, epsilon)


def test_error_beside_the_least_possible(capsys: pytest.CaptureFixture[str]) -> None:
    """The error is everywhere at most 1.03 of the bound; prints a table."""
    head = "    k" + "".join(f"{epsilon:>8}" for epsilon in EPSILONS)
    lines = ["", "worst-case total error over the least possible, by options and epsilon", head]
    for options in OPTIONS:
        ratios = "".join(f"{ratio(options, epsilon):8.4f}" for epsilon in EPSILONS)
        lines.append(f"{options:5d}{ratios}")
    worst = max(ratio(options, epsilon) for options in range(2, 1001, 7) for epsilon in EPSILONS)
    lines.append(f"the largest of all k = 2, 9, ..., 996: {worst:.6f}")
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result
    assert worst <= MOST


CELLS = 101
MEAN_EPSILONS = (0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 6)


def rivals_of_a_mean(epsilon: float) -> dict[str, float]:
    """The worst variance of a mean on a range of length 1, by mechanisms of others.

    Source: Duchi, Jordan and Wainwright 2018 (JASA 113), section 3.2; N. Wang
    et al. 2019 (ICDE), PM and the hybrid of both.
    """
    odds, half = math.exp(epsilon), math.exp(epsilon / 2)
    duchi = ((odds + 1) / (odds - 1)) ** 2
    hybrid = (half + 3) / (3 * half * (half - 1)) + duchi / half if epsilon > 0.61 else duchi
    return {
        "Duchi": duchi / 4,
        "PM": half / (3 * (half - 1) ** 2),
        "hybrid": hybrid / 4,
        "square wave": square_wave(odds, epsilon),
    }


def square_wave(odds: float, epsilon: float) -> float:
    """The same of the discrete square wave, at the worst place, summed over its outputs.

    Source: Li et al. 2020 (SIGMOD), with the window of section 5.3 in cells.
    """
    share = (odds * epsilon - odds + 1) / (2 * odds * (odds - 1 - epsilon))
    reach = int(share * CELLS)
    window, outputs = 2 * reach + 1, CELLS + 2 * reach
    total = window * odds + CELLS - 1
    slope = window * (odds - 1) / total
    worst = 0.0
    for index in range(CELLS):
        chances = [
            (odds if index <= output < index + window else 1) / total for output in range(outputs)
        ]
        mean, square = (
            sum(chance * output**power for output, chance in enumerate(chances))
            for power in (1, 2)
        )
        worst = max(worst, square - mean**2)
    return worst / (slope * (CELLS - 1)) ** 2


def error_of_a_mean(epsilon: float) -> float:
    """The worst variance of the shape that the compiler takes for a mean."""
    weights = integer_weights(Fraction(repr(epsilon)))
    shape = best_for_mean(OneOf(CELLS), weights)
    assert shape
    return float(theory.error(Piecewise(OneOf(CELLS), *shape, weights), Target.MEAN))


def test_means_beside_their_rivals(capsys: pytest.CaptureFixture[str]) -> None:
    """The worst variance of a mean is below that of every rival; prints a table."""
    head = "epsilon        " + "".join(f"{epsilon:>9}" for epsilon in MEAN_EPSILONS)
    rivals = [rivals_of_a_mean(epsilon) for epsilon in MEAN_EPSILONS]
    rows = {name: [each[name] for each in rivals] for name in rivals[0]}
    found = [error_of_a_mean(epsilon) for epsilon in MEAN_EPSILONS]
    lines = ["", f"worst variance of a mean of {CELLS} places, on a range of length 1", head]
    for name, values in {**rows, "piecewise": found}.items():
        lines.append(f"{name:15}" + "".join(f"{value:9.4f}" for value in values))
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result
    assert all(error < min(others.values()) for error, others in zip(found, rivals, strict=True))
