"""Subset selection: a fixed-size set of options that tends to hold the truth.

Guarantee: epsilon = ln(high / low) exactly, between any two answers of
one respondent. Edge cases: size 1 is k-ary randomized response; domain size 2
with size 1 is Warner's method.

The number of random draws and the length of the report depend on the
parameters only, and the set is sent in ascending order, so nothing but the
set itself speaks of the answer.

Source: Ye and Barg 2018 (IEEE Trans. Inf. Theory 64), S. Wang et al. 2016;
k is domain_size, d is size, e^epsilon is high / low.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms.base import Mechanism
from deniable_sdk.mechanisms.domains import Answer, Domain, OneOf
from deniable_sdk.mechanisms.parameters import (
    MAX_DOMAIN_SIZE,
    check_range,
    check_total_weight,
    read_count,
    read_integer,
    read_weights,
    refuse_unknown,
)
from deniable_sdk.mechanisms.values import Support, SupportKind, ValueForm
from deniable_sdk.randomness import RandomIntegers, shuffled
from deniable_sdk.records import derived
from deniable_sdk.weights import Weights


class Subset(Mechanism):
    """Subset selection over 0..domain_size-1 with sets of `size` options.

    Of `total_weight`, size·high + (k − size)·low, the first draw leaves
    the answer in the set for the `high_weight`, size·high.
    """

    name: ClassVar[str] = "subset"
    keys: ClassVar[tuple[str, ...]] = ("domain_size", "size")

    domain_size: int
    size: int
    weights: Weights  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    domain: OneOf = derived()  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    high_weight: int = derived()
    _bounds: tuple[int, ...] = derived()

    def __post_init__(self) -> None:
        self.derive("domain", OneOf(self.domain_size))
        shape = () if self.size == 1 else (self.size,)
        self.derive("form", ValueForm(self.domain_size, shape))
        high = self.size * self.weights.high
        self.derive("high_weight", high)
        rest = (self.domain_size - self.size) * self.weights.low
        self.derive("total_weight", high + rest)
        check_range("size", self.size, 1, self.domain_size - 1)
        check_total_weight(self.total_weight, "take a smaller epsilon or fewer options")
        others = self.domain_size - 1
        self.derive("_bounds", (self.total_weight, *range(others, others - self.size, -1)))
        self.derive("draws", len(self._bounds))

    @property
    def outputs(self) -> int:
        """Every set of that size."""
        return math.comb(self.domain_size, self.size)

    @property
    def keep(self) -> Fraction:
        """p: the probability that the set contains the true answer."""
        return Fraction(self.high_weight, self.total_weight)

    @property
    def flip(self) -> Fraction:
        """q: the probability that the set contains a given other option."""
        return (self.size - self.keep) / (self.domain_size - 1)

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        refuse_unknown(document, ("name", *cls.keys, "weights"))
        return cls(
            domain_size=read_count(document, "domain_size", 2, MAX_DOMAIN_SIZE),
            size=read_integer(document, "size"),
            weights=read_weights(document),
        )

    def fits(self, domain: Domain) -> bool:
        return isinstance(domain, OneOf) and domain.size == self.domain_size

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """One set: the index itself for size 1, else an ascending list.

        Always 1 + size draws. The set is the first `size` places of a partial
        shuffle of the other options; the answer takes the last of them when
        the first draw says so.
        """
        chosen = self.domain.check(answer)
        first, *offsets = integers.below_each(self._bounds)
        is_included = first < self.high_weight
        if self.size == 1:
            return chosen if is_included else offsets[0] + (offsets[0] >= chosen)
        drawn = [index + (index >= chosen) for index in shuffled(offsets)]
        if is_included:
            drawn[-1] = chosen
        return [*sorted(drawn)]

    def support(self, value: Any) -> Support:
        answers = value if isinstance(value, list) else [value]
        return Support(SupportKind.ONE_OF, tuple(answers))
