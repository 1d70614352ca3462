"""Finds texts of a survey that are not in all of its languages."""

from deniable_sdk import DefinitionProblem, PublishedSurvey
from deniable_sdk.errors import quote
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.questionnaire import written_texts
from deniable_sdk.survey.text import languages


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
        )
        for path, text in texts
        if isinstance(text, str) and any(map(str.isalpha, text))
    ]


def _wanted(path: tuple[str | int, ...], each: str) -> str:
    """The form of a text, or of an option with a text, in every language."""
    return f"{{id: ..., text: {each}}}" if "options" in path else each
