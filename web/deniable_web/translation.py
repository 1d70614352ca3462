"""Finds texts of a survey that are not in all of its languages."""

from deniable_sdk import DefinitionProblem, PublishedSurvey
from deniable_sdk.errors import quote
from deniable_sdk.survey.definition import Definition, written_texts
from deniable_sdk.survey.text import languages


def untranslated(survey: Definition | PublishedSurvey) -> list[DefinitionProblem]:
    """The texts that are given once, although others are given in several languages.

    A text without a letter, like a year, is the same in all languages. A definition already
    refuses texts that are given in only some of its languages.
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
        )
        for path, text in texts
        if isinstance(text, str) and any(map(str.isalpha, text))
    ]


def _wanted(path: tuple[str | int, ...], each: str) -> str:
    """The form in which a text, or an option with a text, is given in every language."""
    return f"{{id: ..., text: {each}}}" if "options" in path else each
