"""The items that an author writes inside a score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deniable_sdk.errors import quote
from deniable_sdk.survey.options import Option, check_option_ids, option_name
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.questions.closed import ChoiceQuestion, YesNoQuestion
from deniable_sdk.survey.questions.number import NUMBER_RULE, read_decimal
from deniable_sdk.survey.reading import ID_PATTERN, ID_RULE, Section
from deniable_sdk.survey.text import (
    SHORT_TEXT_RULE,
    is_short_text,
    read_optional_text,
    read_short_text,
    read_text,
)

_KEYS = ("id", "text", "levels", "required", "reversed", "weight")
_LEVELS_RULE = (
    "the answers and their points, like {never: 0, often: 1}, or a list of answers with id, text "
    "and points"
)
# What the builder's lines mean, and a definition does not.
_REVERSED_MARK = "(R)"

# Each answer, and what it is worth as its author wrote it.
Levels = list[tuple[Option, Any]]


def take_out_items(section: Section, common: Mapping[str, Any]) -> tuple[Section, list[Question]]:
    """A score whose items only name questions, and the questions written inside it."""
    items = section.values.get("items")
    if not isinstance(items, list):
        return section, []
    shared = _read_levels(section) if "levels" in section else None
    named: list[object] = []
    is_without = False
    questions: list[Question] = []
    for index, member in enumerate(items):
        if isinstance(member, Mapping) and "question" in member:
            named.append(member)
            continue
        inner = section.inner(
            {"text": member} if isinstance(member, str) else member, "items", index
        )
        inner.refuse_unknown(_KEYS)
        levels = _read_levels(inner) if "levels" in inner else shared
        if levels is None:
            is_without = True
        if str(inner.values.get("text", "")).endswith(_REVERSED_MARK):
            inner.refuse(f"ends in {_REVERSED_MARK}; write {{text: ..., reversed: true}}")
        question = _question(inner, f"{common['id']}_{index + 1}", levels or [], common)
        questions.append(question)
        kept = {key: inner.values[key] for key in ("reversed", "weight") if key in inner}
        points = {option.id: points for option, points in levels or []}
        named.append({"question": question.id, "points": points, **kept})
    if is_without:
        section.refuse(f"the key 'levels' is missing; it takes {_LEVELS_RULE}", "levels")
    rest = {key: value for key, value in section.values.items() if key != "levels"}
    return section.inner(rest | {"items": named}), questions


def _question(
    section: Section, default_id: str, levels: Levels, common: Mapping[str, Any]
) -> Question:
    options = tuple(option for option, _ in levels)
    is_yes_no = {option.id for option in options} == {"yes", "no"}
    return (YesNoQuestion if is_yes_no else ChoiceQuestion)(
        id=_read_id(section, default_id),
        text=read_text(section, "text"),
        help=None,
        image=None,
        section=None,
        required=section.flag("required", default=common["required"]),
        show_if=common["show_if"],
        new_page=False,
        random_order=False,
        fixed=False,
        options=options,
    )


def _read_id(section: Section, default_id: str) -> str:
    if "id" in section:
        return section.identifier("id", ID_PATTERN, ID_RULE)
    if not ID_PATTERN.fullmatch(default_id):
        section.refuse(f"would be called {quote(default_id)}; give it an id: {ID_RULE}")
    return default_id


def _read_levels(section: Section) -> Levels:
    """The answers under "levels"; their points are read with the items."""
    value = section.values["levels"]
    levels: Levels = []
    if isinstance(value, Mapping):
        for key, points in value.items():
            name = option_name(key)
            if not is_short_text(name):
                section.refuse_value(key, SHORT_TEXT_RULE, "levels")
            levels.append((Option(str(name)), points))
    elif isinstance(value, list) and all(isinstance(member, Mapping) for member in value):
        for index, member in enumerate(value):
            inner = section.inner(member, "levels", index)
            inner.refuse_unknown(("id", "text", "points"))
            option = Option(read_short_text(inner, "id"), read_optional_text(inner, "text"))
            levels.append((option, inner.require("points", NUMBER_RULE)))
    if len(levels) < 2:
        section.refuse(f"got {quote(value)}; allowed are {_LEVELS_RULE}", "levels")
        return []
    check_option_ids(section, [option.id for option, _ in levels], "levels")
    # Here, so that a bad number is said once and not for every item.
    inner = section.inner({option.id: points for option, points in levels}, "levels")
    return [
        (option, 0 if read_decimal(inner, option.id) is None else points)
        for option, points in levels
    ]
