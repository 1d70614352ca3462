"""Conditions as both programs write them, by hand and drawn at random."""

import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Answer = Any
# The answer to no question, and to a checkbox from which nothing is chosen.
EMPTY: Answer = None


@dataclass(frozen=True, eq=False)
class Base:
    """A question whose answers conditions are about.

    `options` has the values of the answers in the other program, and the options of the
    definition; `inside` the conditions of its groups and its own, and `is_asked` what they mean.
    """

    name: str
    kind: str
    options: Mapping[Answer, str | int]
    is_required: bool = False
    inside: tuple[str, ...] = ()
    is_asked: Callable[[Mapping[str, Answer]], bool] = lambda _: True

    @property
    def answers(self) -> list[Answer]:
        """All answers that the other program accepts, also none."""
        if self.kind in ("checkbox", "select_multiple"):
            subsets = itertools.product([False, True], repeat=len(self.options))
            chosen = [[*itertools.compress(self.options, subset)] for subset in subsets]
            return [self._written(each) for each in chosen if each or not self.is_required]
        return [*self.options, *([] if self.is_required else [EMPTY])]

    def _written(self, chosen: list[Answer]) -> Answer:
        if not chosen:
            return EMPTY
        return " ".join(chosen) if self.kind == "select_multiple" else chosen


@dataclass(frozen=True)
class Case:
    """A last question that is asked where all of these conditions are met."""

    bases: tuple[Base, ...]
    conditions: tuple[str, ...]

    @property
    def named(self) -> list[Base]:
        """The questions that the conditions are about, and those that these depend on."""
        texts, named = " ".join(self.conditions), list[Base]()
        for base in reversed(self.bases):
            if f"{{{base.name}}}" in texts:
                named.insert(0, base)
                texts += " ".join(base.inside)
        return named

    @property
    def answers(self) -> dict[str, list[Answer]]:
        """All answers to these questions."""
        return {each.name: each.answers for each in self.named}


def plain(*values: Answer) -> dict[Answer, str | int]:
    """Options whose names are not changed by the import."""
    return {value: value for value in values}


YES_NO: dict[Answer, str | int] = {"yes": "yes", "no": "no"}
SURVEYJS_FLAT = (
    Base("a", "radiogroup", plain("x", "xy", "Z")),
    Base("d", "dropdown", {1: "1", "2": "2", 10: "10", "none of": "none of"}, is_required=True),
    Base("b", "boolean", {True: "yes", False: "no"}),
    Base("k", "boolean", {"Ja": "yes", "Nein": "no"}, is_required=True),
    Base("m", "checkbox", plain("p", "q", "2")),
    Base("r", "rating", plain(1, 2, 3)),
    Base("e", "radiogroup", plain("it's", 'a "b"', "c d")),
)
_CONSENT = "{c} = 'yes'"
_AGREED = "${c} = 'yes'"


def _agreed(answers: Mapping[str, Answer]) -> bool:
    return bool(answers["c"] == "yes")


def _with_x(answers: Mapping[str, Answer]) -> bool:
    return _agreed(answers) and bool(answers["a"] == "x")


def _with_u(answers: Mapping[str, Answer]) -> bool:
    return _with_x(answers) and bool(answers["s"] == "u")


