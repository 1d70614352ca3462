"""What mechanisms offer the compiler: legal, and never missing the best."""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import TypeVar

import numpy as np
import pytest

from deniable_sdk import theory
from deniable_sdk.mechanisms import (
    Domain,
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    SomeOf,
    Subset,
)
from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.mechanisms.parameters import MAX_CELLS
from deniable_sdk.mechanisms.sampled_bits import MOST_SAMPLED
from deniable_sdk.randomness import DRAW_RANGE
from deniable_sdk.theory import Need, piecewise, privset, sampled_bits
from deniable_sdk.theory.piecewise import best_for_distribution, distribution_error
from deniable_sdk.theory.privset import LARGEST_SIZE_COMPARED
from deniable_sdk.weights import LOW_WEIGHT, Weights, integer_weights
from sampled_params import sampled_params

TEXTS = ["0.01", "0.1", "0.5", "1", "2", "3", "4", "5.3", "7.5", "8", "9.7", "10"]
EPSILONS = [Fraction(text) for text in TEXTS]
Sets = TypeVar("Sets", SampledBits, PrivSet)


def _weights(epsilon: Fraction) -> Callable[[int, int], Weights]:
    def give(parts: int, total: int) -> Weights:
        assert total > 0
        return integer_weights(epsilon / parts)

    return give


def _need(
    domain: Domain,
    epsilon: Fraction,
    target: Target = Target.SHARES,
    scale: Scale = Scale.NOMINAL,
) -> Need:
    return Need(domain=domain, scale=scale, target=target, weights=_weights(epsilon))


def _best(mechanisms: list[Sets]) -> Sets:
    return min(mechanisms, key=lambda mechanism: theory.error(mechanism, Target.SHARES))


def _error_of_bits(domain: SomeOf, sampled: int, weights: Weights) -> Fraction:
    """For more drawn options than a survey may carry, too."""
    spread = Fraction(weights.high - weights.low, weights.high + weights.low)
    share = min(Fraction(1, 2), Fraction(domain.at_most, domain.options))
    rate = (1 - spread) / 2 + share * spread
    return domain.options * Fraction(domain.options, sampled) * rate * (1 - rate) / spread**2


