"""What mechanisms offer the compiler: legal, and never missing the best."""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import TypeVar

import pytest

from deniable_sdk.mechanisms import (
    Domain,
    Mechanism,
    OneOf,
    PrivSet,
    SampledBits,
    Sign,
    SomeOf,
    SquareWave,
    Subset,
)
from deniable_sdk.mechanisms.base import Need, Scale, Target
from deniable_sdk.mechanisms.parameters import MAX_CELLS
from deniable_sdk.mechanisms.privset import LARGEST_SIZE_COMPARED
from deniable_sdk.mechanisms.sampled_bits import MOST_SAMPLED
from deniable_sdk.randomness import DRAW_RANGE
from deniable_sdk.weights import BASE_WEIGHT, Weights, integer_weights

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
    return min(mechanisms, key=lambda mechanism: mechanism.error(Target.SHARES))


def _error_of_bits(domain: SomeOf, sampled: int, weights: Weights) -> Fraction:
    """For more drawn options than a survey may carry, too."""
    spread = Fraction(weights.favoured - weights.base, weights.favoured + weights.base)
    share = min(Fraction(1, 2), Fraction(domain.at_most, domain.options))
    rate = (1 - spread) / 2 + share * spread
    return domain.options * Fraction(domain.options, sampled) * rate * (1 - rate) / spread**2


@pytest.mark.parametrize("epsilon", EPSILONS, ids=TEXTS)
def test_no_more_options_are_best_drawn_than_are_compared(epsilon: Fraction) -> None:
    """Of all numbers of drawn options that two answers can differ in, the best is offered."""
    for options in (2, 3, 5, 9, 20, 40):
        for at_most in {1, 2, options // 2, options}:
            domain = SomeOf(options, at_most)
            offered = list(SampledBits.candidates(_need(domain, epsilon)))
            errors = {
                sampled: _error_of_bits(domain, sampled, integer_weights(epsilon / sampled))
                for sampled in range(1, min(options, 2 * at_most) + 1)
            }
            assert _best(offered).sampled == min(errors, key=lambda sampled: errors[sampled])
            assert all(errors[one.sampled] == one.error(Target.SHARES) for one in offered)
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
                    share * (weights.favoured if met else weights.base)
                    for met, share in _set_counts(domain, size)
                )
                if total <= DRAW_RANGE:
                    every.append(PrivSet(domain, size, weights))
            offered = list(PrivSet.candidates(_need(domain, epsilon)))
            assert (_best(offered) if offered else None) == (_best(every) if every else None)
            assert all(mechanism.size <= LARGEST_SIZE_COMPARED for mechanism in offered)


def _set_counts(domain: SomeOf, size: int) -> list[tuple[bool, int]]:
    """How many sets meet a full choice, and how many miss it."""
    missed = comb(domain.options, size)
    return [(True, comb(domain.options + domain.at_most, size) - missed), (False, missed)]


def test_the_largest_size_compared_is_needed() -> None:
    """At 17 options with at most one chosen and a small epsilon, size 9 is best."""
    offered = list(PrivSet.candidates(_need(SomeOf(17, 1), Fraction("0.01"))))
    best = _best(offered)
    assert best.size == LARGEST_SIZE_COMPARED == 9


@pytest.mark.parametrize("epsilon", EPSILONS, ids=TEXTS)
def test_every_grid_is_offered_what_one_draw_holds(epsilon: Fraction) -> None:
    """Square wave and sign offer themselves for all legal grids, and their documents are legal."""
    for cells in (2, 3, 31, 1000, 4900, MAX_CELLS):
        for has_no_answer in (False, True):
            need = _need(OneOf(cells, has_no_answer), epsilon, Target.MEAN, Scale.NUMERIC)
            for kind in (SquareWave, Sign):
                (mechanism,) = kind.candidates(need)
                assert kind.from_document(mechanism.to_document()) == mechanism
                assert mechanism.total_weight <= DRAW_RANGE
                assert mechanism.weights.base == BASE_WEIGHT


def test_a_reach_beyond_one_draw_is_lowered() -> None:
    """At 5,000 cells and epsilon 10 one draw holds reach 0 only; huge weights get none."""
    need = _need(OneOf(5000), Fraction(10), Target.MEAN, Scale.NUMERIC)
    (mechanism,) = SquareWave.candidates(need)
    assert mechanism.reach == 0
    beyond = need.replace(weights=lambda *_: Weights(DRAW_RANGE, DRAW_RANGE - 1))
    assert list(SquareWave.candidates(beyond)) == []


def test_nothing_is_offered_for_what_cannot_be_served() -> None:
    """Sets are not for one answer, nor grids for sets, nor a mean for shares."""
    one, some, half = OneOf(4), SomeOf(4, 2), Fraction(1, 2)
    unserved: list[tuple[type[Mechanism], Need]] = [
        (PrivSet, _need(one, half)),
        (PrivSet, _need(some, half, Target.MEAN)),
        (SampledBits, _need(one, half)),
        (SampledBits, _need(some, half, Target.MEAN)),
        (SquareWave, _need(some, half, scale=Scale.NUMERIC)),
        (SquareWave, _need(one, half, scale=Scale.ORDINAL)),
        (SquareWave, _need(OneOf(MAX_CELLS + 1), half, scale=Scale.NUMERIC)),
        (SquareWave, _need(OneOf(1, has_no_answer=True), half, scale=Scale.NUMERIC)),
        (Sign, _need(one, half, Target.MEAN)),
        (Sign, _need(one, half, Target.SHARES, Scale.ORDINAL)),
        (Sign, _need(some, half, Target.MEAN, Scale.ORDINAL)),
        (Sign, _need(OneOf(1, has_no_answer=True), half, Target.MEAN, Scale.ORDINAL)),
        (Subset, _need(some, half)),
        (Subset, _need(one, half, scale=Scale.NUMERIC)),
        (Subset, _need(OneOf(1001), half)),
    ]
    for kind, need in unserved:
        assert list(kind.candidates(need)) == []
