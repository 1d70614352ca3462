"""The functions that calculations of other programs may use."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from deniable_web.build.imports import algebra
from deniable_web.build.imports.values import (
    Answer,
    Chosen,
    Linear,
    NoScoreError,
    Value,
    Word,
    as_linear,
    constant,
)


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
    found = constant(Fraction(0))
    for each in given:
        found = algebra.add(found, each)
    return found


def _mean(given: Sequence[Value]) -> Value:
    return algebra.divide(_sum(given), constant(Fraction(len(given))))


def _number(value: Value) -> Value:
    return as_linear(value) if isinstance(value, Answer | Chosen) else value


def power(base: Value, exponent: Value) -> Value:
    """The first value to the power of the second, a whole number from 0 to 3."""
    found: Value = constant(Fraction(1))
    for _ in range(_whole(exponent, 3)):
        found = algebra.multiply(found, base)
    return found


def _round(given: Sequence[Value]) -> Value:
    value, *places = given or (Word(""),)
    if len(places) > 1:
        raise NoScoreError
    decimals = _whole(places[0], 4) if places else 0
    return algebra.rounded(value, Fraction(1, 10**decimals))


def _int(value: Value) -> Value:
    # Only for values that are already whole: a score can be rounded, but not truncated.
    found = algebra.rounded(value, Fraction(1))
    if not isinstance(found, Linear):
        raise NoScoreError
    return found


FUNCTIONS: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "if": _fixed(3, algebra.choose),
    "iif": _fixed(3, algebra.choose),
    "sum": _sum,
    "avg": _mean,
    "max": algebra.largest,
    "number": _fixed(1, _number),
    "int": _fixed(1, _int),
    "round": _round,
    "pow": _fixed(2, power),
    "selected": _fixed(2, algebra.equals),
    "not": _fixed(1, algebra.reverse),
}