@pytest.mark.parametrize("epsilon", EPSILONS, ids=TEXTS)
def test_no_more_options_are_best_drawn_than_are_compared(epsilon: Fraction) -> None:
    """Of all numbers of drawn options that two answers can differ in, the best is offered."""
    for options in (2, 3, 5, 9, 20, 40):
        for at_most in {1, 2, options // 2, options}:
            domain = SomeOf(options, at_most)
            offered = list(sampled_bits.candidates(_need(domain, epsilon)))
            errors = {
                sampled: _error_of_bits(domain, sampled, integer_weights(epsilon / sampled))
                for sampled in range(1, min(options, 2 * at_most) + 1)
            }
            assert _best(offered).sampled == min(errors, key=lambda sampled: errors[sampled])
            assert all(errors[one.sampled] == theory.error(one, Target.SHARES) for one in offered)
            assert len(offered) <= min(options, MOST_SAMPLED)


@pytest.mark.parametrize("epsilon", EPSILONS, ids=TEXTS)
def test_no_larger_sets_are_best_than_are_compared(epsilon: Fraction) -> None:
    """Among all sizes that one draw can hold, the best one is offered."""
    weights = integer_weights(epsilon)
    for options in (2, 3, 5, 9, 15, 16, 17, 18, 19, 25, 60):
        for at_most in {1, 2, 3, options} - set(range(options + 1, 4)):
            domain = SomeOf(options, at_most)
            every = []
            for size in range(1, min(options, 20)):
                total = sum(
                    share * (weights.high if met else weights.low)
                    for met, share in _set_counts(domain, size)
                )
                if total <= DRAW_RANGE:
                    every.append(PrivSet(domain, size, weights))
            offered = list(privset.candidates(_need(domain, epsilon)))
            assert (_best(offered) if offered else None) == (_best(every) if every else None)
            assert all(mechanism.size <= LARGEST_SIZE_COMPARED for mechanism in offered)


def _set_counts(domain: SomeOf, size: int) -> list[tuple[bool, int]]:
    """How many sets meet a full choice, and how many miss it."""
    missed = comb(domain.options, size)
    return [(True, comb(domain.options + domain.at_most, size) - missed), (False, missed)]


def test_the_largest_size_compared_is_needed() -> None:
    """At 17 options with at most one chosen and a small epsilon, size 9 is best."""
    offered = list(privset.candidates(_need(SomeOf(17, 1), Fraction("0.01"))))
    best = _best(offered)
    assert best.size == LARGEST_SIZE_COMPARED == 9


@pytest.mark.parametrize("epsilon", sampled_params(EPSILONS, 4), ids=TEXTS)
def test_every_grid_is_offered_what_one_draw_holds(epsilon: Fraction) -> None:
    """Piecewise offers itself for all legal grids and targets, and its documents are legal."""
    for cells in (2, 3, 31, 1000, 4900, MAX_CELLS):
        for offers_no_answer in (False, True):
            for target in Target:
                need = _need(OneOf(cells, offers_no_answer), epsilon, target, Scale.NUMERIC)
                (mechanism,) = piecewise.candidates(need)
                assert Piecewise.from_document(mechanism.to_document()) == mechanism
                assert mechanism.total_weight <= DRAW_RANGE
                assert mechanism.weights.low == LOW_WEIGHT
                assert mechanism.rounds <= (target is Target.MEAN)


@pytest.mark.parametrize("epsilon", EPSILONS, ids=TEXTS)
def test_no_other_number_of_windows_is_better_for_a_mean(epsilon: Fraction) -> None:
    """Of all numbers of windows that fit into 24 steps and the grid, the best is offered."""
    for cells in (2, 3, 4, 6, 7, 9, 11, 16, 21, 31):
        for offers_no_answer in (False, True):
            domain = OneOf(cells, offers_no_answer)
            need = _need(domain, epsilon, Target.MEAN, Scale.NUMERIC)
            (mechanism,) = piecewise.candidates(need)
            room, weights = min(24, cells - 1), mechanism.weights
            others = [
                Piecewise(domain, parts * (room // parts), room // parts, weights)
                for parts in range(1, room + 1)
                # The others are beyond one draw.
                if (room // parts) * weights.high < DRAW_RANGE * 99 // 100
            ]
            least = min(theory.error(other, Target.MEAN) for other in others)
            assert float(theory.error(mechanism, Target.MEAN)) <= float(least) * (1 + 1e-9)


@pytest.mark.parametrize("epsilon", sampled_params(EPSILONS[:9], 4), ids=TEXTS[:9])
def test_the_window_for_a_distribution_costs_it_little_and_the_mean_least(
    epsilon: Fraction,
) -> None:
    """Its summed variance is at most a tenth above the least, and the mean's the least then."""
    for cells in (2, 3, 4, 7, 12, 20):
        for offers_no_answer in (False, True):
            domain = OneOf(cells, offers_no_answer)
            need = _need(domain, epsilon, Target.SHARES, Scale.NUMERIC)
            (mechanism,) = piecewise.candidates(need)
            ratio = float(mechanism.weights.ratio)
            others = [
                Piecewise(domain, cells - 1, window, mechanism.weights)
                for window in range(1, cells)
            ]
            errors = [_error_of_distribution(other) for other in others]
            for other, error in zip(others, errors, strict=True):
                found = distribution_error(domain, other.window, ratio)
                assert found == pytest.approx(error, rel=1e-6)
            means = [
                float(theory.error(other, Target.MEAN))
                for other, error in zip(others, errors, strict=True)
                if error <= min(errors) * 1.1
            ]
            assert errors[mechanism.window - 1] <= min(errors) * 1.1 * (1 + 1e-9)
            assert float(theory.error(mechanism, Target.MEAN)) == pytest.approx(
                min(means), rel=1e-9
            )


def _error_of_distribution(mechanism: Piecewise) -> float:
    """From the information about the shares, if all answers are equally common and given."""
    cells = mechanism.cells
    channel = np.array(list(theory.channel(mechanism).values()), dtype=np.float64)[:, :cells]
    information = channel.T @ (channel / channel.mean(axis=1)[:, np.newaxis])
    covariance = np.linalg.inv(information) - np.full((cells, cells), cells**-2.0)
    sums = np.tri(cells)
    return float(np.trace(sums @ covariance @ sums.T))


def test_the_distribution_is_the_theorys() -> None:
    """At 20 places the errors are those of the theory, and wider windows are within a tenth."""
    errors = {("0.5", 10): 1255, ("1", 5): 269, ("2", 2): 47.8, ("3", 1): 13.9}
    for (epsilon, window), error in errors.items():
        ratio = float(integer_weights(Fraction(epsilon)).ratio)
        assert distribution_error(OneOf(20), window, ratio) == pytest.approx(error, rel=5e-3)
    best = [
        best_for_distribution(OneOf(20), integer_weights(Fraction(epsilon)))
        for epsilon, _ in errors
    ]
    assert best == [(19, 14), (19, 10), (19, 4), (19, 1)]


def test_a_window_beyond_one_draw_is_lowered() -> None:
    """At epsilon 10 one draw holds 2 high outputs; huge weights get none."""
    for target in Target:
        need = _need(OneOf(5000), Fraction(10), target, Scale.NUMERIC)
        (mechanism,) = piecewise.candidates(need)
        assert mechanism.window <= 2
        beyond = need.replace(weights=lambda *_: Weights(DRAW_RANGE, DRAW_RANGE - 1))
        assert list(piecewise.candidates(beyond)) == []


def test_nothing_is_offered_for_what_cannot_be_served() -> None:
    """Sets are not for one answer, nor grids for sets, nor a mean for shares."""
    one, some, half = OneOf(4), SomeOf(4, 2), Fraction(1, 2)
    unserved: list[tuple[type[Mechanism], Need]] = [
        (PrivSet, _need(one, half)),
        (PrivSet, _need(some, half, Target.MEAN)),
        (SampledBits, _need(one, half)),
        (SampledBits, _need(some, half, Target.MEAN)),
        (Piecewise, _need(some, half, scale=Scale.NUMERIC)),
        (Piecewise, _need(one, half, scale=Scale.ORDINAL)),
        (Piecewise, _need(OneOf(MAX_CELLS + 1), half, scale=Scale.NUMERIC)),
        (Piecewise, _need(OneOf(1, offers_no_answer=True), half, scale=Scale.NUMERIC)),
        (Piecewise, _need(one, half, Target.MEAN)),
        (Piecewise, _need(one, half, Target.SHARES, Scale.ORDINAL)),
        (Piecewise, _need(some, half, Target.MEAN, Scale.ORDINAL)),
        (Piecewise, _need(OneOf(1, offers_no_answer=True), half, Target.MEAN, Scale.ORDINAL)),
        (Subset, _need(some, half)),
        (Subset, _need(one, half, scale=Scale.NUMERIC)),
        (Subset, _need(OneOf(1001), half)),
    ]
    for kind, need in unserved:
        assert list(theory.candidates(kind.name, need)) == []
