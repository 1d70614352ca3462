"""The operations and functions of calculations on values; a score can have every result."""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Final

from deniable_sdk.survey.questions.rules import MAX_DIVISORS, MAX_ITEMS
from deniable_web.builder.imports.imported import LeftOut
from deniable_web.builder.imports.values import (
    Answer,
    Chosen,
    Largest,
    Linear,
    NoScoreError,
    Operand,
    Product,
    Rounded,
    Term,
    Value,
    Word,
    as_linear,
    bounded,
    constant,
    grain,
    known,
)


def add(left: Value, right: Value, sign: int = 1) -> Linear:
    """The sum of two values, or with the sign -1 their difference."""
    first, second = as_linear(left), as_linear(right)
    if sign != 1:
        second = _scaled(second, Fraction(sign))
    terms = dict(first.terms)
    for source, points in second.terms.items():
        own = terms.get(source, (Fraction(0),) * len(points))
        terms[source] = tuple(map(bounded, map(operator.add, own, points)))
    if len(terms) > MAX_ITEMS:
        raise NoScoreError(LeftOut.TOO_LONG)
    return Linear(bounded(first.constant + second.constant), terms)


def multiply(left: Value, right: Value) -> Linear | Product:
    """The product of two values."""
    first, second = _factor(left), _factor(right)
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Linear) and not one.terms and isinstance(other, Linear):
            return _scaled(other, one.constant)
    one, other = _product(first), _product(second)
    tops, bottoms = one.tops + other.tops, one.bottoms + other.bottoms
    if len(tops) + len(bottoms) > 1 + MAX_DIVISORS:
        raise NoScoreError
    return Product(bounded(one.factor * other.factor), tops, bottoms)


def divide(left: Value, right: Value) -> Linear | Product:
    """The quotient of two values."""
    divisor = _factor(right)
    product = _product(divisor)
    if not product.factor:
        raise NoScoreError(LeftOut.DIVISOR)
    if isinstance(divisor, Linear) and not divisor.terms:
        return multiply(left, Linear(1 / divisor.constant, {}))
    return multiply(left, Product(1 / product.factor, product.bottoms, product.tops))


def largest(values: Iterable[Value]) -> Largest:
    """The largest of several values, each of one question."""
    terms = tuple(_single(as_linear(value)) for value in values)
    if len(terms) > MAX_ITEMS:
        raise NoScoreError(LeftOut.TOO_LONG)
    return Largest(terms)


def rounded(value: Value, step: Fraction) -> Linear | Rounded:
    """A value rounded to a step; a sum of multiples of the step does not change."""
    found = value if isinstance(value, Product | Largest) else as_linear(value)
    if isinstance(found, Linear) and not grain(found.terms.items(), found.constant) % step:
        return found
    return Rounded(found, step)


def choose(truth: Value, then: Value, otherwise: Value) -> Linear:
    """One of two values, selected by the answer to one question."""
    if not isinstance(truth, Chosen):
        raise NoScoreError
    source = truth.source
    yes, no = (_of_options(value, source) for value in (then, otherwise))
    points = tuple(
        known((yes if is_true else no)[index]) for index, is_true in enumerate(truth.when)
    )
    return Linear(Fraction(0), {truth.source: points})


def combine(left: Value, right: Value, rule: Callable[[bool, bool], bool]) -> Chosen:
    """The combination of two conditions on the answer to one question."""
    if (
        not isinstance(left, Chosen)
        or not isinstance(right, Chosen)
        or left.source != right.source
    ):
        raise NoScoreError
    return Chosen(left.source, tuple(map(rule, left.when, right.when)))


def reverse(truth: Value) -> Chosen:
    """The opposite of a condition."""
    return combine(truth, truth, lambda is_true, _: not is_true)


def compare(left: Value, right: Value, rule: Callable[[Fraction, Fraction], bool]) -> Chosen:
    """The condition that a rule is true of the points of one question and a number."""
    difference = add(left, right, -1)
    if len(difference.terms) != 1:
        raise NoScoreError
    source = _source(left) or _source(right)
    if source is None or not source.options:
        raise NoScoreError
    (points,) = difference.terms.values()
    zero = Fraction(0)
    return Chosen(source, tuple(rule(each + difference.constant, zero) for each in points))


