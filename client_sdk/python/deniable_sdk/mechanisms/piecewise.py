"""Piecewise: a step near the true place on the scale, or anywhere on the line.

For scales and numbers on an evenly spaced grid. The answer is rounded by
chance to one of `steps` + 1 positions from end to end, so that the expected
position is the answer. Each position favours a `window` of outputs that
begins there. Where there is "no answer", one more output is favoured by it;
it counts as many times as a window, which keeps every row's total the same.

For a mean few steps with a wide window are best; for the distribution as many
steps as the grid has, which rounds nothing.

Guarantee: epsilon = ln(favoured / base) exactly, between any two answers of
one respondent, no answer among them: rounding mixes rows of the channel, and
a mixture of rows is within the same ratio. Edge cases: one step with window 1
is the mechanism of Duchi, Jordan and Wainwright 2018; cells - 1 steps with
window 1 are k-ary randomized response, with an odd window the square wave of
Li et al. 2020, made discrete.

Two draws, whatever the answer.

Source: own derivation; Zhao et al. 2021 (IEEE IoT J. 8) round in the same
way, with windows of other lengths.
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
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.records import Record, derived
from deniable_sdk.weights import Weights

if TYPE_CHECKING:
    from fractions import Fraction


class Piecewise(Record):
    """Outputs 0..steps + window - 1, in all `places`, then one for no answer.

    Position j favours the outputs from j to j + window - 1. The second draw is
    taken from `total_weight`, which is the same for every answer.
    """

    name: ClassVar[str] = "piecewise"
    draws: ClassVar[int] = 2

    domain: OneOf
    steps: int
    window: int
    weights: Weights
    cells: int = derived()
    places: int = derived()
    outputs: int = derived()
    total_weight: int = derived()

    def __post_init__(self) -> None:
        self.derive("cells", self.domain.options)
        self.derive("places", self.steps + self.window)
        self.derive("outputs", self.places + self.domain.has_no_answer)
        unfavoured = self.steps + self.window * self.domain.has_no_answer
        total = self.window * self.weights.favoured + unfavoured * self.weights.base
        self.derive("total_weight", total)
        check_range("steps", self.steps, 1, self.cells - 1)
        check_range("window", self.window, 1, self.steps)
        check_total_weight(self.total_weight, "take a smaller epsilon or a smaller window")

    @property
    def rounds(self) -> bool:
        """Whether answers are rounded, so that their distribution cannot be estimated."""
        return self.steps < self.cells - 1

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
        """Every output has one of two weights, counted by its places, before rounding."""
        return (self.weights,)

    @classmethod
    def candidates(cls, need: Need) -> Iterable[Self]:
        domain = need.domain
        is_wanted = need.scale is Scale.NUMERIC or need.target is Target.MEAN or need.is_named
        if is_grid(domain) and need.scale is not Scale.NOMINAL and is_wanted:
            from deniable_sdk.mechanisms import piecewise_choice as choice  # noqa: PLC0415 - no device needs it

            is_mean = need.target is Target.MEAN
            best = choice.best_for_mean if is_mean else choice.best_for_distribution
            weights = need.weights(1, choice.units(domain, is_mean=is_mean))
            shape = best(domain, weights, need.most_outputs)
            if shape is not None:
                yield cls(domain, *shape, weights)

    def error(self, target: Target, domain: Domain | None = None) -> Fraction:
        """The worst-case variance of the mean, whatever the target.

        It is exact, over all places of the grid. The distribution's error falls
        with the same epsilon and number of reports.
        """
        del target, domain  # there is one domain only that it fits
        from deniable_sdk.mechanisms.piecewise_mean import worst_square  # noqa: PLC0415 - see above

        return worst_square(self, fraction(-1))

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        refuse_unknown(document, ("name", "cells", "no_answer", "steps", "window", "weights"))
        return cls(
            domain=read_grid(document),
            steps=read_integer(document, "steps"),
            window=read_integer(document, "window"),
            weights=read_weights(document),
        )

    def to_document(self) -> dict[str, JSON]:
        return {
            "name": self.name,
            "cells": self.cells,
            "no_answer": self.domain.has_no_answer,
            "steps": self.steps,
            "window": self.window,
            "weights": [self.weights.favoured, self.weights.base],
        }

    def fits(self, domain: Domain) -> bool:
        return domain == self.domain

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """One output: rounded first, then by walking the outputs in ascending order."""
        place = self.domain.check(answer)
        position, beyond = divmod(place * self.steps, self.cells - 1)
        rounded = position + (integers.below(self.cells - 1) < beyond)
        start = self.places if place == self.cells else rounded
        draw = integers.below(self.total_weight)
        favoured, base = self.weights.favoured, self.weights.base
        before, inside = start * base, self.window * favoured
        if draw < before:
            return draw // base
        if place == self.cells:
            return self.places
        if draw < before + inside:
            return start + (draw - before) // favoured
        return min(self.places, start + self.window + (draw - before - inside) // base)

    def near(self, output: int) -> tuple[int, int]:
        """The first and the last place around the positions that favour an output.

        The output is not that for no answer.
        """
        first, last = max(0, output - self.window + 1), min(self.steps, output)
        length = self.cells - 1
        return first * length // self.steps, -(-last * length // self.steps)

    def check_value(self, value: JSON) -> None:
        check_output(value, self.outputs)

    def channel(self) -> dict[str, tuple[Fraction, ...]]:
        return {
            str(output): tuple(self.likelihood(output, answer) for answer in self.domain.answers())
            for output in range(self.outputs)
        }

    def likelihood(self, output: int, answer: int) -> Fraction:
        """The probability of an output under an answer."""
        favoured, base = self.weights.favoured, self.weights.base
        copies = self.window if output == self.places else 1
        return (
            copies
            * (base + self._favouring(output, answer) * (favoured - base))
            / self.total_weight
        )

    def _favouring(self, output: int, answer: int) -> Fraction:
        """The probability that the answer is rounded to a position that favours the output."""
        if answer == self.cells or output == self.places:
            return fraction(answer == self.cells and output == self.places)
        position, beyond = divmod(answer * self.steps, self.cells - 1)
        up = fraction(beyond, self.cells - 1)
        here, above = (start <= output < start + self.window for start in (position, position + 1))
        return (1 - up) * here + up * above

    def describe(self) -> str:
        near = float(self.window * fraction(self.weights.favoured, self.total_weight))
        rounded = f"rounds the answer by chance to one of {self.steps + 1} positions, and "
        where = f"one of the {self.window} places around it" if self.window > 1 else "its place"
        return (
            f"{rounded if self.rounds else ''}reports {where} with probability {near:.1%}, "
            f"else another one of {self.places}"
        )
