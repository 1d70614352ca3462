"""The epsilon of several surveys together, against enumerated losses."""

import itertools
import math
from fractions import Fraction

import pytest

from analysis.known.numbers import KnownNumber, known
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.privacy import compose
from deniable_analysis.privacy import compose as of_privacy


def failure(epsilons: list[float], at: float) -> Fraction:
    """Delta at an epsilon: every sign of every loss of Warner's method, in fractions."""
    ratios = [Fraction(math.exp(each)) for each in epsilons]
    total = Fraction()
    for signs in itertools.product((True, False), repeat=len(ratios)):
        parts = [(each, ratio) for each, ratio in zip(signs, ratios, strict=True)]
        one = math.prod(
            (r / (1 + r) if sign else 1 / (1 + r) for sign, r in parts), start=Fraction(1)
        )
        other = math.prod(
            (1 / (1 + r) if sign else r / (1 + r) for sign, r in parts), start=Fraction(1)
        )
        total += max(Fraction(), one - Fraction(math.exp(at)) * other)
    return total


def listed(number: KnownNumber) -> list[float]:
    """The epsilons of a known number, each as often as it occurs."""
    return [each for each, times in number.inputs["eps"] for _ in range(times)]


@pytest.mark.parametrize("number", known("optimal_composition_eps"))
def test_known_compositions(number: KnownNumber) -> None:
    """The known epsilon of surveys together, never below it."""
    exact = number.expected[0] if isinstance(number.expected, list) else number.expected
    found = compose(listed(number), number.inputs["delta"])
    assert found == pytest.approx(exact, abs=number.tolerance)
    assert found >= exact


@pytest.mark.parametrize("number", known("optimal_composition_delta"))
def test_known_deltas(number: KnownNumber) -> None:
    """At a known delta, the epsilon is the one where it was computed."""
    assert compose(listed(number), number.expected) == pytest.approx(number.inputs["at"], abs=1e-7)


@pytest.mark.parametrize("epsilons", [[1.0], [0.1, 2.0], [0.5] * 6, [0.2, 0.5, 1.0, 1.0, 2.0]])
@pytest.mark.parametrize("delta", [0.3, 0.05, 1e-3, 1e-6])
def test_the_optimum_is_the_enumerated_one(epsilons: list[float], delta: float) -> None:
    """The exact delta at the result is at most delta, and above it slightly below the result."""
    found = compose(epsilons, delta)
    assert failure(epsilons, found) <= delta
    assert not found or failure(epsilons, found - 1e-6) > delta


def test_rounding_up_many_different_epsilons_stays_a_bound() -> None:
    """Epsilons without a common unit give a slightly larger bound than the exact one."""
    epsilons = [0.2034567891234, 0.5171234567891, 0.9912345678912, 1.0045678912345]
    found = compose(epsilons, 0.01)
    assert failure(epsilons, found) <= 0.01
    assert failure(epsilons, found - 4 * sum(epsilons) / 50_000) > 0.01


def test_without_delta_it_is_the_sum() -> None:
    """The sum always holds, in numbers as they are written."""
    assert of_privacy is compose
    assert compose([0.1, 0.2]) == 0.3
    assert compose(["0.25", 1]) == 1.25
    assert compose([]) == compose([], 0.1) == 0


def test_it_is_never_above_the_sum_and_falls_with_delta() -> None:
    """Also for so much epsilon that probabilities are too small for floats."""
    by_delta = [compose([0.1] * 100, delta) for delta in (0, 1e-12, 1e-6, 0.1)]
    assert by_delta == sorted(by_delta, reverse=True)
    assert compose([8] * 1000, 1e-6) == 8000
    assert compose([0.01, 5], 1e-9) <= 5.01


@pytest.mark.parametrize(
    ("epsilons", "delta", "message"),
    [
        (1, 0, r"^epsilons: got something of the type int; allowed is a list of the epsilons of"),
        ([1] * 1001, 0, r"^epsilons: got 1,001; allowed is a list of the epsilons of up to 1,000"),
        ([1, 0], 0, r"^epsilon: got 0; allowed is a number from"),
        ([1], 2, r"^delta: got 2; allowed is a share from 0 to 1"),
    ],
)
def test_what_is_no_survey_is_refused(epsilons: object, delta: float, message: str) -> None:
    """Something that is no list of epsilons, and no delta, are refused."""
    with pytest.raises(InvalidArgument, match=message):
        compose(epsilons, delta)  # type: ignore[arg-type]  # that is what is refused
