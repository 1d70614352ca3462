"""Calculations of other programs: sums, means, largest values and quotients of answers.

XLSForm writes (${a} + ${b}) div 2, SurveyJS iif({a} = 'yes', 1, 0) + {b}. Nothing is
evaluated by Python.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from deniable_web.builder.imports import algebra
from deniable_web.builder.imports.algebra import FUNCTIONS
from deniable_web.builder.imports.imported import LeftOut
from deniable_web.builder.imports.syntax import (
    LONGEST,
    Bare,
    Call,
    Chain,
    Name,
    Node,
    Quoted,
    UnreadableExpressionError,
    parse,
)
from deniable_web.builder.imports.values import (
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

# Steps for all calculations of a file. Each takes some microseconds; nine items take fifty steps.
_MOST_STEPS: Final = 100_000
# How many characters are split into parts in the time of one step.
_CHARACTERS: Final = 4
# Steps for each number of the result, which becomes the points of an item.
_FOR_ITEMS: Final = 4
_NUMBER: Final = re.compile(r"-?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})", re.ASCII)
_TRUE: Final = ("true", "false")
_OPERATIONS: Final[Mapping[str, Callable[[Value, Value], Value]]] = {
    "or": partial(algebra.combine, rule=operator.or_),
    "and": partial(algebra.combine, rule=operator.and_),
    "=": algebra.equals,
    "!=": algebra.differs,
    "<": partial(algebra.compare, rule=operator.lt),
    "<=": partial(algebra.compare, rule=operator.le),
    ">": partial(algebra.compare, rule=operator.gt),
    ">=": partial(algebra.compare, rule=operator.ge),
    "+": algebra.add,
    "-": partial(algebra.add, sign=-1),
    "*": algebra.multiply,
    "/": algebra.divide,
    "^": algebra.power,
}
_NEGATIVE: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "-": lambda operands: algebra.multiply(constant(Fraction(-1)), operands[0])
}
_PRODUCTS: Final = ("*", "/", "^")


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
    steps.take(min(len(expression), LONGEST) // _CHARACTERS)
    try:
        tree = parse(expression)
    except UnreadableExpressionError as error:
        raise NoScoreError(LeftOut.TOO_LONG if error.is_too_long else LeftOut.COMPUTED) from None
    found = _Calculation(find, steps).compute(tree)
    steps.take(_FOR_ITEMS * _size(found))
    return found


class _Calculation:
    """Computes the values of syntax trees, and counts the steps."""

    def __init__(self, find: Callable[[str], Operand], steps: Steps) -> None:
        self._find = find
        self._steps = steps

    def compute(self, tree: Node) -> Value:
        self._steps.take(1)
        if isinstance(tree, Name):
            return self._counted(Answer(self._find(tree.text)))
        if isinstance(tree, Quoted):
            return Word(tree.text)
        if isinstance(tree, Chain):
            return self._chain(tree)
        if isinstance(tree, Call):
            return self._call(tree)
        if isinstance(tree, Bare) and _NUMBER.fullmatch(tree.text):
            return constant(Fraction(tree.text))
        if isinstance(tree, Bare) and tree.text in _TRUE:
            return Word(tree.text)
        raise NoScoreError

    def _chain(self, tree: Chain) -> Value:
        found = self.compute(tree.first)
        for sign, operand in tree.rest:
            if sign not in _OPERATIONS:
                raise NoScoreError
            found = _OPERATIONS[sign](found, self._counted(self.compute(operand)))
            if sign in _PRODUCTS:
                self._counted(found)
        return found

    def _call(self, tree: Call) -> Value:
        is_function = tree.name.endswith("()")
        rule = (
            FUNCTIONS.get(tree.name.removesuffix("()"))
            if is_function
            else _NEGATIVE.get(tree.name)
        )
        if rule is None:
            raise NoScoreError(LeftOut.FUNCTION if is_function else LeftOut.COMPUTED)
        return rule([self._counted(self.compute(argument)) for argument in tree.arguments])

    def _counted(self, value: Value) -> Value:
        """The same value; counts the steps for computing with it."""
        self._steps.take(_size(value))
        return value


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
