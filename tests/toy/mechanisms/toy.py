"""The answer, or any option: one draw over the weights of all options."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import (
    Answer,
    Domain,
    Mechanism,
    OneOf,
    Support,
    SupportKind,
    ValueForm,
)
from deniable_sdk.mechanisms.parameters import read_count, read_weights, refuse_unknown
from deniable_sdk.randomness import RandomIntegers
from deniable_sdk.records import derived
from deniable_sdk.weights import Weights


class Toy(Mechanism):
    """Randomized response over `options` options."""

    name: ClassVar[str] = "toy"
    keys: ClassVar[tuple[str, ...]] = ("options",)

    options: int
    weights: Weights  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    domain: OneOf = derived()  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here

    def __post_init__(self) -> None:
        self.derive("domain", OneOf(self.options))
        self.derive("form", ValueForm(self.options))
        self.derive("draws", 1)
        total = self.weights.high + (self.options - 1) * self.weights.low
        self.derive("total_weight", total)

    @property
    def outputs(self) -> int:
        """Every option."""
        return self.options

    @property
    def keep(self) -> Fraction:
        """The probability that the answer is reported."""
        return Fraction(self.weights.high, self.total_weight)

    @property
    def flip(self) -> Fraction:
        """The probability that a given other option is reported."""
        return Fraction(self.weights.low, self.total_weight)

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        """The mechanism of a published survey."""
        refuse_unknown(document, ("name", *cls.keys, "weights"))
        return cls(read_count(document, "options", 2, 1000), read_weights(document))

    def to_document(self) -> dict[str, JSON]:
        """The parameters as a published survey carries them."""
        weights: JSON = [self.weights.high, self.weights.low]
        return {"name": self.name, "options": self.options, "weights": weights}

    def fits(self, domain: Domain) -> bool:
        """Whether it randomizes the answers of this domain."""
        return isinstance(domain, OneOf) and domain.size == self.options

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """One option."""
        kept = self.domain.check(answer)
        draw = integers.below(self.total_weight) - self.weights.high
        other = draw // self.weights.low
        return kept if draw < 0 else other + (other >= kept)

    def support(self, value: Any) -> Support:
        """The option that is reported."""
        return Support(SupportKind.ONE_OF, (value,))
