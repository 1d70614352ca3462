"""How SurveyJS evaluates conditions.

Decider: survey-core 3.1, classes OperandMaker, Const and Variable, and Helpers.checkIfValuesEqual.
"""

import math
import operator
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from deniable_web.builder.imports.evaluators import AnyOf, Evaluator, UndecidedError, Value, names
from deniable_web.builder.imports.syntax import Bare, Call, Chain, Name, Node, Quoted

_NUMBER: Final = re.compile(r"[-+]?(?:\d{1,15}\.?\d{0,15}|\.\d{1,15})", re.ASCII)
# Other ways to write numbers, which JavaScript reads, but people hardly use in names.
_ALMOST_A_NUMBER: Final = re.compile(
    r"[-+]?(?:\.?\d+e|\d+\.\d*e|\d{16}|\d+,\d|0[xob]|infinity)", re.ASCII | re.IGNORECASE
)
# How the grammar writes numbers and words; it reads anything else in parts.
_GRAMMAR_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,14}|\d{1,15}\.\d{1,15})", re.ASCII)
_GRAMMAR_WORD: Final = re.compile(
    r"(?!true|false|null|undefined)[a-z_]+(?:\d+[a-z_]*)*", re.ASCII | re.IGNORECASE
)
# The grammar wants a backslash before each quotation mark inside a text.
_QUOTE: Final = r"""['"]"""
_ESCAPED: Final = rf"\\({_QUOTE})"
# The operators by which any of several options is meant.
_FOR_SEVERAL: Final = ("anyof", "noneof")
_FOR_ONE: Final = (*_FOR_SEVERAL, "allof", "contains", "notcontains")
_WORDS: Final = {"true": True, "false": False, "null": None, "undefined": None}


def _answer(name: str | None) -> Value:
    """The value of a variable: a text that looks like a number or a truth value becomes one."""
    if name is None:
        return None
    lower = name.lower()
    if lower in ("true", "false"):
        return lower == "true"
    if name[:1] in ("'", '"'):
        raise UndecidedError
    has_leading_zero = len(name) > 1 and name[0] == "0" and name[1] not in ".,"
    number = math.nan if has_leading_zero or not name.strip() else _number(name)
    return name if math.isnan(number) else number


def _constant(tree: Quoted | Bare) -> Value:
    if isinstance(tree, Quoted):
        if re.search(_QUOTE, re.sub(_ESCAPED, "", tree.text)):
            raise UndecidedError
        return re.sub(_ESCAPED, r"\1", tree.text)
    if tree.text.lower() in _WORDS:
        return _WORDS[tree.text.lower()]
    if _GRAMMAR_NUMBER.fullmatch(tree.text):
        return float(tree.text)
    if _GRAMMAR_WORD.fullmatch(tree.text):
        return tree.text
    raise UndecidedError


def _number(value: Value) -> float:
    """The number that JavaScript makes of a text, a number or a truth value."""
    if not isinstance(value, str):
        return float(value)
    text = value.strip()
    if _NUMBER.fullmatch(text):
        return float(text)
    if _ALMOST_A_NUMBER.match(text):
        raise UndecidedError
    return math.nan if text else 0.0


