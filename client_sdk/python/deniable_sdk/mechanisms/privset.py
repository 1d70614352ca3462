"""PrivSet: a small set of options that tends to meet the chosen ones.

For questions where at most m options may be chosen. The choice is filled up
to exactly m with dummy options, so how many were chosen does not show.

Guarantee: epsilon = ln(high / low) exactly, between any two sets of at
most m options of one respondent. Edge case: m = 1 is subset selection over
the options and one dummy.

The number of draws and the form of the report depend on the parameters only.

Source: S. Wang et al. 2018 (INFOCOM); k is options, m is at_most, D = k + m
is padded, l is size, e^epsilon is high / low.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
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


class PrivSet(Mechanism):
    """Sets of `size` out of the options and as many dummies as may be chosen.

    D is `padded`: the options and the dummies. Z is `total_weight`: what the
    first draw is taken from. The sets that hold at most t of the m chosen
    weigh `weights_up_to[t]` in all; `_bounds[t]` are those of the draws that
    choose among the sets that hold exactly t.
    """

    name: ClassVar[str] = "privset"
    keys: ClassVar[tuple[str, ...]] = ("options", "at_most", "size")
    read_domain = staticmethod(read_selection)

    domain: SomeOf  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    size: int
    weights: Weights  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    padded: int = derived()
    weights_up_to: tuple[int, ...] = derived()
    _bounds: tuple[tuple[int, ...], ...] = derived()

    def __post_init__(self) -> None:
        check_range("size", self.size, 1, self.domain.options - 1)
        advice = "take a smaller epsilon, a smaller size or fewer options"
        self.derive("padded", self.domain.options + self.domain.at_most)
        self.derive("form", ValueForm(self.padded, (self.size,)))
        # Each set weighs at least 1. Of a size far too large this is soon told,
        # where the exact sum takes long.
        check_total_weight(math.comb(self.padded, self.size), advice)
        meeting = meeting_weights(self.domain, self.size, self.weights)
        self.derive("total_weight", sum(meeting))
        check_total_weight(self.total_weight, advice)
        self.derive("weights_up_to", tuple(itertools.accumulate(meeting)))
        self.derive("_bounds", tuple(self._bounds_of(count) for count in range(len(meeting))))
        self.derive("draws", 1 + self.size)

    def _bounds_of(self, count: int) -> tuple[int, ...]:
        options, at_most = self.domain.options, self.domain.at_most
        rest = self.size - count
        return (
            *range(at_most, at_most - count, -1),
            *range(options, options - rest, -1),
        )

    @property
    def outputs(self) -> int:
        """Every set of that size, blanks among them."""
        return math.comb(self.padded, self.size)

    @property
    def keep(self) -> Fraction:
        """The probability that the set contains a given chosen option."""
        return Fraction(self.holding * self.weights.high, self.total_weight)

    @property
    def flip(self) -> Fraction:
        """The probability that the set contains a given option not chosen."""
        return Fraction(self.holding * self.weights.high - self.spread, self.total_weight)

    @property
    def holding(self) -> int:
        """How many sets hold a given option."""
        return math.comb(self.padded - 1, self.size - 1)

    @property
    def spread(self) -> int:
        """What keep is above flip, in units of the total weight.

        Sets that hold a given option weigh less under an answer without it
        where they miss all that was chosen.
        """
        missing = math.comb(self.padded - self.domain.at_most - 1, self.size - 1)
        return missing * (self.weights.high - self.weights.low)

    def randomize(self, answer: Answer, integers: RandomIntegers) -> JSON:
        """An ascending list of `size` of the options and dummies.

        Always 1 + size draws: how many of the m are in the set, which of
        them, and which others.
        """
        chosen = self.pad(self.domain.check(answer))
        count = bisect_right(self.weights_up_to, integers.below(self.total_weight))
        draws = integers.below_each(self._bounds[count])
        drawn = [chosen[index] for index in shuffled(draws[:count])]
        # Of the others, as many are before the i-th chosen as its index less i.
        before = [option - rank for rank, option in enumerate(chosen)]
        drawn += [rank + bisect_right(before, rank) for rank in shuffled(draws[count:])]
        return [*sorted(drawn)]

    def pad(self, chosen: tuple[int, ...]) -> tuple[int, ...]:
        """The chosen options, and so many dummies that they are `at_most`."""
        dummies = self.domain.at_most - len(chosen)
        return (*chosen, *range(self.domain.options, self.domain.options + dummies))

    def support(self, value: Any) -> Support:
        return Support(SupportKind.SOME_OF, tuple(value))


def meeting_weights(domain: SomeOf, size: int, weights: Weights) -> list[int]:
    """What the sets of a size weigh in all that hold 0, 1, 2, ... of the chosen options."""
    return [
        math.comb(domain.at_most, count)
        * math.comb(domain.options, size - count)
        * (weights.high if count else weights.low)
        for count in range(min(domain.at_most, size) + 1)
    ]