SURVEYJS_GROUP = (
    Base("c", "radiogroup", YES_NO, is_required=True),
    Base("a", "radiogroup", plain("x", "xy", "Z"), False, (_CONSENT,), _agreed),
    Base("s", "dropdown", plain("u", "v", "w"), True, (_CONSENT,), _agreed),
    Base("m", "checkbox", plain("p", "q", "2"), False, (_CONSENT,), _agreed),
)
# No show_if says where the third question is asked; the fourth depends on it.
SURVEYJS_CHAIN = (
    Base("c", "radiogroup", YES_NO, is_required=True),
    Base("a", "radiogroup", plain("x", "y")),
    Base("s", "dropdown", plain("u", "v"), True, (_CONSENT, "{a} = 'x'"), _with_x),
    Base("k", "boolean", {True: "yes", False: "no"}, True, (_CONSENT, "{s} = 'u'"), _with_u),
)
XLSFORM_FLAT = (
    Base("a", "select_one", plain("x", "xy", "Z")),
    Base("d", "select_one", {"1": "1", "2": "2", "10": "10", "n": "n"}, is_required=True),
    Base("k", "acknowledge", {"OK": "yes"}),
    Base("m", "select_multiple", plain("p", "q", "pq", "2")),
    Base("r", "range", {"1": 1, "2": 2, "3": 3}),
)
XLSFORM_GROUP = (
    Base("c", "select_one", YES_NO, is_required=True),
    Base("a", "select_one", plain("x", "xy", "Z"), False, (_AGREED,), _agreed),
    Base("s", "select_one", plain("u", "v", "w"), True, (_AGREED,), _agreed),
    Base("m", "select_multiple", plain("p", "q", "pq", "2"), False, (_AGREED,), _agreed),
)
XLSFORM_CHAIN = (
    Base("c", "select_one", YES_NO, is_required=True),
    Base("a", "select_one", plain("x", "y")),
    Base("s", "select_one", plain("u", "v"), True, (_AGREED, "${a} = 'x'"), _with_x),
    Base("k", "select_one", plain("g", "h"), True, (_AGREED, "${s} = 'u'"), _with_u),
)
_SURVEYJS = [
    "{a} contains ['x', 'xy']", "{m} contains ['p', 'q']", "{m} = ['p', 'q']", "{m} = ['p']",
    "{m} allof ['p', 'q']", "{m} anyof ['p', 'q']", "{m} noneof ['p', 'q']", "{m} = 'p'",
    "{m} contains 'P'", "{m} notcontains 'p'", "!({m} notcontains 'p')", "{m} notempty", "{m}",
    "{m} empty", "!({m} empty)", "{m} contains 2", "{m} contains '2'", "{m} anyof [2, 'P']",
    "{a} = 'X'", "{a} contains 'x'", "{a} notcontains 'x'", "{a} anyof ['x', 'z']",
    "{a} noneof ['x']", "{a} allof ['x']", "{a} <> 'x'", "{d} <> 1", "{d} != '1'", "{a} notempty",
    "{a} empty", "{d} > 1", "{d} >= '2'", "{d} < 'none'", "{d} = '1.0'", "{d} anyof [1, '2']",
    "{b}", "!{b}", "{b} = true", "{b} = 'true'", "{b} = 1", "{b} <> true", "{b} = 'yes'",
    "{b} = false", "{b} notempty", "{b} anyof [true]", "{k} = 'ja'", "{k} = true",
    "{k} <> 'Nein'", "{k} contains 'a'", "{r} >= 2", "{r} < 3", "{r} anyof [1, 3]",
    "{r} = 2 or {r} = '3'", "{r} > 1 and {r} <> 3", "({a} = 'x') || ({a} = 'Z')",
    "{a} = 'x' and {r} > 1", "{d} = 1 or {d} <> 1", "{a} = 'x' or {a} <> 'x'",
    "{a} = 'x' and {a} = 'Z'", "{a} = 'unknown'", "{a} <> 'unknown'", "{a} = null",
    "{a} != undefined", "{a} = ''", "{m} = []", "{m} != []", "{m} = ''", "{m} <> null",
    "{a} = []", "{a} <> []", "{a} equal 'x'", "{a} NOTEQUAL 'x'", "{d} greater 1",
    "{r} lessorequal 2", "negate({a} = 'x')", "{a}='x'or{a}='Z'", "'x' = {a}",
    "['x', 'Z'] anyof {a}", "['x', 'Z'] contains {a}", "2 <= {r}", "{r} + 1 > 3",
    "{r} = 2 or ({r} = 3 and {a} = 'x') or {r} = 3", "{d} = 1 and ({a} = 'x' or {a} <> 'x')",
    "{m} anyof ['p'] or {m} anyof ['q']", "!({m} noneof ['p', 'q', '2'])",
    "{m} contains 'p' and {m}", "{d} =< 2", "{d} => 2", "{d} = none", "{a} = x", "{e} = 'it\\'s'",
    "{e} = \"it\\'s\"", "{e} = \"it's\"", "{e} = 'a \\\"b\\\"'", "{e} <> 'C D'",
    "{e} anyof ['c d', 'it\\'s']", "{a} = Z and true", "iif({a} = 'x', 1, 0) = 1",
]  # fmt: skip
_XLSFORM = [
    "selected(${m}, 'p')", "selected(${m}, 'p') or selected(${m}, 'q')",
    "not(selected(${m}, 'p'))", "not(not(selected(${m}, 'p')))", "${m} != ''", "${m} = ''",
    "count-selected(${m}) > 0", "count-selected(${m}) >= 1", "count-selected(${m}) = 2",
    "0 < count-selected(${m})", "count-selected(${m}) >= 0", "string-length(${m}) > 0",
    "string-length(${m}) > 1", "${m} = 'p'", "${m} = 'p q'",
    "selected(${m}, 'p') and selected(${m}, 'q')", "selected(${a}, 'x')", "contains(${a}, 'x')",
    "starts-with(${a}, 'x')", "${a} != 'x'", "not(${a} = 'x')", "${d} != '1'", "not(${d} = 1)",
    "${d} > 1", "${d} >= '2'", "${d} = 1 or ${d} = 10", "${d} < 10", "${a} = ''", "${a} != ''",
    "string-length(${a}) > 0", "string-length(${a}) = 1", "${a} = 'X'", "${a} = 'Z'",
    "${k} = 'OK'", "${k} != 'OK'", "${k} = 'yes'", "${k} = ''", "${k} != ''", "${r} >= 2",
    "${r} != 2", "number(${r}) < 3", "${r} = '2'", "${r} = ''", "${d} = 1 or not(${d} = 1)",
    "true()", "false()", "${a} = 'x' or ${a} != 'x'", "${a} = 'x' and ${r} > 1",
    "(${a} = 'x') or (${a} = 'Z')", "(${a} = 'x') = true()",
    "not(selected(${a}, 'x')) and ${a} != ''", "coalesce(${a}, 'x') = 'x'",
    "if(${a} = 'x', 1, 0) = 1", "boolean(${a} = 'x')", "count-selected(${a}) = 1", "'x' = ${a}",
    "1 < ${r} and not(${r} = 3)", "${r} + 1 > 3", "${d} mod 2 = 1", "string(${a}) = 'x'",
    "${a} = 'x' and (${r} = 1 or ${r} != 1)", "selected('x Z', ${a})", "${a} = 'unknown'",
    "${a} != 'unknown'", "not(${m} = '')", "selected(${m}, 'unknown')", "not(false())",
    "${d} <= 2",
]  # fmt: skip


