"""The score that a calculation becomes: items with their points, and a step."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from deniable_sdk.mechanisms.parameters import MAX_CELLS
from deniable_sdk.survey.decimals import UNIT, as_number, format_units
from deniable_web.builder.imports.imported import LeftOut
from deniable_web.builder.imports.values import (
    Largest,
    Linear,
    NoScoreError,
    Operand,
    Points,
    Product,
    Rounded,
    Term,
    Value,
    as_linear,
    ends,
    grain,
)

# The steps for rounding means and quotients, unless the calculation rounds them itself.
_MEAN_STEP: Final = Fraction(1, 100)
_QUOTIENT_STEP: Final = Fraction(1, 10)
# All numbers in definitions are below this.
_BEYOND: Final = 10**9


@dataclass(frozen=True, slots=True)
class Score:
    """A score in a definition.

    Args:
        keys: the keys of the question, without those that all questions have.
        sources: the questions that it is computed from.
        is_rounded: whether it is rounded although the calculation is not.
    """

    keys: dict[str, Any]
    sources: tuple[Operand, ...]
    is_rounded: bool


@dataclass(frozen=True, slots=True)
class _Plan:
    """An operation on items, and the step that all its results are multiples of, if any."""

    combine: str
    terms: Sequence[Term]
    plus: Fraction
    exact: Fraction | None


def make_score(value: Value) -> Score:
    """The score with the values of a calculation.

    Raises:
        NoScoreError: no score has these values; the error states the reason.
    """
    rounding = value.step if isinstance(value, Rounded) else None
    plan = _plan(value.inner if isinstance(value, Rounded) else value)
    sources = tuple(dict.fromkeys(source for source, _ in plan.terms))
    if len(sources) < 2:
        # A score of only one question would be that question itself.
        raise NoScoreError
    wanted = rounding or plan.exact
    step = _step(plan, wanted)
    keys: dict[str, Any] = {"items": [_item(term) for term in plan.terms]}
    if plan.combine != "sum":
        keys["combine"] = plan.combine
    if plan.plus:
        keys["plus"] = _number(plan.plus)
    is_plain = plan.combine in ("sum", "largest") and all(source.options for source in sources)
    if not is_plain or step != plan.exact:
        keys["step"] = _number(step)
    return Score(keys, sources, step != wanted)


def _plan(value: Value) -> _Plan:
    if isinstance(value, Product):
        return _Plan("quotient", _quotient(value), Fraction(0), None)
    if isinstance(value, Largest):
        return _Plan("largest", value.terms, Fraction(0), _exact(grain(value.terms)))
    return _sum(as_linear(value))


def _sum(value: Linear) -> _Plan:
    """A sum; a mean if each question has its own numbers divided by the number of items."""
    terms = [(source, points) for source, points in value.terms.items() if any(points)]
    count = len(terms)
    step = _exact(grain(terms, value.constant))
    times = [(source, _times(points, count)) for source, points in terms]
    is_plain = all(points == (source.numbers or (1,)) for source, points in times)
    is_only_so = not _are_writable(terms) and _are_writable(times)
    if not value.constant and (is_plain or is_only_so):
        return _Plan("mean", times, Fraction(0), step)
    return _Plan("sum", terms, value.constant, step)


def _quotient(value: Product) -> list[Term]:
    """The items of a quotient; its factor becomes points of the first."""
    if len(value.tops) != 1 or not value.bottoms:
        raise NoScoreError
    factor, divisors = value.factor, list[Term]()
    for source, points in value.bottoms:
        if points[0] <= 0:
            raise NoScoreError(LeftOut.DIVISOR)
        # A number has the factor 1 and an option has whole points; all other factors go
        # into the numerator.
        part = Fraction(_denominator(points)) if source.options else 1 / points[0]
        divisors.append((source, _times(points, part)))
        factor *= part
    if any(ends(divisor)[0] <= 0 for divisor in divisors):
        raise NoScoreError(LeftOut.DIVISOR)
    source, points = value.tops[0]
    points = _times(points, factor)
    if not all(map(_is_writable, points)):
        below, own = divisors[0]
        divisors[0] = below, _times(own, _denominator(points))
        points = _times(points, _denominator(points))
    return [(source, points), *divisors]


def _step(plan: _Plan, wanted: Fraction | None) -> Fraction:
    """The step for rounding the score; larger if there would be too many values otherwise."""
    low, high = _bounds(plan)
    if low >= high:
        raise NoScoreError
    step = wanted or (_QUOTIENT_STEP if plan.combine == "quotient" else _MEAN_STEP)
    coarser = (Fraction(each * 10**power, UNIT) for power in range(13) for each in (1, 2, 5))
    while math.ceil(high / step) - math.floor(low / step) >= MAX_CELLS:
        coarse = next(coarser, None)
        if coarse is None:
            raise NoScoreError(LeftOut.NUMBERS)
        step = coarse
    if max(abs(low), abs(high)) + step >= _BEYOND or not _is_writable(step):
        raise NoScoreError(LeftOut.NUMBERS)
    return step


def _bounds(plan: _Plan) -> tuple[Fraction, Fraction]:
    """The smallest and the largest result of a score without `min` and `max`."""
    lows, highs = zip(*map(ends, plan.terms), strict=True)
    if plan.combine == "sum":
        return sum(lows) + plan.plus, sum(highs) + plan.plus
    if plan.combine == "largest":
        return max(lows), max(highs)
    if plan.combine == "mean":
        return min(lows), max(highs)
    divisors = math.prod(lows[1:]), math.prod(highs[1:])
    corners = [top / below for top in (lows[0], highs[0]) for below in divisors]
    return min(corners), max(corners)


def _item(term: Term) -> dict[str, Any]:
    source, points = term
    if not source.options:
        weight = {} if points[0] == 1 else {"weight": _number(points[0])}
        return {"question": source.id, **weight}
    return {
        "question": source.id,
        "points": dict(zip(source.options, map(_number, points), strict=True)),
    }


def _number(value: Fraction) -> int | float | str:
    if not _is_writable(value):
        raise NoScoreError(LeftOut.NUMBERS)
    return as_number(format_units(int(value * UNIT)))


def _exact(step: Fraction) -> Fraction | None:
    """A step in a form that a definition allows."""
    return step if step and _is_writable(step) else None


def _is_writable(value: Fraction) -> bool:
    return UNIT % value.denominator == 0 and abs(value) < _BEYOND


def _are_writable(terms: Iterable[Term]) -> bool:
    return all(_is_writable(each) for _, points in terms for each in points)


def _times(points: Points, factor: Fraction | int) -> Points:
    return tuple(each * factor for each in points)


def _denominator(points: Points) -> int:
    return math.lcm(*(each.denominator for each in points))
