"""Subset selection: a fixed-size set of options that tends to hold the truth.

Guarantee: epsilon = ln(favoured / base) exactly, between any two answers of
one respondent. Edge cases: size 1 is k-ary randomized response; domain size 2
with size 1 is Warner's method.

The number of random draws and the length of the report depend on the
parameters only, and the set is sent in ascending order, so nothing but the
set itself speaks of the answer.

Source: Ye and Barg 2018 (IEEE Trans. Inf. Theory 64), S. Wang et al. 2016;
k is domain_size, d is size, e^epsilon is favoured / base.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, Self

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON, kind
from deniable_sdk.exact import fraction
from deniable_sdk.mechanisms.base import InvalidValue, Need, Scale, Target
from deniable_sdk.mechanisms.domains import Answer, Domain, OneOf
from deniable_sdk.mechanisms.parameters import (
    MAX_DOMAIN_SIZE,
    check_index_list,
    check_range,
    check_total_weight,
    is_index,
    read_count,
    read_integer,
    read_weights,
    refuse_unknown,
)
from deniable_sdk.randomness import DRAW_RANGE, RandomIntegers, shuffled
from deniable_sdk.records import Record, derived
from deniable_sdk.weights import Weights

if TYPE_CHECKING:
    from fractions import Fraction


class Subset(Record):
    """Subset selection over 0..domain_size-1 with sets of `size` options.

    Of `total_weight`, size·favoured + (k − size)·base, the first draw leaves
    the answer in the set for the `favoured_weight`, size·favoured.
    """

    name: ClassVar[str] = "subset"

    domain_size: int
    size: int
    weights: Weights
    domain: OneOf = derived()
    total_weight: int = derived()
    favoured_weight: int = derived()
    draws: int = derived()
    _bounds: tuple[int, ...] = derived()

    def __post_init__(self) -> None:
        self.derive("domain", OneOf(self.domain_size))
        favoured = self.size * self.weights.favoured
        self.derive("favoured_weight", favoured)
        rest = (self.domain_size - self.size) * self.weights.base
        self.derive("total_weight", favoured + rest)
        check_range("size", self.size, 1, self.domain_size - 1)
        check_total_weight(self.total_weight, "take a smaller epsilon or fewer options")
        others = self.domain_size - 1
        self.derive("_bounds", (self.total_weight, *range(others, others - self.size, -1)))
        self.derive("draws", len(self._bounds))

    @property
    def spends(self) -> tuple[Weights, ...]:
        """Every output has one of two weights."""
        return (self.weights,)

    @property
    def outputs(self) -> int:
        """Every set of that size."""
        return math.comb(self.domain_size, self.size)

    @property
    def keep(self) -> Fraction:
        """p: the probability that the set holds the true answer."""
        return fraction(self.favoured_weight, self.total_weight)

    @property
    def flip(self) -> Fraction:
        """q: the probability that the set holds a given other option."""
        return (self.size - self.keep) / (self.domain_size - 1)

    @classmethod
    def best(cls, domain_size: int, weights: Weights, most_outputs: int | None = None) -> Self:
        """The size with the smallest worst-case error; the smaller if equal.

        The derivative of the error by the size has the sign of
        size·(favoured + base) − k·base, so the best size stands on one of the
        two sides of its zero, and its total weight is near 2k·base. A size
        whose total weight is beyond one draw is left out, and one with more
        than `most_outputs` outputs, if there is another than 1.

        Raises:
            InvalidParameters: even size 1 is beyond one draw.
        """
        favoured, base = weights.favoured, weights.base
        fits = (DRAW_RANGE - domain_size * base) // (favoured - base)
        largest = max(1, min(domain_size - 1, fits))
        if most_outputs is not None:
            largest = min(largest, _largest_within(domain_size, most_outputs))
        zero = domain_size * base // (favoured + base)
        sizes = sorted({min(max(1, size), largest) for size in (zero, zero + 1)})
        return min((cls(domain_size, size, weights) for size in sizes), key=cls.worst_total_error)

    @classmethod
    def candidates(cls, need: Need) -> Iterable[Self]:
        domain = need.domain
        is_served = need.scale is not Scale.NUMERIC or need.is_named
        if isinstance(domain, OneOf) and is_served and domain.size <= MAX_DOMAIN_SIZE:
            weights = need.weights(1, 2 * domain.size)
            yield cls.best(domain.size, weights, need.most_outputs)

    def error(self, target: Target, domain: Domain | None = None) -> Fraction:
        """For shares the summed total variance, for a mean that of the scores."""
        if target is Target.SHARES:
            return self.worst_total_error()
        has_no_answer = isinstance(domain, OneOf) and domain.has_no_answer
        return self._mean_error(self.domain_size - has_no_answer)

    def _mean_error(self, levels: int) -> Fraction:
        """Of scores evenly spaced on a range of length 1, at the worst answer.

        "No answer", where there is one, is the place after the levels.
        """
        last = levels - 1
        scores = [fraction(2 * index - last, 2 * last) for index in range(levels)]
        scores += [fraction(0)] * (self.domain_size - levels)
        squares = sum((score**2 for score in scores), start=fraction(0))
        # A score and its negative vary alike.
        worst = max(self._sum_variance(score, squares) for score in {*map(abs, scores)})
        return worst / (self.keep - self.flip) ** 2

    def _sum_variance(self, score: Fraction, squares: Fraction) -> Fraction:
        """The variance of a set's summed scores, given the answer's score.

        All scores sum to 0, so those of the others sum to -score.
        """
        others = self.domain_size - 1
        rest = squares - score**2

        def second_moment(drawn: int) -> Fraction:
            pairs = fraction(drawn * (drawn - 1), max(1, others * (others - 1)))
            return fraction(drawn, others) * rest + pairs * (score**2 - rest)

        mean = self.keep * score - (self.size - self.keep) * score / others
        crossed = -2 * score**2 * fraction(self.size - 1, others)
        with_answer = score**2 + crossed + second_moment(self.size - 1)
        return self.keep * with_answer + (1 - self.keep) * second_moment(self.size) - mean**2

    def worst_total_error(self) -> Fraction:
        """N times the summed total variance at the worst shares (all equal).

        Source: Ye and Barg 2018; theory of the minimax constant in Ye and
        Barg 2019 (EJS 13).
        """
        size, rest = self.size, self.domain_size - self.size
        spread = self.weights.favoured - self.weights.base
        return fraction(
            (self.domain_size - 1) ** 2 * self.total_weight**2,
            self.domain_size * size * rest * spread**2,
        )

    @classmethod
    def from_document(cls, document: Mapping[str, JSON]) -> Self:
        refuse_unknown(document, ("name", "domain_size", "size", "weights"))
        return cls(
            domain_size=read_count(document, "domain_size", 2, MAX_DOMAIN_SIZE),
            size=read_integer(document, "size"),
            weights=read_weights(document),
        )

    def to_document(self) -> dict[str, JSON]:
        return {
            "name": self.name,
            "domain_size": self.domain_size,
            "size": self.size,
            "weights": [self.weights.favoured, self.weights.base],
        }

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
        is_included = first < self.favoured_weight
        if self.size == 1:
            return chosen if is_included else offsets[0] + (offsets[0] >= chosen)
        drawn = [place + (place >= chosen) for place in shuffled(offsets)]
        if is_included:
            drawn[-1] = chosen
        return [*sorted(drawn)]

    def check_value(self, value: JSON) -> None:
        if self.size == 1:
            if not is_index(value, self.domain_size):
                raise InvalidValue(
                    f"got {kind(value)} that is no option; allowed is a whole number "
                    f"from 0 to {self.domain_size - 1}"
                )
            return
        check_index_list(value, self.size, self.domain_size)

    def channel(self) -> dict[str, tuple[Fraction, ...]]:
        # Of all sets of this size, a share size/k holds a given option.
        holding = math.comb(self.domain_size - 1, self.size - 1)
        missing = math.comb(self.domain_size - 1, self.size)
        total = holding * self.weights.favoured + missing * self.weights.base
        likelihood = {
            True: fraction(self.weights.favoured, total),
            False: fraction(self.weights.base, total),
        }
        outputs = itertools.combinations(range(self.domain_size), self.size)
        return {
            self._text(output): tuple(
                likelihood[answer in output] for answer in range(self.domain_size)
            )
            for output in outputs
        }

    def _text(self, output: tuple[int, ...]) -> str:
        return canonical.encode(output[0] if self.size == 1 else list(output)).decode()

    def describe(self) -> str:
        kept = f"with probability {float(self.keep):.1%}"
        if self.size == 1:
            others = self.domain_size - 1
            other = "the other one" if others == 1 else f"one of the {others} others"
            return f"reports the true answer {kept}, else {other}"
        return f"reports {self.size} of {self.domain_size} answers, the true one among them {kept}"


def _largest_within(domain_size: int, most_outputs: int) -> int:
    """The largest size up to the middle with so few outputs, 1 if there is none.

    Sizes beyond the middle are no better than their mirrors below it.
    """
    size = 1
    while size < domain_size // 2 and math.comb(domain_size, size + 1) <= most_outputs:
        size += 1
    return size
