"""How ODK's programs evaluate conditions.

Decider: XPath 1.0, section 3.4, and the functions of the ODK XForms specification. Where
Collect and Enketo compute different values, nothing is decided here.
"""

import math
import operator
import re
from collections.abc import Callable
from functools import partial
from typing import Final

from deniable_web.builder.imports.evaluators import AnyOf, Evaluator, UndecidedError, Value
from deniable_web.builder.imports.syntax import Bare, Call, Chain, Name, Node, Quoted

_NUMBER: Final = re.compile(r"\s*-?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*", re.ASCII)
# Dates, exponents and the like.
_ALMOST_A_NUMBER: Final = re.compile(r"\s*[-+]?(?:\.?\d|inf|nan)", re.ASCII | re.IGNORECASE)


class _Answer(str):
    """The name of an answer; programs don't agree whether it is true."""

    __slots__ = ()


def _constant(tree: Quoted | Bare) -> Value:
    # XPath has no backslash before a quotation mark, so a text with one may end earlier.
    if isinstance(tree, Quoted) and "\\" not in tree.text:
        return tree.text
    if isinstance(tree, Bare) and _NUMBER.fullmatch(tree.text):
        return float(tree.text)
    raise UndecidedError


def _number(value: Value) -> float:
    if not isinstance(value, str):
        return float(value)
    if _NUMBER.fullmatch(value):
        return float(value)
    if _ALMOST_A_NUMBER.match(value):
        raise UndecidedError
    return math.nan


def _text(value: Value) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str):
        return str(value)
    raise UndecidedError


def _is_true(value: Value) -> bool:
    if isinstance(value, _Answer):
        raise UndecidedError
    return bool(value) and not (isinstance(value, float) and math.isnan(value))


def _equal(one: Value, other: Value) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return _is_true(one) == _is_true(other)
    if isinstance(one, float) or isinstance(other, float):
        return _number(one) == _number(other)
    if one != other and _NUMBER.fullmatch(one) and _number(one) == _number(other):
        # Collect compares the answers of a range as numbers.
        raise UndecidedError
    return str(one) == str(other)


def _compare(one: Value, other: Value, rule: Callable[[float, float], bool]) -> bool:
    return rule(_number(one), _number(other))


def _is_selected(chosen: Value, name: Value) -> bool:
    return _word(_text(name)) in _text(chosen).split(" ")


def _word(name: str) -> str:
    words = name.split()
    if len(words) != 1:
        raise UndecidedError
    return words[0]


def _any_of(tree: Node) -> AnyOf:
    if isinstance(tree, Call) and tree.name == "selected()" and len(tree.arguments) == 2:
        question, name = tree.arguments
        if isinstance(question, Name) and isinstance(name, Quoted | Bare):
            return AnyOf((_word(_text(_constant(name))),), is_negated=False)
    if not isinstance(tree, Chain):
        raise UndecidedError
    left, (sign, right) = tree.first, tree.rest[0]
    if isinstance(left, Name) and sign in ("=", "!=") and right == Quoted(""):
        return AnyOf(None, is_negated=sign == "=")
    if _is_size(left) and isinstance(right, Quoted | Bare):
        return _by_size(right, lambda size: Chain(size, ((sign, right),)))
    if _is_size(right) and isinstance(left, Quoted | Bare):
        return _by_size(left, lambda size: Chain(left, ((sign, size),)))
    raise UndecidedError


def _is_size(tree: Node) -> bool:
    """Whether an expression is 0 if no option is chosen, and otherwise a larger whole number."""
    return (
        isinstance(tree, Call)
        and tree.name in ("count-selected()", "string-length()")
        and [type(part) for part in tree.arguments] == [Name]
    )


def _by_size(limit: Quoted | Bare, condition: Callable[[Node], Node]) -> AnyOf:
    """The meaning of a condition on the number of chosen options, compared with a limit."""
    bound = _number(_constant(limit))
    if math.isnan(bound):
        raise UndecidedError
    sizes = {1, *(max(1, math.floor(bound) + more) for more in range(3))}
    results = {_is_met(condition, size) for size in sizes}
    if len(results) > 1:
        raise UndecidedError
    is_met = _is_met(condition, 0)
    return AnyOf(() if results == {is_met} else None, is_negated=is_met)


def _is_met(condition: Callable[[Node], Node], size: int) -> bool:
    return _is_true(XLSFORM.evaluate(condition(Bare(str(size)))))


XLSFORM: Final = Evaluator(
    answer=lambda name: _Answer(name or ""),
    constant=_constant,
    operations={
        ("=", 2): _equal,
        ("!=", 2): lambda one, other: not _equal(one, other),
        ("<", 2): partial(_compare, rule=operator.lt),
        ("<=", 2): partial(_compare, rule=operator.le),
        (">", 2): partial(_compare, rule=operator.gt),
        (">=", 2): partial(_compare, rule=operator.ge),
        ("true()", 0): lambda: True,
        ("false()", 0): lambda: False,
        ("not()", 1): lambda value: not _is_true(value),
        ("boolean()", 1): _is_true,
        ("selected()", 2): _is_selected,
        ("count-selected()", 1): lambda value: float(len(_text(value).split())),
        ("number()", 1): _number,
        ("string()", 1): _text,
        ("string-length()", 1): lambda value: float(len(_text(value))),
        ("coalesce()", 2): lambda one, other: _text(one) or _text(other),
        ("contains()", 2): lambda value, part: _text(part) in _text(value),
        ("starts-with()", 2): lambda value, part: _text(value).startswith(_text(part)),
        ("if()", 3): lambda test, then, otherwise: then if _is_true(test) else otherwise,
    },
    negation="not()",
    is_true=_is_true,
    # XPath makes the same truth value of a value everywhere.
    is_condition=lambda _: True,
    any_of=_any_of,
    has_lists=False,
)
