"""A draft with its empty texts filled in, so that its margins can be forecast."""

from collections.abc import Mapping
from typing import Any, Final

# Long enough to be accepted; the forecast does not depend on it.
_TEXT: Final = "…"
_SLUG: Final = "draft"


def with_stand_ins(document: object) -> object:
    """The draft with a title, a slug and texts of questions added if they are missing.

    No margin depends on these, on feedback or on who runs the survey. Everything else in
    the draft, right or wrong, is kept.
    """
    if not isinstance(document, Mapping):
        return document
    filled: dict[Any, Any] = {key: value for key, value in document.items() if key != "operator"}
    filled["title"] = _text(document.get("title"))
    filled["slug"] = document.get("slug") or _SLUG
    for key in ("introduction", "thanks"):
        if key in document:
            filled[key] = _text(document[key])
    questions = document.get("questions")
    if isinstance(questions, list):
        filled["questions"] = [_question(question) for question in questions]
    return filled


def _question(question: object) -> object:
    if not isinstance(question, Mapping):
        return question
    kept = {key: value for key, value in question.items() if key != "feedback"}
    return {**kept, "text": _text(question.get("text"))}


def _text(text: object) -> object:
    if isinstance(text, Mapping):
        return {language: _text(inner) for language, inner in text.items()}
    return text or _TEXT