def surveyjs_cases() -> list[Case]:
    """Conditions as SurveyJS writes them."""
    by_hand = [Case(SURVEYJS_FLAT, (text,)) for text in _SURVEYJS]
    bases = SURVEYJS_FLAT, SURVEYJS_GROUP, SURVEYJS_CHAIN
    return [*by_hand, *_drawn(*bases, consent=_CONSENT, atom=_surveyjs)]


def xlsform_cases() -> list[Case]:
    """Conditions as XLSForm writes them."""
    by_hand = [Case(XLSFORM_FLAT, (text,)) for text in _XLSFORM]
    bases = XLSFORM_FLAT, XLSFORM_GROUP, XLSFORM_CHAIN
    return [*by_hand, *_drawn(*bases, consent=_AGREED, atom=_xlsform)]


_Atom = Callable[[random.Random, Base], str]


def _drawn(
    flat: Sequence[Base], group: Sequence[Base], chain: Sequence[Base], consent: str, atom: _Atom
) -> Iterator[Case]:
    draw = random.Random(1)
    for bases, outer, count in (
        (flat, (), 250),
        (flat, None, 80),
        (group, (consent,), 120),
        (group, (), 80),
        (group, None, 40),
        (chain, (consent,), 60),
        (chain, (), 60),
    ):
        for _ in range(count):
            few = draw.sample(bases, draw.choice([1, 1, 1, 2]))
            own = _expression(draw, few, atom, draw.choice([0, 1, 1, 2]))
            above = _expression(draw, few[:1], atom, draw.choice([0, 1]))
            yield Case(tuple(bases), ((above,) if outer is None else outer) + (own,))


def _expression(draw: random.Random, bases: Sequence[Base], atom: _Atom, depth: int) -> str:
    if depth == 0:
        return atom(draw, draw.choice(bases))
    joint = draw.choice([" and ", " or ", " or "])
    count = draw.randint(2, 3)
    parts = [_expression(draw, bases, atom, draw.randint(0, depth - 1)) for _ in range(count)]
    return f"({joint.join(parts)})"


def _constant(draw: random.Random, base: Base, *, is_bare: bool) -> str:
    value = str(draw.choice([*base.options, "other"])).lower()
    value = draw.choice([value, value, value.upper()])
    if is_bare and re.fullmatch(r"[a-zA-Z]+|\d+", value):
        return value
    return "'" + re.sub(r"""(['"])""", r"\\\1", value) + "'"


def _surveyjs(draw: random.Random, base: Base) -> str:
    name, is_bare = f"{{{base.name}}}", draw.random() < 0.3
    constants = [_constant(draw, base, is_bare=is_bare) for _ in range(draw.randint(1, 3))]
    members = f"[{', '.join(constants)}]"
    atom = draw.choice([
        f"{name} {draw.choice(['=', '==', '<>', '!='])} {constants[0]}",
        f"{name} {draw.choice(['<', '<=', '>', '>='])} {constants[0]}",
        f"{name} {draw.choice(['contains', 'notcontains'])} {constants[0]}",
        f"{name} {draw.choice(['anyof', 'noneof', 'allof'])} {members}",
        f"{name} {draw.choice(['contains', 'notcontains', '=', '!='])} {members}",
        f"{name} {draw.choice(['empty', 'notempty'])}",
        draw.choice([name, f"!{name}"]),
    ])  # fmt: skip
    return f"!({atom})" if draw.random() < 0.2 else atom


def _xlsform(draw: random.Random, base: Base) -> str:
    name, constant = f"${{{base.name}}}", _constant(draw, base, is_bare=False)
    value = draw.choice([*base.options, "other"])
    constant = draw.choice([f"'{value}'", constant, "''"])
    number = draw.randint(0, 3)
    sign = draw.choice(["=", "!=", "<", "<=", ">", ">="])
    atom = draw.choice([
        f"{name} {draw.choice(['=', '!='])} {constant}",
        f"{name} {sign} {number}",
        f"selected({name}, '{value}')",
        f"selected({name}, '{value}')",
        f"count-selected({name}) {sign} {number}",
        f"string-length({name}) {sign} {number}",
        f"{name} {sign} {constant}",
    ])  # fmt: skip
    return f"not({atom})" if draw.random() < 0.25 else atom
