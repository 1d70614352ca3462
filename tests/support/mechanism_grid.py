"""Mechanisms of many parameters, for the checks that hold for all of them."""

import math
from collections.abc import Iterator
from fractions import Fraction

from deniable_sdk.mechanisms import (
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    SomeOf,
)
from deniable_sdk.randomness import DRAW_RANGE
from deniable_sdk.weights import Weights, integer_weights

EPSILONS = [Fraction(1, 100), Fraction(1), Fraction(4), Fraction(10)]
SMALL = [Weights(3, 1), Weights(5, 2)]
LARGE = [integer_weights(epsilon) for epsilon in EPSILONS]


def name(mechanism: Mechanism) -> str:
    """The mechanism's parameters, for the name of a test."""
    values = mechanism.to_document().values()
    return "-".join(
        ":".join(map(str, value)) if isinstance(value, list) else str(value) for value in values
    )


def selections(most_options: int) -> Iterator[SomeOf]:
    """Every selection of at least 2 and at most so many options."""
    for options in range(2, most_options + 1):
        for at_most in range(1, options + 1):
            yield SomeOf(options, at_most)


def sampled_bits(most_options: int, weights: list[Weights]) -> list[SampledBits]:
    """Sampled bits of every selection and number of drawn options."""
    return [
        SampledBits(domain, sampled, pair)
        for domain in selections(most_options)
        for sampled in range(1, domain.options + 1)
        for pair in weights
    ]


def privsets(most_options: int, weights: list[Weights]) -> list[PrivSet]:
    """PrivSet of every selection and size whose total weight fits a draw."""
    return [
        PrivSet(domain, size, pair)
        for domain in selections(most_options)
        for size in range(1, domain.options)
        for pair in weights
        if math.comb(domain.options + domain.at_most, size) * pair.high <= DRAW_RANGE
    ]


def grids(most_cells: int) -> list[OneOf]:
    """Every grid of at least 2 and at most so many cells, with and without no answer."""
    return [
        OneOf(cells, offers_no_answer)
        for cells in range(2, most_cells + 1)
        for offers_no_answer in (False, True)
    ]


def piecewises(most_cells: int, weights: list[Weights]) -> list[Piecewise]:
    """Piecewise of every grid, number of steps and window whose total weight fits a draw."""
    return [
        Piecewise(domain, steps, window, pair)
        for domain in grids(most_cells)
        for steps in range(1, domain.options)
        for window in range(1, steps + 1)
        for pair in weights
        if pair.high * (2 * window + 2) < DRAW_RANGE // 2
    ]


WALKED: list[Mechanism] = [
    *sampled_bits(3, SMALL),
    *privsets(3, SMALL),
    *piecewises(4, SMALL),
    Piecewise(OneOf(5, True), 3, 2, SMALL[1]),
    PrivSet(SomeOf(4, 2), 3, SMALL[0]),
    SampledBits(SomeOf(4, 4), 2, SMALL[1]),
]
GRID: list[Mechanism] = [
    *sampled_bits(4, [*LARGE, SMALL[0]]),
    *privsets(4, [*LARGE, SMALL[0]]),
    *piecewises(5, [*LARGE, SMALL[0]]),
]
