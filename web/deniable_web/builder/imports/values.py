"""The values of calculations.

A value is not a number but a function of answers: a sum of points, a product, or the
largest of several. A score can be nothing else. Fractions keep values exact.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from deniable_web.builder.imports.imported import LeftOut

# No score has numbers beyond this, and calculating with them would be slow.
_LARGEST: Final = 10**15

# The points of each option; for a number, its one factor.
Points = tuple[Fraction, ...]


class NoScoreError(Exception):
    """A score cannot do this calculation; `reason` says why."""

    def __init__(self, reason: LeftOut = LeftOut.COMPUTED) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """A question that calculations may use; each question has one.

    Args:
        name: its name in the other program.
        id: its id in the definition.
        options: the ids of its options; empty for a number.
        names: the option for the other program's name of each answer.
        numbers: the number of each option in the other program; None if its name is not a number.
        grid: for a number, the smallest, the largest and the step.
    """

    name: str
    id: str
    options: tuple[str, ...]
    names: Mapping[str, str]
    numbers: tuple[Fraction | None, ...]
    grid: tuple[Fraction, ...]

    @property
    def width(self) -> int:
        """How many points it has: one for each option, or one factor."""
        return len(self.options) or 1


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question, before any computation."""

    source: Operand


@dataclass(frozen=True, slots=True)
class Word:
    """A text that answers are compared with."""

    text: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The condition that the answer to a question is one of some options."""

    source: Operand
    when: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Linear:
    """A constant, and the points of questions."""

    constant: Fraction
    terms: Mapping[Operand, Points]


# One question with its points.
Term = tuple[Operand, Points]


@dataclass(frozen=True, slots=True)
class Product:
    """A factor times some questions' points, divided by those of others."""

    factor: Fraction
    tops: tuple[Term, ...]
    bottoms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest points of some questions."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Rounded:
    """A value that is rounded to a step at the end."""

    inner: Linear | Product | Largest
    step: Fraction


Value = Answer | Word | Chosen | Linear | Product | Largest | Rounded


def constant(value: Fraction) -> Linear:
    """A value that depends on no answer."""
    return Linear(bounded(value), {})


def as_linear(value: Value) -> Linear:
    """A value as a sum of points.

    Raises:
        NoScoreError: it is not such a sum, or an answer's name is not a number.
    """
    if isinstance(value, Linear):
        return value
    if isinstance(value, Chosen):
        return Linear(Fraction(0), {value.source: tuple(map(Fraction, value.when))})
    if not isinstance(value, Answer):
        raise NoScoreError
    points = value.source.numbers if value.source.options else (Fraction(1),)
    return Linear(Fraction(0), {value.source: tuple(map(known, points))})


def known(number: Fraction | None) -> Fraction:
    """The number of an option; its name must be a number."""
    if number is None:
        raise NoScoreError(LeftOut.NAMES)
    return number


def bounded(value: Fraction) -> Fraction:
    """The same number; raises NoScoreError if it is beyond the numbers of scores."""
    if max(abs(value.numerator), value.denominator) > _LARGEST:
        raise NoScoreError(LeftOut.NUMBERS)
    return value


def ends(term: Term) -> tuple[Fraction, Fraction]:
    """The smallest and the largest points of a question."""
    source, points = term
    found = points if source.options else [points[0] * each for each in source.grid[:2]]
    return min(found), max(found)


def grain(terms: Iterable[Term], plus: Fraction = Fraction(0)) -> Fraction:
    """The largest step of which all sums of these points are multiples; 0 if all are 0."""
    found = [plus]
    for source, points in terms:
        if source.options:
            found += points
        else:
            low, _, step = source.grid
            found += points[0] * low, points[0] * step
    return Fraction(
        math.gcd(*(each.numerator for each in found)),
        math.lcm(*(each.denominator for each in found)),
    )
