"""The types of questions.

A new type is a class here, its name in QUESTION_TYPES, and its twin in
client_sdk/javascript/src/survey/questions. The class reads a question of a
published survey and one of a definition, and encodes its answers.
"""

from collections.abc import Mapping
from typing import Any

from deniable_sdk.errors import quote
from deniable_sdk.survey.appearance import read_image, read_question_section
from deniable_sdk.survey.options import read_show_if
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.questions.closed import (
    ChoiceQuestion,
    ClosedQuestion,
    ScaleQuestion,
    YesNoQuestion,
)
from deniable_sdk.survey.questions.multiple import MultipleQuestion
from deniable_sdk.survey.questions.number import NumberQuestion
from deniable_sdk.survey.questions.score import ScoreQuestion
from deniable_sdk.survey.reading import ID_PATTERN, ID_RULE, Section
from deniable_sdk.survey.text import read_optional_text, read_text

MAX_QUESTIONS = 200
COMMON_KEYS = (
    *("id", "type", "text", "help", "image", "section"),
    *("required", "show_if", "new_page", "fixed"),
)

QUESTION_TYPES: dict[str, type[Question]] = {
    known.type: known
    for known in (
        *(YesNoQuestion, ChoiceQuestion, ScaleQuestion),
        *(MultipleQuestion, NumberQuestion, ScoreQuestion),
    )
}


def read_type(section: Section) -> type[Question] | None:
    """The type of a question, None where it is unknown."""
    allowed = ", ".join(QUESTION_TYPES)
    name = section.require("type", f"one of {allowed}")
    known = QUESTION_TYPES.get(name) if isinstance(name, str) else None
    if known is None and "type" in section:
        got = "an unknown type" if section.is_published else quote(name)
        section.refuse(f"got {got}; allowed: {allowed}", "type")
    return known


def read_common(section: Section, earlier: Mapping[str, Question]) -> dict[str, Any]:
    """The fields that every question has."""
    return {
        "id": section.identifier("id", ID_PATTERN, ID_RULE),
        "text": read_text(section, "text"),
        "help": read_optional_text(section, "help"),
        "image": section.optional("image", read_image),
        "section": section.optional("section", read_question_section),
        "required": section.flag("required"),
        "show_if": section.optional("show_if", lambda inner: read_show_if(inner, earlier)),
        "new_page": section.flag("new_page"),
        "random_order": section.flag("random_order"),
        "fixed": section.flag("fixed"),
    }


def read_question(section: Section, earlier: Mapping[str, Question]) -> Question | None:
    """A question of a published survey; problems go to the section.

    None where its type is unknown.
    """
    known = read_type(section)
    if known is None:
        return None
    section.refuse_unknown((*COMMON_KEYS, *known.keys))
    section.require("required", "true or false")
    return known.read(section, earlier, **read_common(section, earlier))


__all__ = [
    "COMMON_KEYS",
    "MAX_QUESTIONS",
    "QUESTION_TYPES",
    "ChoiceQuestion",
    "ClosedQuestion",
    "MultipleQuestion",
    "NumberQuestion",
    "Question",
    "ScaleQuestion",
    "ScoreQuestion",
    "YesNoQuestion",
    "read_common",
    "read_question",
    "read_type",
]