def equals(left: Value, right: Value) -> Chosen:
    """The condition that an answer is a given text or number."""
    if isinstance(right, Answer):
        left, right = right, left
    if not isinstance(left, Answer) or not left.source.options:
        return compare(left, right, Fraction.__eq__)
    source = left.source
    if isinstance(right, Word):
        # In other programs an empty text means no answer; a score has no points for that.
        if not right.text:
            raise NoScoreError
        # No answer has this text: the question was changed by the import, or the program
        # compares texts in its own way.
        if right.text not in source.names:
            raise NoScoreError
        option = source.names[right.text]
        return Chosen(source, tuple(each == option for each in source.options))
    if isinstance(right, Linear) and right.constant in source.numbers and not right.terms:
        return Chosen(source, tuple(each == right.constant for each in source.numbers))
    raise NoScoreError


def differs(left: Value, right: Value) -> Chosen:
    """The condition that an answer is not a given text or number."""
    return reverse(equals(left, right))


def _scaled(value: Linear, factor: Fraction) -> Linear:
    terms = {
        source: tuple(bounded(each * factor) for each in points)
        for source, points in value.terms.items()
    }
    return Linear(bounded(value.constant * factor), terms)


def _of_options(value: Value, source: Operand) -> Sequence[Fraction | None]:
    """The points of a value for each option of a question, which alone decides it."""
    if isinstance(value, Answer) and value.source == source:
        return source.numbers
    found = as_linear(value)
    if found.terms.keys() - {source}:
        raise NoScoreError
    points = found.terms.get(source) or [Fraction(0)] * len(source.options)
    return [found.constant + each for each in points]


def _source(value: Value) -> Operand | None:
    return value.source if isinstance(value, Answer | Chosen) else None


def _factor(value: Value) -> Linear | Product:
    return value if isinstance(value, Product) else as_linear(value)


def _product(value: Linear | Product) -> Product:
    if isinstance(value, Product):
        return value
    terms = (_single(value),) if value.terms else ()
    return Product(Fraction(1) if terms else value.constant, terms, ())


def _single(value: Linear) -> Term:
    """The points of the only question in a sum."""
    if len(value.terms) != 1 or value.constant:
        raise NoScoreError
    return next(iter(value.terms.items()))


def _fixed(count: int, rule: Callable[..., Value]) -> Callable[[Sequence[Value]], Value]:
    """A function that accepts exactly this many values."""

    def checked(given: Sequence[Value]) -> Value:
        if len(given) != count:
            raise NoScoreError
        return rule(*given)

    return checked


def _whole(value: Value, most: int) -> int:
    """A whole number from 0 that an expression contains."""
    number = as_linear(value)
    if number.terms or number.constant not in range(most + 1):
        raise NoScoreError
    return int(number.constant)


def _sum(given: Sequence[Value]) -> Linear:
    return reduce(add, given, constant(Fraction(0)))


def _mean(given: Sequence[Value]) -> Value:
    return divide(_sum(given), constant(Fraction(len(given))))


def _number(value: Value) -> Value:
    return as_linear(value) if isinstance(value, Answer | Chosen) else value


def power(base: Value, exponent: Value) -> Value:
    """The first value to the power of the second, a whole number from 0 to 3."""
    found: Value = constant(Fraction(1))
    for _ in range(_whole(exponent, 3)):
        found = multiply(found, base)
    return found


def _round(given: Sequence[Value]) -> Value:
    value, *places = given or (Word(""),)
    if len(places) > 1:
        raise NoScoreError
    decimals = _whole(places[0], 4) if places else 0
    return rounded(value, Fraction(1, 10**decimals))


def _int(value: Value) -> Value:
    # Only for values that are already whole: a score can be rounded, but not truncated.
    found = rounded(value, Fraction(1))
    if not isinstance(found, Linear):
        raise NoScoreError
    return found


FUNCTIONS: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "if": _fixed(3, choose),
    "iif": _fixed(3, choose),
    "sum": _sum,
    "avg": _mean,
    "max": largest,
    "number": _fixed(1, _number),
    "int": _fixed(1, _int),
    "round": _round,
    "pow": _fixed(2, power),
    "selected": _fixed(2, equals),
    "not": _fixed(1, reverse),
}
