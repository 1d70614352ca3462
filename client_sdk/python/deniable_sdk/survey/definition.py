"""The definition: what an author writes, validated as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from deniable_sdk.errors import InvalidDefinition, quote
from deniable_sdk.exact import fraction
from deniable_sdk.records import Record
from deniable_sdk.survey.question_types import QUESTION_TYPES
from deniable_sdk.survey.questions import MAX_QUESTIONS, Question
from deniable_sdk.survey.reading import (
    ID_PATTERN,
    ID_RULE,
    SLUG_PATTERN,
    SLUG_RULE,
    Problems,
    Section,
)
from deniable_sdk.survey.text import Text, languages, read_optional_text, read_text
from deniable_sdk.weights import EPSILON_RANGE, MIN_EPSILON, read_epsilon

if TYPE_CHECKING:
    from fractions import Fraction

_KEYS = ("title", "slug", "introduction", "thanks", "epsilon", "ask", "questions")
_QUESTION_KEYS = ("id", "type", "text", "required")


class Definition(Record):
    """A survey as its author means it, before anything is chosen for it."""

    slug: str
    title: Text
    introduction: Text | None
    thanks: Text | None
    epsilon: Fraction
    ask: int | Literal["auto", "all"]
    questions: tuple[Question, ...]

    @classmethod
    def from_document(cls, document: object) -> Definition:
        """The definition in a dict, as read from JSON or YAML.

        Raises:
            InvalidDefinition: with every problem and its place.
        """
        problems = Problems()
        section = Section(document, (), problems)
        if problems.found:
            raise InvalidDefinition(problems.found)
        definition = _read(section)
        _check_languages(definition, section)
        if problems.found:
            raise InvalidDefinition(problems.found)
        return definition


def _read(section: Section) -> Definition:
    section.refuse_unknown(_KEYS)
    questions = tuple(
        _read_question(Section(member, section.at("questions", index), section.problems))
        for index, member in enumerate(section.members("questions", 1, MAX_QUESTIONS, "questions"))
    )
    seen: set[str] = set()
    for index, question in enumerate(questions):
        if question.id and question.id in seen:
            section.refuse(f"the id {question.id!r} stands twice", "questions", index, "id")
        seen.add(question.id)
    return Definition(
        slug=section.identifier("slug", SLUG_PATTERN, SLUG_RULE),
        title=read_text(section, "title"),
        introduction=read_optional_text(section, "introduction"),
        thanks=read_optional_text(section, "thanks"),
        epsilon=_read_epsilon(section),
        ask=_read_ask(section, len(questions)),
        questions=questions,
    )


def _read_question(section: Section) -> Question:
    question_type = section.require("type", f"one of {', '.join(QUESTION_TYPES)}")
    known = QUESTION_TYPES.get(question_type) if isinstance(question_type, str) else None
    if known is None:
        if "type" in section:
            allowed = ", ".join(QUESTION_TYPES)
            section.refuse(f"got {quote(question_type)}; allowed: {allowed}", "type")
    else:
        section.refuse_unknown((*_QUESTION_KEYS, *known.keys))
    return Question(
        id=section.identifier("id", ID_PATTERN, ID_RULE),
        type=str(question_type),
        text=read_text(section, "text"),
        options=known.read_options(section) if known else (),
        required=section.flag("required"),
    )


def _read_epsilon(section: Section) -> Fraction:
    value = section.require("epsilon", EPSILON_RANGE)
    try:
        return read_epsilon(value)
    except ValueError as error:
        if "epsilon" in section:
            section.refuse(str(error), "epsilon")
        return fraction(MIN_EPSILON)


def _read_ask(section: Section, question_count: int) -> int | Literal["auto", "all"]:
    value = section.values.get("ask", "auto")
    if value == "auto":
        return "auto"
    if value == "all":
        return "all"
    highest = max(1, question_count)
    if type(value) is int and 1 <= value <= highest:
        return value
    section.refuse(
        f"got {quote(value)}; allowed is auto, all, or a whole number from 1 to {highest}",
        "ask",
    )
    return "auto"


def _check_languages(definition: Definition, section: Section) -> None:
    """Every text given by language must be given in the same languages."""
    texts: list[tuple[tuple[str | int, ...], Text | None]] = [
        (("title",), definition.title),
        (("introduction",), definition.introduction),
        (("thanks",), definition.thanks),
    ]
    for index, question in enumerate(definition.questions):
        texts.append((("questions", index, "text"), question.text))
        key = "options" if question.type == "choice" else "labels"
        texts.extend((("questions", index, key), option.text) for option in question.options)
    everywhere = frozenset[str]().union(*(languages(text) for _, text in texts))
    for path, text in texts:
        missing = everywhere - languages(text)
        if isinstance(text, Mapping) and missing:
            section.refuse(f"has no text in {', '.join(sorted(missing))}, as others have", *path)
