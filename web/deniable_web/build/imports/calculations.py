"""Calculations of other programs: sums, means, largest values and quotients of answers.

XLSForm writes (${a} + ${b}) div 2, SurveyJS iif({a} = 'yes', 1, 0) + {b}. The parts
are read once, from left to right; nothing is evaluated by Python.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from deniable_web.build.imports import algebra
from deniable_web.build.imports.algebra import FUNCTIONS, power
from deniable_web.build.imports.conditions import LONGEST, Part, split
from deniable_web.build.imports.imported import LeftOut
from deniable_web.build.imports.values import (
    Answer,
    Chosen,
    Largest,
    Linear,
    NoScoreError,
    Operand,
    Product,
    Rounded,
    Value,
    Word,
    constant,
)

# Nested brackets, as deep as a person can read.
_DEEPEST: Final = 30
# Steps for all calculations of a file. Each takes some microseconds; nine items take fifty steps.
_MOST_STEPS: Final = 100_000
# How many characters are split into parts in the time of one step.
_CHARACTERS: Final = 8
# Steps for each number of the result, which becomes the points of an item.
_FOR_ITEMS: Final = 4
_NUMBER: Final = re.compile(r"\d{1,15}(?:\.\d{0,15})?|\.\d{1,15}", re.ASCII)
_END: Final[Part] = ("", "")

_TRUE: Final = ("true", "false")
_Operations = Mapping[str, Callable[[Value, Value], Value]]
_EITHER: Final = dict.fromkeys(("or", "||"), partial(algebra.combine, rule=operator.or_))
_BOTH: Final = dict.fromkeys(("and", "&&"), partial(algebra.combine, rule=operator.and_))
_COMPARISONS: Final[_Operations] = {
    "=": algebra.equals,
    "==": algebra.equals,
    "!=": algebra.differs,
    "<>": algebra.differs,
    "<": partial(algebra.compare, rule=operator.lt),
    "<=": partial(algebra.compare, rule=operator.le),
    ">": partial(algebra.compare, rule=operator.gt),
    ">=": partial(algebra.compare, rule=operator.ge),
}
_SUMS: Final[_Operations] = {"+": algebra.add, "-": partial(algebra.add, sign=-1)}
_PRODUCTS: Final = {"*": algebra.multiply, "div": algebra.divide, "/": algebra.divide}


class Steps:
    """The remaining work that the calculations of one file may cause."""

    def __init__(self) -> None:
        self._left = _MOST_STEPS

    def take(self, count: int) -> None:
        """Count some steps.

        Raises:
            NoScoreError: there were too many steps.
        """
        self._left -= count
        if self._left < 0:
            raise NoScoreError(LeftOut.TOO_LONG)


def read_calculation(expression: str, find: Callable[[str], Operand], steps: Steps) -> Value:
    """The value that an expression computes from answers.

    Args:
        expression: as the other program writes it.
        find: returns the question with a name; raises NoScoreError if it cannot be used.
        steps: the remaining work for the file.
    Raises:
        NoScoreError: it is not a sum, mean, largest value or quotient of answers.
    """
    if len(expression) > LONGEST:
        raise NoScoreError(LeftOut.TOO_LONG)
    steps.take(len(expression) // _CHARACTERS)
    parts = split(expression)
    if not parts:
        raise NoScoreError
    reader = _Reader(parts, find, steps)
    found = reader.read()
    if not reader.is_at_end:
        raise NoScoreError
    steps.take(_FOR_ITEMS * _size(found))
    return found


class _Reader:
    """Reads parts by the grammar that both programs share."""

    def __init__(
        self, parts: Sequence[Part], find: Callable[[str], Operand], steps: Steps
    ) -> None:
        self._parts = parts
        self._find = find
        self._steps = steps
        self._place = 0
        self._depth = 0

    @property
    def is_at_end(self) -> bool:
        return self._place == len(self._parts)

    def read(self) -> Value:
        """The value of an expression joined by "or", the operator that binds least."""
        self._steps.take(1)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NoScoreError(LeftOut.TOO_LONG)
        found = self._joined(self._both, _EITHER)
        self._depth -= 1
        return found

    def _both(self) -> Value:
        return self._joined(self._compared, _BOTH)

    def _joined(self, member: Callable[[], Value], operations: _Operations) -> Value:
        found = member()
        while sign := self._next_of(operations):
            found = operations[sign](found, self._counted(member()))
        return found

    def _compared(self) -> Value:
        found = self._sum()
        if sign := self._next_of(_COMPARISONS):
            return _COMPARISONS[sign](found, self._counted(self._sum()))
        return found

    def _sum(self) -> Value:
        return self._joined(self._product, _SUMS)

    def _product(self) -> Value:
        found = self._signed()
        while sign := self._next_of(_PRODUCTS):
            found = self._counted(_PRODUCTS[sign](self._counted(found), self._signed()))
        return found

    def _signed(self) -> Value:
        is_negative = False
        while self._next_of(("-",)):
            is_negative = not is_negative
        found = self._atom()
        if self._next_of(("^",)):
            found = power(self._counted(found), self._atom())
        if is_negative:
            return algebra.multiply(constant(Fraction(-1)), self._counted(found))
        return found

    def _atom(self) -> Value:
        kind, text = self._part()
        self._place += 1
        if kind == "name":
            return self._counted(Answer(self._find(text)))
        if kind == "value":
            return Word(text)
        if (kind, text) == ("sign", "("):
            found = self.read()
            self._expect(")")
            return found
        if kind != "word":
            raise NoScoreError
        if self._next_of(("(",)):
            return self._function(text)
        if _NUMBER.fullmatch(text):
            return constant(Fraction(text))
        if text in _TRUE:
            return Word(text)
        raise NoScoreError

    def _function(self, name: str) -> Value:
        rule = FUNCTIONS.get(name)
        if rule is None:
            raise NoScoreError(LeftOut.FUNCTION)
        given: list[Value] = []
        if not self._next_of((")",)):
            given.append(self.read())
            while self._next_of((",",)):
                given.append(self.read())
            self._expect(")")
        for each in given:
            self._counted(each)
        return rule(given)

    def _counted(self, value: Value) -> Value:
        """The same value; counts the steps for computing with it."""
        self._steps.take(_size(value))
        return value

    def _part(self) -> Part:
        return self._parts[self._place] if self._place < len(self._parts) else _END

    def _next_of(self, signs: Sequence[str] | Mapping[str, object]) -> str:
        """Consume and return the next part if it is one of these signs; otherwise ""."""
        kind, text = self._part()
        if kind not in ("sign", "word") or text not in signs:
            return ""
        self._place += 1
        return text

    def _expect(self, sign: str) -> None:
        if not self._next_of((sign,)):
            raise NoScoreError


def _size(value: Value) -> int:
    """How many numbers a value has."""
    if isinstance(value, Answer | Chosen):
        return value.source.width
    if isinstance(value, Linear):
        return 1 + sum(map(len, value.terms.values()))
    if isinstance(value, Product):
        return 1 + sum(len(points) for _, points in (*value.tops, *value.bottoms))
    if isinstance(value, Largest):
        return 1 + sum(len(points) for _, points in value.terms)
    return _size(value.inner) if isinstance(value, Rounded) else 1