def _text(value: Value) -> str:
    if isinstance(value, list):
        return ",".join(map(_text, value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        if not value.is_integer() and not 1e-4 < abs(value) < 1e15:
            raise UndecidedError
        return str(int(value)) if value.is_integer() else repr(value)
    return value or ""


def _is_empty(value: Value) -> bool:
    return value is None or value in ("", [])


def _is_truthy(value: Value) -> bool:
    return isinstance(value, list) or bool(value)


def _is_met(value: Value) -> bool:
    # A question is visible only if its condition is true, not if it is merely "truthy".
    if value is None or isinstance(value, bool):
        return bool(value)
    raise UndecidedError


def _equal(one: Value, other: Value) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        raise UndecidedError
    if _is_empty(one) or _is_empty(other):
        return _is_empty(one) and _is_empty(other)
    if isinstance(one, list) or isinstance(other, list):
        return False
    if isinstance(one, str) and isinstance(other, str):
        return one.strip().lower() == other.strip().lower()
    if {type(one), type(other)} == {bool, str}:
        return _text(one).lower() == _text(other).lower()
    return _number(one) == _number(other)


def _compare(one: Value, other: Value, rule: Callable[[Any, Any], bool], with_equal: bool) -> bool:
    if with_equal and _equal(one, other):
        return True
    if one is None or other is None:
        return False
    if isinstance(one, list) or isinstance(other, list):
        raise UndecidedError
    if isinstance(one, str) and isinstance(other, str):
        return rule(one.encode("utf-16-be"), other.encode("utf-16-be"))
    return rule(_number(one), _number(other))


def _contains(one: Value, other: Value, is_expected: bool = True) -> bool:
    """Whether a list contains all values, or a text another; or, if False, whether not."""
    if one == []:
        return not is_expected
    if one is None or one == "":
        return False
    if not isinstance(one, list):
        is_found = _text(other).lower() in _text(one).lower()
        return _is_truthy(other) and is_found == is_expected
    values = other if isinstance(other, list) else [other]
    return all(any(_equal(own, value) for own in one) for value in values) == is_expected


def _not_contains(one: Value, other: Value) -> bool:
    return (not _is_truthy(one) and not _is_empty(other)) or _contains(
        one, other, is_expected=False
    )


def _all_of(one: Value, other: Value) -> bool:
    if not _is_truthy(one) and not _is_empty(other):
        return False
    return all(_contains(one, value) for value in (other if isinstance(other, list) else [other]))


def _any_of(one: Value, other: Value) -> bool:
    if _is_empty(one) or _is_empty(other):
        return _is_empty(other)
    if not isinstance(one, list):
        return _contains(other, one)
    return any(_contains(one, value) for value in (other if isinstance(other, list) else [other]))


def _is_condition(tree: Node) -> bool:
    # "and", "or" and "not" take any value; what is left here has only true and false.
    if isinstance(tree, Chain):
        return (tree.rest[0][0], 2) in SURVEYJS.operations
    return isinstance(tree, Call) and (tree.name, 1) in SURVEYJS.operations


def _choice(tree: Node) -> AnyOf:
    """The meaning of a condition about a checkbox, whose value is a list."""
    if isinstance(tree, Call) and tree.name in ("empty", "notempty"):
        return AnyOf(None, is_negated=tree.name == "empty")
    if not isinstance(tree, Chain) or not isinstance(tree.first, Name) or [*names(tree)][1:]:
        raise UndecidedError
    sign, operand = tree.rest[0]
    value = SURVEYJS.evaluate(operand)
    if sign in ("=", "!=") and value == []:
        return AnyOf(None, is_negated=sign == "=")
    if sign in ("=", "!=") and isinstance(value, str | float | bool):
        # A list equals no text.
        return AnyOf((), is_negated=sign == "!=")
    values = value if isinstance(value, list) else [value]
    signs = _FOR_ONE if len(values) == 1 else _FOR_SEVERAL
    if sign not in signs or not values or any(map(_is_empty, values)):
        raise UndecidedError
    return AnyOf(tuple(values), is_negated=sign in ("notcontains", "noneof"))


SURVEYJS: Final = Evaluator(
    answer=_answer,
    constant=_constant,
    operations={
        ("=", 2): _equal,
        ("!=", 2): lambda one, other: not _equal(one, other),
        ("<", 2): partial(_compare, rule=operator.lt, with_equal=False),
        ("<=", 2): partial(_compare, rule=operator.lt, with_equal=True),
        (">", 2): partial(_compare, rule=operator.gt, with_equal=False),
        (">=", 2): partial(_compare, rule=operator.gt, with_equal=True),
        ("contains", 2): _contains,
        ("notcontains", 2): _not_contains,
        ("allof", 2): _all_of,
        ("anyof", 2): _any_of,
        ("noneof", 2): lambda one, other: not _any_of(one, other),
        ("empty", 1): _is_empty,
        ("notempty", 1): lambda value: not _is_empty(value),
        ("!", 1): lambda value: not _is_truthy(value),
    },
    negation="!",
    is_true=_is_met,
    is_condition=_is_condition,
    any_of=_choice,
    has_lists=True,
)
