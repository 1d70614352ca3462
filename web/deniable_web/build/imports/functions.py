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


def _exactly(given: Sequence[Value], count: int) -> Sequence[Value]:
    if len(given) != count:
        raise NoScoreError
    return given


def _only(given: Sequence[Value]) -> Value:
    return _exactly(given, 1)[0]


def _whole(value: Value, most: int) -> int:
    """A whole number from 0 that an expression contains."""
    number = as_linear(value)
    if number.terms or number.constant not in range(most + 1):
        raise NoScoreError
    return int(number.constant)


def _if(given: Sequence[Value]) -> Value:
    return algebra.choose(*_exactly(given, 3))


def _sum(given: Sequence[Value]) -> Linear:
    found = constant(Fraction(0))
    for each in given:
        found = algebra.add(found, each)
    return found


def _mean(given: Sequence[Value]) -> Value:
    return algebra.divide(_sum(given), constant(Fraction(len(given))))


def _number(given: Sequence[Value]) -> Value:
    value = _only(given)
    return as_linear(value) if isinstance(value, Answer | Chosen) else value


def power(given: Sequence[Value]) -> Value:
    """The first value to the power of the second, a whole number from 0 to 3."""
    base, exponent = _exactly(given, 2)
    found: Value = constant(Fraction(1))
    for _ in range(_whole(exponent, 3)):
        found = algebra.multiply(found, base)
    return found


def _round(given: Sequence[Value]) -> Value:
    value, *places = given or (Word(""),)
    decimals = _whole(_only(places), 4) if places else 0
    return algebra.rounded(value, Fraction(1, 10**decimals))


def _int(given: Sequence[Value]) -> Value:
    # Only for values that are already whole: a score can be rounded, but not truncated.
    found = algebra.rounded(_only(given), Fraction(1))
    if not isinstance(found, Linear):
        raise NoScoreError
    return found


def _selected(given: Sequence[Value]) -> Chosen:
    return algebra.equals(*_exactly(given, 2))


def _not(given: Sequence[Value]) -> Chosen:
    return algebra.reverse(_only(given))


FUNCTIONS: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "if": _if,
    "iif": _if,
    "sum": _sum,
    "avg": _mean,
    "max": algebra.largest,
    "number": _number,
    "int": _int,
    "round": _round,
    "pow": power,
    "selected": _selected,
    "not": _not,
}
