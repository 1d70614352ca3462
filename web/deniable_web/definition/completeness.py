"""Finds texts of a survey that lack a language, or are still placeholders."""

from collections.abc import Sequence
from typing import Final

from deniable_sdk import DefinitionProblem, PublishedSurvey
from deniable_sdk.errors import Code, quote
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.questionnaire import written_texts
from deniable_sdk.survey.text import Text, languages

# Every placeholder begins with this, in each language of the pages.
PLACEHOLDER: Final = "\N{LOWER RIGHT PENCIL}"

_MESSAGE: Final = (
    f"still has a placeholder (a text with {PLACEHOLDER}); write your own text, or the "
    "instrument's wording, in its place"
)


def untranslated(survey: Definition | PublishedSurvey) -> list[DefinitionProblem]:
    """The texts in a single form, although others have several languages.

    A text without a letter, like a year, is the same in all languages. A definition already
    refuses texts that lack only some of its languages.
    """
    texts = written_texts(survey)
    spoken = sorted(frozenset[str]().union(*(languages(text) for _, text in texts)))
    if len(spoken) < 2:
        return []
    each = "{" + ", ".join(f"{language}: ..." for language in spoken) + "}"
    return [
        DefinitionProblem(
            path,
            f"got the text {quote(text)} for all languages, where others are given in "
            f"{', '.join(spoken)}; write {_wanted(path, each)}",
            Code.UNTRANSLATED,
        )
        for path, text in texts
        if isinstance(text, str) and any(map(str.isalpha, text))
    ]


def _wanted(path: tuple[str | int, ...], each: str) -> str:
    """The form of a text, or of an option with a text, in every language."""
    return f"{{id: ..., text: {each}}}" if "options" in path else each


def unwritten(survey: Definition | PublishedSurvey) -> list[DefinitionProblem]:
    """The fields with a placeholder, each once: all items of a score are in one field."""
    texts: list[tuple[tuple[str | int, ...], Text | None]] = [*written_texts(survey)]
    if survey.operator:
        texts.append((("operator", "name"), survey.operator.name))
    found = dict.fromkeys(_field(path) for path, text in texts if _is_open(text))
    return [DefinitionProblem(path, _MESSAGE, Code.PLACEHOLDER) for path in found]


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
