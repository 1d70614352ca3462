"""Discrete square wave: a place near the true one, or anywhere on the line.

For numbers on an evenly spaced grid: both the mean and the distribution can
be estimated. Outputs reach `reach` places beyond the grid on both sides, so
that every answer has the same number of favoured outputs around it. Where
there is "no answer", one more output is favoured by it; it counts as many
places as the favoured ones, which keeps every row's total the same.

Guarantee: epsilon = ln(favoured / base) exactly, between any two answers of
one respondent, no answer among them. Edge case: with reach 0 it is k-ary
randomized response.

One draw, whatever the answer.

Source: Li et al. 2020 (SIGMOD), section 4, made discrete; k is cells, b is
reach, e^epsilon is favoured / base.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.exact import fraction
from deniable_sdk.mechanisms.base import Need, Scale, Target
from deniable_sdk.mechanisms.domains import Answer, Domain, OneOf
from deniable_sdk.mechanisms.parameters import (
    check_output,
    check_range,
    check_total_weight,
    is_grid,
    read_grid,
    read_integer,
    read_weights,
    refuse_unknown,
)
from deniable_sdk.randomness import DRAW_RANGE, RandomIntegers
from deniable_sdk.records import Record, derived
from deniable_sdk.weights import Weights

if TYPE_CHECKING:
    from fractions import Fraction


class SquareWave(Record):
    """Outputs 0..k-1+2b for the places -b..k-1+b, then one for no answer.

    Of the k `cells` and 2b places beyond them, in all `places`, each answer
    favours a `window` of 2b + 1. The draw is taken from `total_weight`, which
    is the same for every answer.
    """

    name: ClassVar[str] = "square_wave"
    draws: ClassVar[int] = 1

    domain: OneOf
    reach: int
    weights: Weights
    cells: int = derived()
    window: int = derived()
    places: int = derived()
    total_weight: int = derived()

    def __post_init__(self) -> None:
        self.derive("cells", self.domain.options)
        self.derive("window", 2 * self.reach + 1)
        self.derive("places", self.cells + 2 * self.reach)
        unfavoured = self.cells - 1 + self.window * self.domain.has_no_answer
        total = self.window * self.weights.favoured + unfavoured * self.weights.base
        self.derive("total_weight", total)
        check_range("reach", self.reach, 0, self.cells)
        check_total_weight(self.total_weight, "take a smaller epsilon or fewer cells")

    @property
    def output_count(self) -> int:
        """All outputs, the one for no answer among them."""
        return self.places + self.domain.has_no_answer

    @property
    def outputs(self) -> int:
        """All outputs, the one for no answer among them."""
        return self.output_count

    @property
    def slope(self) -> Fraction:
        """How much an output's expected place moves with the answer's."""
        spread = self.weights.favoured - self.weights.base
        return fraction(self.window * spread, self.total_weight)

    @property
    def no_answer_keep(self) -> Fraction:
        """P(no answer is reported) if it is the answer; 0 where there is none."""
        copies = self.window * self.domain.has_no_answer
        return fraction(copies * self.weights.favoured, self.total_weight)

    @property
    def no_answer_flip(self) -> Fraction:
        """P(no answer is reported) if it is not; 0 where there is none."""
        copies = self.window * self.domain.has_no_answer
        return fraction(copies * self.weights.base, self.total_weight)

    @property
    def spends(self) -> tuple[Weights, ...]:
        """Every output has one of two weights, counted by its places."""
        return (self.weights,)

    @classmethod
    def candidates(cls, need: Need) -> Iterable[Self]:
        domain = need.domain
        is_wanted = need.scale is Scale.NUMERIC or need.target is Target.MEAN or need.is_named
        if is_grid(domain) and need.scale is not Scale.NOMINAL and is_wanted:
            weights = need.weights(1, 4 * domain.options)
            reach = min(best_reach(domain.options, weights), _largest_reach(domain, weights))
            if reach >= 0:
                yield cls(domain, reach, weights)

    def error(self, target: Target, domain: Domain | None = None) -> Fraction:
        """The worst-case variance of the mean, whatever the target.

        The distribution's error has no closed form; it falls with the same
        epsilon and number of reports. The worst answers are the ends: with x
        from the middle, the variance is a constant, at least that of "no
        answer", plus slope·(1 − slope)·x².
        """
        del target, domain  # there is one domain only that it fits
        base, favoured = self.weights.base, self.weights.favoured
        end = fraction(self.cells - 1, 2)
        everywhere = fraction(self.places * (self.places**2 - 1), 12) * base
        around = fraction(self.window * (self.window**2 - 1), 12) + self.window * end**2
        square = (everywhere + around * (favoured - base)) / self.total_weight
        return (square - (self.slope * end) ** 2) / (self.slope * (self.cells - 1)) ** 2

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        refuse_unknown(document, ("name", "cells", "no_answer", "reach", "weights"))
        return cls(
            domain=read_grid(document),
            reach=read_integer(document, "reach"),
            weights=read_weights(document),
        )

    def to_document(self) -> dict[str, JSON]:
        return {
            "name": self.name,
            "cells": self.cells,
            "no_answer": self.domain.has_no_answer,
            "reach": self.reach,
            "weights": [self.weights.favoured, self.weights.base],
        }

    def fits(self, domain: Domain) -> bool:
        return domain == self.domain

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """One output, by walking the outputs in ascending order."""
        place = self.domain.check(answer)
        draw = integers.below(self.total_weight)
        favoured, base = self.weights.favoured, self.weights.base
        start = self.places if place == self.cells else place
        before, inside = start * base, self.window * favoured
        if draw < before:
            return draw // base
        if place == self.cells:
            return self.places
        if draw < before + inside:
            return start + (draw - before) // favoured
        return min(self.places, start + self.window + (draw - before - inside) // base)

    def check_value(self, value: JSON) -> None:
        check_output(value, self.output_count)

    def channel(self) -> dict[str, tuple[Fraction, ...]]:
        return {
            str(output): tuple(self.likelihood(output, answer) for answer in self.domain.answers())
            for output in range(self.output_count)
        }

    def likelihood(self, output: int, answer: int) -> Fraction:
        """The probability of an output under an answer."""
        if output == self.places:
            is_favoured, copies = answer == self.cells, self.window
        else:
            is_favoured = answer != self.cells and answer <= output < answer + self.window
            copies = 1
        weight = self.weights.favoured if is_favoured else self.weights.base
        return fraction(copies * weight, self.total_weight)

    def describe(self) -> str:
        near = float(self.window * fraction(self.weights.favoured, self.total_weight))
        around = f"a place within {self.reach} of the true one"
        where = around if self.reach else f"the true one of {self.cells} places"
        return f"reports {where} with probability {near:.1%}, else any other place"


def best_reach(cells: int, weights: Weights) -> int:
    """The reach that carries most information: b of Li et al. times the cells.

    Source: Li et al. 2020, section 5.3: (e·ε - e + 1) / (2e(e - 1 - ε)) with e
    for e^epsilon, of a range of length 1, rounded down to cells.
    """
    from decimal import Decimal, localcontext  # noqa: PLC0415 - no device needs it

    with localcontext() as context:
        context.prec = 50
        ratio = Decimal(weights.favoured) / Decimal(weights.base)
        epsilon = ratio.ln()
        share = (ratio * epsilon - ratio + 1) / (2 * ratio * (ratio - 1 - epsilon))
        return int(share * cells)


def _largest_reach(domain: OneOf, weights: Weights) -> int:
    """The largest reach whose total weight one draw holds; negative if none."""
    window_weight = weights.favoured + weights.base * domain.has_no_answer
    window = (DRAW_RANGE - (domain.options - 1) * weights.base) // window_weight
    return (window - 1) // 2
