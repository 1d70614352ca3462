"""Conditions of other programs, where a definition can say the same."""

import re
from collections.abc import Callable
from typing import Final

from deniable_web.build.imports.questions import Condition

_VALUE: Final = r"""'([^']*)'|"([^"]*)"|([\w.-]+)"""
_SURVEYJS: Final = re.compile(
    r"\{([^{}]+)\}\s*(?:==?|equal|anyof|contains|contain|allof)\s*(\[[^\[\]]*\]|[^\[\]]+)",
    re.IGNORECASE,
)
_SURVEYJS_OR: Final = re.compile(r"\s+or\s+|\s*\|\|\s*", re.IGNORECASE)
_XLSFORM: Final = re.compile(
    r"\(?\s*(?:selected\(\s*\$\{([^{}]+)\}\s*,\s*(.+?)\s*\)|\$\{([^{}]+)\}\s*=\s*(.+?))\s*\)?"
)


def surveyjs_condition(expression: str) -> Condition | None:
    """What visibleIf says, if it is about the answers to one question."""
    return _parse(_SURVEYJS_OR.split(expression), _surveyjs_term)


def xlsform_condition(expression: str) -> Condition | None:
    """What `relevant` says, if it is about the answers to one question."""
    return _parse(re.split(r"\s+or\s+", expression), _xlsform_term)


def _parse(
    terms: list[str], read: Callable[[str], tuple[str, list[str]] | None]
) -> Condition | None:
    names: set[str] = set()
    values: list[str] = []
    for term in terms:
        found = read(term.strip())
        if found is None or not found[1]:
            return None
        names.add(found[0])
        values += found[1]
    return Condition(names.pop(), tuple(dict.fromkeys(values))) if len(names) == 1 else None


def _surveyjs_term(term: str) -> tuple[str, list[str]] | None:
    found = _SURVEYJS.fullmatch(term)
    if found is None:
        return None
    values = _values(found[2].strip("[]"))
    # All of several: a definition knows any of them only.
    return None if "allof" in term.lower() and len(values) > 1 else (found[1].strip(), values)


def _xlsform_term(term: str) -> tuple[str, list[str]] | None:
    found = _XLSFORM.fullmatch(term)
    if found is None:
        return None
    name, value = (found[1], found[2]) if found[1] else (found[3], found[4])
    return name.strip(), _values(value)


def _values(text: str) -> list[str]:
    """The values in a list of them; none if anything else stands there."""
    parts = [part.strip() for part in text.split(",")]
    matches = [re.fullmatch(_VALUE, part) for part in parts]
    if not all(matches):
        return []
    return [
        next(group for group in match.groups() if group is not None) for match in matches if match
    ]
