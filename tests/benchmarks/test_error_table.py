"""How near the compiled choice comes to the least possible error."""

import math
from fractions import Fraction

import pytest

from deniable_sdk.mechanisms import Subset
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
    return float(Subset.best(options, weights).worst_total_error()) / least_error(options, epsilon)


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
