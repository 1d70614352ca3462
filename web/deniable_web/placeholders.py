"""Finds placeholders, for an instrument's wording or in a template, that a survey still has."""

from collections.abc import Sequence
from typing import Final

from deniable_sdk import DefinitionProblem, PublishedSurvey
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.questionnaire import written_texts
from deniable_sdk.survey.text import Text

# Every placeholder begins with this, in each language of the pages.
PLACEHOLDER: Final = "\N{LOWER RIGHT PENCIL}"

_MESSAGE: Final = (
    f"still has a placeholder (a text with {PLACEHOLDER}); write your own text, or the "
    "instrument's wording, in its place"
)


def unwritten(survey: Definition | PublishedSurvey) -> list[DefinitionProblem]:
    """The fields with a placeholder, each once: all items of a score are in one field."""
    texts: list[tuple[tuple[str | int, ...], Text | None]] = [*written_texts(survey)]
    if survey.operator:
        texts.append((("operator", "name"), survey.operator.name))
    found = dict.fromkeys(_field(path) for path, text in texts if _is_open(text))
    return [DefinitionProblem(path, _MESSAGE) for path in found]


def _is_open(text: Text | None) -> bool:
    return text is not None and any(
        PLACEHOLDER in each for each in ((text,) if isinstance(text, str) else text.values())
    )


def _field(path: Sequence[str | int]) -> tuple[str | int, ...]:
    """The field in which an author writes the text at a path."""
    if "items" not in path:
        return tuple(path)
    key = "levels" if "options" in path else "items"
    return (*path[: path.index("items")], key)
