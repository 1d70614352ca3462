"""Which numbers the rules of a file allow: the smallest, the largest and the step."""

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from deniable_sdk.mechanisms.parameters import MAX_CELLS
from deniable_sdk.survey.decimals import DECIMALS, UNIT, number_of
from deniable_web.builder.imports.syntax import (
    Bare,
    Call,
    Chain,
    Node,
    UnreadableExpressionError,
    parse,
)

# A number beyond these, or something that is not a number, cannot be a bound of a question.
_LARGEST: Final = 1e12
# Each constant of a constraint is tried with all of its comparisons.
_MOST_CONSTANTS: Final = 100
_NUMBER: Final = re.compile(r"-?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})", re.ASCII)
_Rule = Callable[[Fraction], bool]
_OWN: Final = Bare(".")
_COMPARISONS: Final[Mapping[str, Callable[[Fraction, Fraction], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_JOINTS: Final[Mapping[str, Callable[[Iterable[bool]], bool]]] = {"and": all, "or": any}
_CONSTANTS: Final[Mapping[str, _Rule]] = {
    "true()": lambda _: True,
    "false()": lambda _: False,
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """The ends of the numbers that rules allow.

    Args:
        low: the lower end; None if there is none.
        high: the upper end; None if there is none.
        is_low_excluded: whether only numbers above the lower end are allowed.
        is_high_excluded: whether only numbers below the upper end are allowed.
        are_all_rules: whether the rules say nothing else.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    is_low_excluded: bool = False
    is_high_excluded: bool = False
    are_all_rules: bool = True

    def step(self, decimals: int) -> Fraction:
        """A power of ten: with this many decimals, or more if the ends have more.

        With fewer decimals if there would be too many steps otherwise.
        """
        ends = [end for end in (self.low, self.high) if end is not None]
        reaching = (places for places in range(DECIMALS) if _are_whole(ends, 10**places))
        needed = next(reaching, DECIMALS)
        step = Fraction(1, 10 ** max(decimals, needed))
        is_too_fine = max(ends, default=0) - min(ends, default=0) >= MAX_CELLS * step
        return Fraction(1, 10**needed) if is_too_fine else step

    def on_grid(
        self, step: Fraction, base: Fraction = Fraction(0)
    ) -> tuple[Fraction | None, Fraction | None]:
        """The smallest and the largest allowed number of the form base + n * step."""
        low = high = None
        if self.low is not None:
            steps = (self.low - base) / step
            first = math.floor(steps) + 1 if self.is_low_excluded else math.ceil(steps)
            low = base + step * first
        if self.high is not None:
            steps = (self.high - base) / step
            last = math.ceil(steps) - 1 if self.is_high_excluded else math.floor(steps)
            high = base + step * last
        return low, high


def read_constraint(expression: str) -> Bounds:
    """The bounds of the numbers that a constraint of an XLSForm allows.

    No allowed number is beyond them. A part of the constraint that is not only about the
    number itself is no bound.
    """
    try:
        parts = list(_conjunction(parse(expression))) if expression.strip() else []
    except UnreadableExpressionError:
        return Bounds(are_all_rules=False)
    constants: set[Fraction] = set()
    rules = [rule for part in parts if (rule := _rule(part, constants))]
    if len(constants) > _MOST_CONSTANTS:
        return Bounds(are_all_rules=False)
    numbers = sorted(constants)
    allowed = [all(rule(number) for rule in rules) for number in _samples(numbers)]
    if True not in allowed:
        return Bounds(are_all_rules=False)
    # Constants have odd places among the samples, and what is between two of them has even ones.
    first, last = allowed.index(True), len(allowed) - 1 - allowed[::-1].index(True)
    return Bounds(
        low=numbers[(first - 1) // 2] if first else None,
        high=numbers[last // 2] if last < len(allowed) - 1 else None,
        is_low_excluded=first % 2 == 0,
        is_high_excluded=last % 2 == 0,
        are_all_rules=len(rules) == len(parts) and all(allowed[first : last + 1]),
    )


def read_limits(own: Mapping[str, Any]) -> Bounds:
    """The bounds of the numbers that a question of SurveyJS allows, with its validators."""
    validators = own.get("validators") or ()
    rules = [each for each in validators if str(each.get("type")).startswith("numeric")]
    lows = exact(own.get("min")), *(exact(rule.get("minValue")) for rule in rules)
    highs = exact(own.get("max")), *(exact(rule.get("maxValue")) for rule in rules)
    return Bounds(
        max((low for low in lows if low is not None), default=None),
        min((high for high in highs if high is not None), default=None),
        are_all_rules=len(rules) == len(validators),
    )


def number_keys(
    low: Fraction | None, high: Fraction | None, step: Fraction
) -> tuple[dict[str, Any], bool]:
    """The keys of a number in a definition, and whether a missing bound was filled in."""
    is_filled = low is None or high is None or low >= high
    span = 100 * step
    if low is None:
        low = high - span if high is not None and high <= 0 else Fraction(0)
    if high is None or low >= high:
        high = low + span
    keys = {"min": _written(low), "max": _written(high)}
    return keys | ({} if step == 1 else {"step": _written(step)}), is_filled


def _written(number: Fraction) -> int | float | str:
    """A number as an author writes it; one with too many decimals stays as it is."""
    units = number * UNIT
    return number_of(int(units)) if units.denominator == 1 else float(number)


def exact(value: object) -> Fraction | None:
    """The number in a value, which may be a text; None if there is none, or no reasonable one."""
    try:
        read = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return Fraction(repr(read)) if abs(read) <= _LARGEST else None


def _conjunction(tree: Node) -> Iterator[Node]:
    """The parts of an expression that must all be true."""
    if isinstance(tree, Chain) and all(joint == "and" for joint, _ in tree.rest):
        for part in (tree.first, *(part for _, part in tree.rest)):
            yield from _conjunction(part)
    else:
        yield tree


def _samples(numbers: Sequence[Fraction]) -> Iterator[Fraction]:
    """A number below all of these, each of them, one between every two, and one above."""
    yield numbers[0] - 1 if numbers else Fraction(0)
    for number, following in zip(numbers, [*numbers[1:], None], strict=False):
        yield number
        yield number + 1 if following is None else (number + following) / 2


def _rule(tree: Node, constants: set[Fraction]) -> _Rule | None:
    """Whether a number meets an expression; None unless it compares the number with constants.

    Args:
        tree: the expression.
        constants: those that the number is compared with are added to it.
    """
    if isinstance(tree, Call):
        rules = [_rule(argument, constants) for argument in tree.arguments]
        rule = rules[0] if tree.name == "not()" and len(rules) == 1 else None
        return (lambda number: not rule(number)) if rule else _CONSTANTS.get(tree.name)
    if not isinstance(tree, Chain):
        return None
    if tree.rest[0][0] not in _JOINTS:
        return _comparison(tree, constants)
    join = _JOINTS[tree.rest[0][0]]
    rules = [_rule(part, constants) for part in (tree.first, *(part for _, part in tree.rest))]
    read = [rule for rule in rules if rule]
    is_read = len(read) == len(rules)
    return (lambda number: join(rule(number) for rule in read)) if is_read else None


def _comparison(tree: Chain, constants: set[Fraction]) -> _Rule | None:
    left, (sign, right) = tree.first, tree.rest[0]
    compare = _COMPARISONS.get(sign)
    low, high = _constant(left), _constant(right)
    constants.update(end for end in (low, high) if end is not None)
    if compare and low is not None and right == _OWN:
        return lambda number: compare(low, number)
    if compare and high is not None and left == _OWN:
        return lambda number: compare(number, high)
    return None


def _constant(tree: Node) -> Fraction | None:
    if isinstance(tree, Bare) and _NUMBER.fullmatch(tree.text):
        return Fraction(tree.text)
    return None


def _are_whole(numbers: Sequence[Fraction], factor: int) -> bool:
    return all((number * factor).denominator == 1 for number in numbers)
