"""Reads texts, choices, numbers, and questions inside panels of SurveyJS."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from deniable_sdk.survey.options import MAX_OPTIONS
from deniable_web.build.imports.questions import Option, Text

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", re.ASCII)
_DEEPEST: Final = 10


@dataclass(frozen=True, slots=True)
class Element:
    """A question as in the document, and its conditions with those of its page and panels."""

    own: Mapping[str, Any]
    conditions: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Its type."""
        return str(self.own.get("type", ""))

    @property
    def name(self) -> str:
        """The names of its answers."""
        return str(self.own.get("valueName") or self.own.get("name") or self.kind)

    def row(self, value: str, title: Text) -> "Element":
        """One row of a matrix as a question."""
        is_required = self.own.get("isRequired") is True or self.own.get("isAllRowRequired")
        name = f"{self.name}_{value}"
        own = {"name": name, "title": title, "isRequired": bool(is_required)}
        return Element(own, self.conditions)


def expand(
    holder: Mapping[str, Any], conditions: tuple[str, ...] = (), depth: int = 0
) -> Iterator[Element]:
    """The questions of a page or panel, including those of panels inside it."""
    inherited = _with_own(conditions, holder)
    elements = holder.get("elements") or holder.get("questions")
    for inner in elements if isinstance(elements, list) else []:
        if not isinstance(inner, dict):
            continue
        if inner.get("type") == "panel" and depth < _DEEPEST:
            yield from expand(inner, inherited, depth + 1)
        else:
            yield Element(inner, _with_own(inherited, inner))


def _with_own(conditions: tuple[str, ...], holder: Mapping[str, Any]) -> tuple[str, ...]:
    own = holder.get("visibleIf")
    return (*conditions, own) if isinstance(own, str) and own.strip() else conditions


def read_text(value: object, locale: str) -> Text:
    """A text, or a map from language to text; "" if there is none."""
    if isinstance(value, dict):
        texts = {
            locale if language == "default" else language: text
            for language, text in value.items()
            if isinstance(text, str) and text.strip()
        }
        known = {code: text for code, text in texts.items() if _LANGUAGE.fullmatch(code)}
        return known or ""
    return value.strip() if isinstance(value, str) else ""


def value_text(title: object, row: Text, locale: str) -> Text:
    """The text of a matrix row: the matrix's title, then the row's."""
    above = read_text(title, locale)
    if not above:
        return row
    if isinstance(above, str) and isinstance(row, str):
        return f"{above} – {row}"
    codes = [*above] if isinstance(above, dict) else [*row]
    return {code: f"{_in(above, code)} – {_in(row, code)}" for code in codes}


def choices(value: object, locale: str) -> list[Option]:
    """The choices of a question: values and their texts."""
    found: list[Option] = []
    for each in (value if isinstance(value, list) else [])[: MAX_OPTIONS + 1]:
        own = each.get("value") if isinstance(each, dict) else each
        text = read_text(each.get("text"), locale) if isinstance(each, dict) else ""
        name = name_of(own).strip()
        if own is not None and not isinstance(own, dict | list):
            found.append((name, text or name))
    return found


def name_of(value: object) -> str:
    """A value as expressions name it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _in(text: Text, code: str) -> str:
    if isinstance(text, str):
        return text
    return text.get(code) or next(iter(text.values()))
