"""The parts of an expression of another program: names, values, words and signs.

SurveyJS writes {smokes} = 'yes', XLSForm ${smokes} = 'yes'. Each expression is split once,
from left to right, so the time grows only in proportion to its length.
"""

import re
from collections.abc import Iterator
from typing import Final

from deniable_web.build.imports.questions import Condition

# The most characters of an expression: enough to name hundreds of options.
LONGEST: Final = 20_000
# No two of these can begin with the same character, and none is tried twice at one place.
_PART: Final = re.compile(
    r"""\s+|\$?\{(?P<name>[^{}]*)\}|'(?P<single>[^']*)'|"(?P<double>[^"]*)\""""
    r"|(?P<word>[\d.][\w.]*|[^\W\d][\w.-]*)"
    r"|(?P<sign>==?|!=?|<[=>]?|>=?|\|\||&&|[\[\](),+*/^-])"
)

# The kind of a part (name, value, word or sign), and its text.
Part = tuple[str, str]

_EQUAL: Final = {"=", "==", "equal"}
_CONTAIN: Final = {"contains", "contain", "anyof"}
_ALL: Final = "allof"


def split(expression: str) -> list[Part] | None:
    """The parts of an expression; None if it is longer than LONGEST, or has anything else."""
    if len(expression) > LONGEST:
        return None
    parts: list[Part] = []
    end = 0
    while end < len(expression):
        found = _PART.match(expression, end)
        if found is None:
            return None
        end = found.end()
        kind = found.lastgroup
        if kind:
            is_quoted = kind in ("single", "double")
            parts.append(("value", found[kind]) if is_quoted else (kind, found[kind].strip()))
    return parts


def read_condition(expression: str) -> Condition | None:
    """The condition in an expression; None if it is not about the answers to one question."""
    parts = split(expression)
    if not parts:
        return None
    names: set[str] = set()
    values: dict[str, None] = {}
    for term in _terms(parts):
        found = _read_term(term)
        if found is None:
            return None
        names.add(found[0])
        values |= dict.fromkeys(found[1])
    return Condition(names.pop(), tuple(values)) if len(names) == 1 else None


def _terms(parts: list[Part]) -> Iterator[list[Part]]:
    """The terms of an expression: the parts between one "or" and the next."""
    term: list[Part] = []
    for kind, text in parts:
        if (kind, text) == ("sign", "||") or (kind == "word" and text.lower() == "or"):
            yield term
            term = []
        else:
            term.append((kind, text))
    yield term


def _read_term(term: list[Part]) -> tuple[str, list[str]] | None:
    """A question and the allowed values of its answer; None for anything else."""
    if term[:1] == [("sign", "(")] and term[-1:] == [("sign", ")")]:
        term = term[1:-1]
    if term[:2] == [("word", "selected"), ("sign", "(")] and term[-1:] == [("sign", ")")]:
        # selected(${question}, 'value') means the same as ${question} contains 'value'.
        name, values, says = term[2:3], term[4:-1], "contains"
        is_whole = term[3:4] == [("sign", ",")]
    else:
        name, values = term[:1], term[2:]
        says = term[1][1].lower() if len(term) > 1 else ""
        is_whole = says in _EQUAL | _CONTAIN | {_ALL}
    if not is_whole or not name or name[0][0] != "name":
        return None
    read = _read_values(values)
    # "All of these" is refused: a definition can only express "any of these".
    if not read or (says == _ALL and len(read) > 1):
        return None
    return name[0][1], read


def _read_values(parts: list[Part]) -> list[str]:
    """The values separated by commas, with or without brackets; empty for anything else."""
    if parts[:1] == [("sign", "[")] and parts[-1:] == [("sign", "]")]:
        parts = parts[1:-1]
    parts = list(_signed(parts))
    values, commas = parts[::2], parts[1::2]
    is_list = len(values) > len(commas) and all(comma == ("sign", ",") for comma in commas)
    if not is_list or any(kind not in ("value", "word") for kind, _ in values):
        return []
    return [text for _, text in values]


def _signed(parts: list[Part]) -> Iterator[Part]:
    """The same parts, but a minus and the word after it become one value."""
    minus = ("sign", "-")
    before: list[Part] = []
    for part in parts:
        if before and part[0] == "word":
            yield "word", f"-{part[1]}"
            before = []
        else:
            yield from before
            before = [part] if part == minus else []
            yield from () if before else (part,)
    yield from before
