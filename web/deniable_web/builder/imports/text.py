"""Reads a definition, or a SurveyJS survey, from the text of a file."""

import re
from pathlib import PurePath
from typing import Any, Final

from deniable_web.builder.imports.imported import Account, Imported, UnreadableImport
from deniable_web.builder.imports.kinds import is_definition, is_surveyjs, other_program
from deniable_web.builder.imports.surveyjs import import_surveyjs
from deniable_web.definition.file import UnreadableDefinition, parse_definition
from deniable_web.definition.yaml_text import DEEPEST, MOST_VALUES

# The errors of code that expects a text and finds a list, or the reverse.
_MISSHAPEN: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)

_UNSHAPED: Final = (
    "the file is not a definition that can be shown here: questions must be a list of maps, "
    "whose options are lists; groups of invited people, the operator, images and links must be "
    "maps; deniable check names what is wrong, line by line"
)
_MAPS: Final = ("operator", "thanks_link", "logo")


def import_text(body: bytes) -> Imported:
    """The survey in YAML or JSON.

    Raises:
        UnreadableImport: it cannot be read; the message says where.
    """
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableImport.of_kind(
            "the file is not text in UTF-8; save it in that encoding"
        ) from None
    document = _parse(text)
    if is_definition(document) and _is_shaped(document):
        return Imported(_with_line_feeds(document), Account())
    if not is_surveyjs(document):
        raise _unknown(text, _UNSHAPED)
    try:
        return import_surveyjs(document)
    except _MISSHAPEN as error:
        raise UnreadableImport(
            f"the file cannot be read as a survey of SurveyJS ({type(error).__name__}): "
            "a value has a type that SurveyJS does not write; save the survey there again"
        ) from None


def _parse(text: str) -> dict[str, Any]:
    # Tabs are not allowed as indentation in YAML, but they are in JSON.
    kind = "json" if text.lstrip().startswith("{") else "yaml"
    try:
        document = parse_definition(PurePath(f"file.{kind}"), text).document
    except UnreadableDefinition as error:
        # The author's file has another name.
        place = re.sub(r"^file\.\w+:(\d+)?:? ?", _line, str(error))
        raise _unknown(text, place) from None
    if not isinstance(document, dict) or not _is_sized(document):
        raise _unknown(
            text,
            f"the file contains no survey definition with at most {MOST_VALUES:,} values in "
            f"{DEEPEST} levels",
        )
    return document


def _line(place: re.Match[str]) -> str:
    return f"line {place[1]}: " if place[1] else ""


def _unknown(text: str, reason: str) -> UnreadableImport:
    """The refusal of a text of another kind."""
    other = other_program(text)
    return UnreadableImport.of_kind(f"the file is {other}" if other else reason)


def _with_line_feeds(value: Any) -> Any:
    """The same value with the line breaks of Unix in its texts."""
    if isinstance(value, dict):
        return {key: _with_line_feeds(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_line_feeds(inner) for inner in value]
    return re.sub("\r\n?", "\n", value) if isinstance(value, str) else value


def _is_shaped(document: dict[str, Any]) -> bool:
    """Whether lists and maps are in the places where the builder's fields expect them."""
    questions = document.get("questions")
    if not isinstance(questions, list) or not all(isinstance(each, dict) for each in questions):
        return False
    return (
        isinstance(document.get("crosstabs", []), list)
        and _has_groups(document.get("invited", {}))
        and _has_groups(document)
        and all(isinstance(document.get(key, {}), dict) for key in _MAPS)
        and all(
            isinstance(question.get(key, empty), type(empty))
            for question in questions
            for key, empty in (("options", []), ("labels", {}), ("show_if", {}), ("image", {}))
        )
    )


def _has_groups(above: object) -> bool:
    """Whether a definition or its invitation is a map whose groups are maps."""
    groups = above.get("groups", {}) if isinstance(above, dict) else None
    return isinstance(groups, dict) and all(isinstance(each, dict) for each in groups.values())


def _is_sized(document: Any) -> bool:
    """Whether a document is small enough to be walked through and written as JSON."""
    waiting, count = [(document, 0)], 0
    while waiting:
        value, depth = waiting.pop()
        count += 1
        # With aliases, a few lines of YAML can describe a list with billions of members.
        if count > MOST_VALUES or depth > DEEPEST:
            return False
        if isinstance(value, dict):
            if not all(isinstance(key, str | int) for key in value):
                return False
            waiting += [(inner, depth + 1) for inner in value.values()]
        elif isinstance(value, list):
            waiting += [(inner, depth + 1) for inner in value]
        elif not isinstance(value, str | int | float | bool | None):
            return False
    return True
