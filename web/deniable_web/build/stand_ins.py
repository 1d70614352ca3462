"""A draft with its empty texts filled in, so that its margins can be forecast."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from deniable_sdk import InvalidDefinition
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.invited import read_invited
from deniable_sdk.survey.reading import Problems, Section
from deniable_sdk.survey.window import WINDOW_KEYS, read_window

# What a draft gets in place of a forecast that cannot be made.
NO_OUTLOOK: Final[dict[str, Any]] = {"is_too_large": False, "forecast": None, "trade_off": []}
TOO_LARGE: Final = NO_OUTLOOK | {"is_too_large": True}
# Long enough to be accepted; the forecast does not depend on it.
_TEXT: Final = "…"
_SLUG: Final = "draft"


def with_stand_ins(document: object) -> object:
    """The draft with a title, a slug and texts of questions added if they are missing.

    No margin depends on these, on feedback, help texts and sections, on images, colour and link,
    on who runs the survey, or on when and by whom it is answered; only warnings depend on the
    last, so dates, invitations and the rule for closing early are omitted while they have
    mistakes. Everything else in the draft, right or wrong, is kept.
    """
    if not isinstance(document, Mapping):
        return document
    filled = _without(document, ["operator", "thanks_link", "logo", "accent"])
    filled["title"] = _text(document.get("title"))
    filled["slug"] = document.get("slug") or _SLUG
    for key in ("introduction", "thanks"):
        if key in document:
            filled[key] = _text(document[key])
    questions = document.get("questions")
    if isinstance(questions, list):
        filled["questions"] = [_question(question) for question in questions]
    if not _has_fieldwork(filled):
        return _without(filled, (*WINDOW_KEYS, "invited"))
    return filled if _can_stop(filled) else _without(filled, ["stop_when"])


def _has_fieldwork(document: Mapping[Any, Any]) -> bool:
    """Whether the dates and the invitation, if there are any, have no mistakes."""
    problems = Problems()
    section = Section(_without(document, ["stop_when"]), (), problems)
    read_invited(section, read_window(section))
    return not problems.found


def _can_stop(document: Mapping[Any, Any]) -> bool:
    """Whether the rule for closing early, if there is one, has no mistakes."""
    if "stop_when" not in document:
        return True
    try:
        Definition.from_document(document)
    except InvalidDefinition as error:
        return all(problem.path[:1] != ("stop_when",) for problem in error.problems)
    return True


def _without(document: Mapping[Any, Any], keys: Collection[str]) -> dict[Any, Any]:
    return {key: value for key, value in document.items() if key not in keys}


def _question(question: object) -> object:
    if not isinstance(question, Mapping):
        return question
    kept = _without(question, ["feedback", "help", "image", "section"])
    return {**kept, "text": _text(question.get("text"))}


def _text(text: object) -> object:
    if isinstance(text, Mapping):
        return {language: _text(inner) for language, inner in text.items()}
    return text or _TEXT
