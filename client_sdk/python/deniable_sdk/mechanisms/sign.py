"""Sign: the answer rounded to one end of the scale, and that end randomized.

For the mean of a scale or number, and nothing else: one bit is sent. The
answer is rounded up with a probability equal to its place on the scale, so
the expected end is the answer; the ends, and "no answer" where there is one,
are then told apart by randomized response.

Guarantee: epsilon = ln(favoured / base) exactly, between any two answers of
one respondent: rounding mixes rows of the channel, and a mixture of rows is
within the same ratio.

Two draws, whatever the answer.

Source: Duchi, Jordan and Wainwright 2018 (JASA 113), section 3.2; j is the
answer, m is cells - 1, e^epsilon is favoured / base.
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
    check_total_weight,
    is_grid,
    read_grid,
    read_weights,
    refuse_unknown,
)
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.records import Record, derived
from deniable_sdk.weights import Weights

if TYPE_CHECKING:
    from fractions import Fraction

LOW, HIGH, NONE = 0, 1, 2


class Sign(Record):
    """Outputs 0 for the low end, 1 for the high end, 2 for no answer.

    The second draw is taken from `total_weight`.
    """

    name: ClassVar[str] = "sign"
    draws: ClassVar[int] = 2

    domain: OneOf
    weights: Weights
    output_count: int = derived()
    total_weight: int = derived()

    def __post_init__(self) -> None:
        self.derive("output_count", 2 + self.domain.has_no_answer)
        others = self.output_count - 1
        self.derive("total_weight", self.weights.favoured + others * self.weights.base)
        check_total_weight(self.total_weight, "take a smaller epsilon or smaller weights")

    @property
    def outputs(self) -> int:
        """All outputs, the one for no answer among them."""
        return self.output_count

    @property
    def slope(self) -> Fraction:
        """How much P(high) - P(low) moves when the answer crosses the scale."""
        return fraction(2 * (self.weights.favoured - self.weights.base), self.total_weight)

    @property
    def no_answer_keep(self) -> Fraction:
        """P(no answer is reported) if it is the answer; 0 where there is none."""
        return fraction(self.domain.has_no_answer * self.weights.favoured, self.total_weight)

    @property
    def no_answer_flip(self) -> Fraction:
        """P(no answer is reported) if it is not; 0 where there is none."""
        return fraction(self.domain.has_no_answer * self.weights.base, self.total_weight)

    @property
    def spends(self) -> tuple[Weights, ...]:
        """Every output has one of two weights before rounding."""
        return (self.weights,)

    @classmethod
    def candidates(cls, need: Need) -> Iterable[Self]:
        is_ordered = need.scale in (Scale.ORDINAL, Scale.NUMERIC)
        if is_grid(need.domain) and need.target is Target.MEAN and is_ordered:
            yield cls(need.domain, need.weights(1, 3))

    def error(self, target: Target, domain: Domain | None = None) -> Fraction:
        """At the middle answer: those further out, and no answer, vary less.

        Raises:
            ValueError: the target is not the mean.
        """
        del domain  # there is one only that it fits
        if target is not Target.MEAN:
            raise ValueError("sign estimates a mean, not shares")
        ends = fraction(self.weights.favoured + self.weights.base, self.total_weight)
        middle = fraction((self.domain.options - 1) % 2, 2 * (self.domain.options - 1))
        return ends / self.slope**2 - middle**2

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        refuse_unknown(document, ("name", "cells", "no_answer", "weights"))
        return cls(domain=read_grid(document), weights=read_weights(document))

    def to_document(self) -> dict[str, JSON]:
        return {
            "name": self.name,
            "cells": self.domain.options,
            "no_answer": self.domain.has_no_answer,
            "weights": [self.weights.favoured, self.weights.base],
        }

    def fits(self, domain: Domain) -> bool:
        return domain == self.domain

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """One end, or no answer: rounded first, then kept or replaced."""
        place = self.domain.check(answer)
        end = HIGH if integers.below(self.domain.options - 1) < place else LOW
        if place == self.domain.options:
            end = NONE
        draw = integers.below(self.total_weight)
        if draw < self.weights.favoured:
            return end
        other = (draw - self.weights.favoured) // self.weights.base
        return other + (other >= end)

    def check_value(self, value: JSON) -> None:
        check_output(value, self.output_count)

    def channel(self) -> dict[str, tuple[Fraction, ...]]:
        return {
            str(output): tuple(self.likelihood(output, answer) for answer in self.domain.answers())
            for output in range(self.output_count)
        }

    def likelihood(self, output: int, answer: int) -> Fraction:
        """The probability of an output under an answer."""
        base = self.weights.base
        if answer == self.domain.options:
            truly = fraction(output == NONE)
        elif output == NONE:
            truly = fraction(0)
        else:
            high = fraction(answer, self.domain.options - 1)
            truly = high if output == HIGH else 1 - high
        return (base + truly * (self.weights.favoured - base)) / self.total_weight

    def describe(self) -> str:
        kept = self.weights.favoured / self.total_weight
        return (
            "rounds the answer to one end of the scale by chance, and reports that end with "
            f"probability {kept:.1%}"
        )
