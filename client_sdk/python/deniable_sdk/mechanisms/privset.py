"""PrivSet: a small set of options that tends to meet the chosen ones.

For questions where at most m options may be chosen. The choice is filled up
to exactly m with dummy options, so how many were chosen does not show.

Guarantee: epsilon = ln(favoured / base) exactly, between any two sets of at
most m options of one respondent. Edge case: m = 1 is subset selection over
the options and one dummy.

The number of draws and the form of the report depend on the parameters only.

Source: S. Wang et al. 2018 (INFOCOM); k is options, m is at_most, D = k + m
is padded, l is size, e^epsilon is favoured / base.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, Self

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON
from deniable_sdk.exact import fraction
from deniable_sdk.mechanisms.base import InvalidParameters, Need, Target
from deniable_sdk.mechanisms.domains import Answer, Domain, SomeOf
from deniable_sdk.mechanisms.parameters import (
    check_index_list,
    check_total_weight,
    read_integer,
    read_selection,
    read_weights,
    refuse_unknown,
)
from deniable_sdk.randomness import DRAW_RANGE, RandomIntegers
from deniable_sdk.records import Record
from deniable_sdk.weights import Weights

if TYPE_CHECKING:
    from fractions import Fraction

# Of the sizes that one draw can hold none above 9 is best, for epsilon from
# 0.01 to 10: 9 itself at 17 options of which at most one may be chosen.
LARGEST_SIZE_COMPARED = 9


class PrivSet(Record):
    """Sets of `size` out of the options and as many dummies as may be chosen."""

    name: ClassVar[str] = "privset"

    domain: SomeOf
    size: int
    weights: Weights

    def __post_init__(self) -> None:
        if not 1 <= self.size < self.domain.options:
            raise InvalidParameters(
                f"size: got {self.size}; allowed are 1 to {self.domain.options - 1}, "
                "one less than the options"
            )
        check_total_weight(
            self.total_weight, "take a smaller epsilon, a smaller size or fewer options"
        )

    @property
    def padded(self) -> int:
        """D: the options and the dummies."""
        return self.domain.options + self.domain.at_most

    @property
    def total_weight(self) -> int:
        """Z: what the first draw is taken from."""
        return sum(self._meeting_weights())

    def _meeting_weights(self) -> list[int]:
        """The total weight of the sets that hold t of the m, for t = 0, 1, ..."""
        return _meeting_weights(self.domain, self.size, self.weights)

    @property
    def spends(self) -> tuple[Weights, ...]:
        """Every output has one of two weights."""
        return (self.weights,)

    @property
    def keep(self) -> Fraction:
        """The probability that the set holds a given chosen option."""
        holding = math.comb(self.padded - 1, self.size - 1)
        return fraction(self.weights.favoured * holding, self.total_weight)

    @property
    def flip(self) -> Fraction:
        """The probability that the set holds a given option not chosen."""
        holding = math.comb(self.padded - 1, self.size - 1)
        missing = math.comb(self.padded - self.domain.at_most - 1, self.size - 1)
        weight = self.weights.favoured * (holding - missing) + self.weights.base * missing
        return fraction(weight, self.total_weight)

    @property
    def draws(self) -> int:
        return 1 + self.size

    @classmethod
    def candidates(cls, need: Need) -> Iterable[Self]:
        domain = need.domain
        if not isinstance(domain, SomeOf) or need.target is not Target.SHARES:
            return
        for size in range(1, min(domain.options - 1, LARGEST_SIZE_COMPARED) + 1):
            weights = need.weights(1, math.comb(domain.options + domain.at_most, size))
            if sum(_meeting_weights(domain, size, weights)) <= DRAW_RANGE:
                yield cls(domain, size, weights)

    def error(self, target: Target) -> Fraction:
        """The options' shares sum to at most m, so all are worst at m/k."""
        if target is not Target.SHARES:
            raise ValueError("PrivSet estimates shares, not a mean")
        options, spread = self.domain.options, self.keep - self.flip
        worst = (fraction(1, 2) - self.flip) / spread
        share = max(fraction(0), min(worst, fraction(self.domain.at_most, options)))
        rate = self.flip + share * spread
        return options * rate * (1 - rate) / spread**2

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        refuse_unknown(document, ("name", "options", "at_most", "size", "weights"))
        return cls(
            domain=read_selection(document),
            size=read_integer(document, "size"),
            weights=read_weights(document),
        )

    def to_document(self) -> dict[str, JSON]:
        return {
            "name": self.name,
            "options": self.domain.options,
            "at_most": self.domain.at_most,
            "size": self.size,
            "weights": [self.weights.favoured, self.weights.base],
        }

    def fits(self, domain: Domain) -> bool:
        return domain == self.domain

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """An ascending list of `size` of the options and dummies.

        Always 1 + size draws: how many of the m are in the set, which of
        them, and which others.
        """
        chosen = self._pad(self.domain.check(answer))
        others = [index for index in range(self.padded) if index not in chosen]
        draw, count = integers.below(self.total_weight), 0
        for count, weight in enumerate(self._meeting_weights()):  # noqa: B007 - used below
            if draw < weight:
                break
            draw -= weight
        kept = [chosen[place] for place in integers.sample(len(chosen), count)]
        rest = [others[place] for place in integers.sample(len(others), self.size - count)]
        return list[JSON](sorted(kept + rest))

    def _pad(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        dummies = self.domain.at_most - len(chosen)
        return (*chosen, *range(self.domain.options, self.domain.options + dummies))

    def check_value(self, value: JSON) -> None:
        check_index_list(value, self.size, self.padded)

    def channel(self) -> dict[str, tuple[Fraction, ...]]:
        padded = [set(self._pad(answer)) for answer in self.domain.answers()]
        met = fraction(self.weights.favoured, self.total_weight)
        missed = fraction(self.weights.base, self.total_weight)
        return {
            canonical.encode(list(output)).decode(): tuple(
                met if chosen & set(output) else missed for chosen in padded
            )
            for output in itertools.combinations(range(self.padded), self.size)
        }

    def describe(self) -> str:
        return (
            f"reports {self.size} of {self.domain.options} options and {self.domain.at_most} "
            f"blanks; a chosen option is among them with probability {float(self.keep):.1%}, "
            f"another with {float(self.flip):.1%}"
        )


def _meeting_weights(domain: SomeOf, size: int, weights: Weights) -> list[int]:
    return [
        math.comb(domain.at_most, count)
        * math.comb(domain.options, size - count)
        * (weights.favoured if count else weights.base)
        for count in range(min(domain.at_most, size) + 1)
    ]
