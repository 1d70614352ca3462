"""Sampled bits: a few options drawn at random, each answered by Warner.

For questions where any set of options may be chosen. Which options are drawn
does not depend on the answer and may be seen by everyone.

Guarantee: epsilon = parts · ln(high / low) exactly, between any two sets
of options of one respondent, with parts the smaller of sampled and 2m: two
sets of at most m options differ in at most 2m. Edge case: with one option
drawn it is Warner's method on that option.

The number of draws and the form of the report depend on the parameters only.

Source: sampling instead of splitting, N. Wang et al. 2019 (ICDE); the bit is
Warner 1965 (JASA 60); k is options, m is at_most, s is sampled.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, ClassVar

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms.base import Mechanism
from deniable_sdk.mechanisms.domains import Answer, SomeOf
from deniable_sdk.mechanisms.parameters import check_range, check_total_weight, read_selection
from deniable_sdk.mechanisms.values import Support, SupportKind, ValueForm
from deniable_sdk.randomness import RandomIntegers, shuffled
from deniable_sdk.records import derived
from deniable_sdk.weights import Weights

# Beyond about epsilon / 2 more drawn options cost more than they reveal, and no
# survey has an epsilon above 10. A bound also keeps the check of what a survey
# spends short for any author's survey.
MOST_SAMPLED = 10


class SampledBits(Mechanism):
    """Warner bits of `sampled` of the options, drawn by the device."""

    name: ClassVar[str] = "sampled_bits"
    keys: ClassVar[tuple[str, ...]] = ("options", "at_most", "sampled")
    read_domain = staticmethod(read_selection)

    domain: SomeOf  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    sampled: int
    weights: Weights  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    _bounds: tuple[int, ...] = derived()

    def __post_init__(self) -> None:
        """What the draw of each bit is taken from, and the bounds of all draws."""
        total = self.weights.high + self.weights.low
        self.derive("total_weight", total)
        check_range("sampled", self.sampled, 1, min(self.domain.options, MOST_SAMPLED))
        check_total_weight(total, "take a smaller epsilon or smaller weights")
        options = self.domain.options
        self.derive("form", ValueForm(options, (self.sampled, 2)))
        drawn = range(options, options - self.sampled, -1)
        self.derive("_bounds", (*drawn, *[total] * self.sampled))
        self.derive("draws", len(self._bounds))

    @property
    def spends(self) -> tuple[Weights, ...]:
        """Each drawn bit spends its part, up to as many as two answers differ in."""
        return (self.weights,) * parts(self.domain, self.sampled)

    @property
    def outputs(self) -> int:
        """Every choice of the drawn options, with every bit of each."""
        return math.comb(self.domain.options, self.sampled) << self.sampled

    @property
    def keep(self) -> Fraction:
        """p: the probability that a drawn bit is the true one."""
        return Fraction(self.weights.high, self.total_weight)

    @property
    def flip(self) -> Fraction:
        """q: the probability that a drawn bit is not the true one."""
        return 1 - self.keep

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """Pairs [option, bit] in ascending order of their options.

        Always 2 · sampled draws: the options first, as the first places of a
        partial shuffle, then a bit for each in ascending order.
        """
        chosen = self.domain.check(answer)
        draws = integers.below_each(self._bounds)
        drawn = sorted(shuffled(draws[: self.sampled]))
        high = self.weights.high
        return [
            [option, int((option in chosen) == (draw < high))]
            for option, draw in zip(drawn, draws[self.sampled :], strict=True)
        ]

    def support(self, value: Any) -> Support:
        options, bits = zip(*value, strict=True)
        return Support(SupportKind.BITS, options, bits)


def parts(domain: SomeOf, sampled: int) -> int:
    """In how many of the drawn options two answers can differ."""
    return min(sampled, 2 * domain.at_most)
