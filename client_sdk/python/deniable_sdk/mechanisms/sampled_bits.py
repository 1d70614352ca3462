"""Sampled bits: a few options drawn at random, each answered by Warner.

For questions where any set of options may be chosen. Which options are drawn
does not depend on the answer and may be seen by everyone.

Guarantee: epsilon = parts · ln(favoured / base) exactly, between any two sets
of options of one respondent, with parts the smaller of sampled and 2m: two
sets of at most m options differ in at most 2m. Edge case: with one option
drawn it is Warner's method on that option.

The number of draws and the form of the report depend on the parameters only.

Source: sampling instead of splitting, N. Wang et al. 2019 (ICDE); the bit is
Warner 1965 (JASA 60); k is options, m is at_most, s is sampled.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, Self

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON, kind
from deniable_sdk.exact import fraction
from deniable_sdk.mechanisms.base import InvalidValue, Need, Target
from deniable_sdk.mechanisms.domains import Answer, Domain, SomeOf
from deniable_sdk.mechanisms.parameters import (
    ascends,
    check_range,
    check_total_weight,
    is_index,
    read_integer,
    read_selection,
    read_weights,
    refuse_unknown,
)
from deniable_sdk.randomness import RandomIntegers, shuffled
from deniable_sdk.records import Record, derived
from deniable_sdk.weights import Weights

if TYPE_CHECKING:
    from fractions import Fraction

# Beyond about epsilon / 2 more drawn options cost more than they tell, and no
# survey has an epsilon above 10. A bound also keeps the check of what a survey
# spends short, whoever wrote it.
MOST_SAMPLED = 10


class SampledBits(Record):
    """Warner bits of `sampled` of the options, drawn by the device."""

    name: ClassVar[str] = "sampled_bits"

    domain: SomeOf
    sampled: int
    weights: Weights
    total_weight: int = derived()
    draws: int = derived()
    _bounds: tuple[int, ...] = derived()

    def __post_init__(self) -> None:
        """What the draw of each bit is taken from, and the bounds of all draws."""
        total = self.weights.favoured + self.weights.base
        self.derive("total_weight", total)
        check_range("sampled", self.sampled, 1, min(self.domain.options, MOST_SAMPLED))
        check_total_weight(total, "take a smaller epsilon or smaller weights")
        options = self.domain.options
        drawn = range(options, options - self.sampled, -1)
        self.derive("_bounds", (*drawn, *[total] * self.sampled))
        self.derive("draws", len(self._bounds))

    @property
    def spends(self) -> tuple[Weights, ...]:
        """Each drawn bit spends its part, up to as many as two answers differ in."""
        return (self.weights,) * _parts(self.domain, self.sampled)

    @property
    def outputs(self) -> int:
        """Every choice of the drawn options, with every bit of each."""
        return math.comb(self.domain.options, self.sampled) << self.sampled

    @property
    def keep(self) -> Fraction:
        """p: the probability that a drawn bit is the true one."""
        return fraction(self.weights.favoured, self.total_weight)

    @property
    def flip(self) -> Fraction:
        """q: the probability that a drawn bit is not the true one."""
        return 1 - self.keep

    @classmethod
    def candidates(cls, need: Need) -> Iterable[Self]:
        if isinstance(need.domain, SomeOf) and need.target is Target.SHARES:
            most = _parts(need.domain, min(need.domain.options, MOST_SAMPLED))
            for sampled in range(1, most + 1):
                weights = need.weights(sampled, 2)
                # Below ln 2 for each, more bits tell less altogether.
                if sampled > 1 and weights.favoured < 2 * weights.base:
                    return
                yield cls(need.domain, sampled, weights)

    def error(self, target: Target, domain: Domain | None = None) -> Fraction:
        """Options each of whose estimates comes from a share s/k of reports."""
        del domain  # there is one only that it fits
        if target is not Target.SHARES:
            raise ValueError("sampled bits estimate shares, not a mean")
        options, base = self.domain.options, self.weights.base
        # All in integers, as twice the options times the base weight.
        share = min(options, 2 * self.domain.at_most)
        spread = self.weights.favoured - base
        ones = 2 * options * base + share * spread
        zeros = 2 * options * self.total_weight - ones
        return fraction(ones * zeros, self.sampled * (2 * spread) ** 2)

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        refuse_unknown(document, ("name", "options", "at_most", "sampled", "weights"))
        return cls(
            domain=read_selection(document),
            sampled=read_integer(document, "sampled"),
            weights=read_weights(document),
        )

    def to_document(self) -> dict[str, JSON]:
        return {
            "name": self.name,
            "options": self.domain.options,
            "at_most": self.domain.at_most,
            "sampled": self.sampled,
            "weights": [self.weights.favoured, self.weights.base],
        }

    def fits(self, domain: Domain) -> bool:
        return domain == self.domain

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """Pairs [option, bit] in ascending order of their options.

        Always 2 · sampled draws: the options first, as the first places of a
        partial shuffle, then a bit for each in ascending order.
        """
        chosen = self.domain.check(answer)
        draws = integers.below_each(self._bounds)
        drawn = sorted(shuffled(draws[: self.sampled]))
        favoured = self.weights.favoured
        return [
            [option, int((option in chosen) == (draw < favoured))]
            for option, draw in zip(drawn, draws[self.sampled :], strict=True)
        ]

    def check_value(self, value: JSON) -> None:
        if not (isinstance(value, list) and len(value) == self.sampled):
            raise InvalidValue(f"got {kind(value)}; allowed is a list of {self.sampled} pairs")
        for pair in value:
            if not (isinstance(pair, list) and len(pair) == 2):
                raise InvalidValue("got a list with a member that is no pair [option, bit]")
            if not (is_index(pair[0], self.domain.options) and is_index(pair[1], 2)):
                raise InvalidValue(
                    "got a pair whose option or bit is not allowed; options are whole numbers "
                    f"from 0 to {self.domain.options - 1}, bits are 0 or 1"
                )
        if not ascends([pair[0] for pair in value if isinstance(pair, list)]):
            raise InvalidValue("got pairs whose options are not strictly ascending")

    def channel(self) -> dict[str, tuple[Fraction, ...]]:
        answers = list(self.domain.answers())
        each = fraction(1, math.comb(self.domain.options, self.sampled))
        keep, flip = self.keep, self.flip
        rows = {}
        for drawn in itertools.combinations(range(self.domain.options), self.sampled):
            for bits in itertools.product((0, 1), repeat=self.sampled):
                text = canonical.encode([[*pair] for pair in zip(drawn, bits, strict=True)])
                rows[text.decode()] = tuple(
                    math.prod(
                        (
                            keep if (option in answer) == bool(bit) else flip
                            for option, bit in zip(drawn, bits, strict=True)
                        ),
                        start=each,
                    )
                    for answer in answers
                )
        return rows

    def describe(self) -> str:
        options = self.domain.options
        drawn = "one option" if self.sampled == 1 else f"{self.sampled} options"
        return (
            f"draws {drawn} of {options} and says of each whether it was chosen, truly with "
            f"probability {float(self.keep):.1%}"
        )


def _parts(domain: SomeOf, sampled: int) -> int:
    """In how many of the drawn options two answers can differ."""
    return min(sampled, 2 * domain.at_most)
