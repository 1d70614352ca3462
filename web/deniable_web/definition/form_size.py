"""How large the form of a survey may be.

A form has every question in every language, so it can be many times as large as its survey. The
server renders it while it takes reports, and phones have to load it.
"""

from html import escape
from typing import Final

from deniable_sdk import DefinitionProblem, PublishedSurvey
from deniable_sdk.errors import Code
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.questionnaire import written_texts
from deniable_sdk.survey.text import Text, languages

MOST_BYTES: Final = 4 << 20
# In how many languages the form of a survey is that names none: those of the pages.
PAGE_LANGUAGES: Final = 5
# About as many bytes as the form has in one language around its texts.
_FRAME: Final = 24_000
_QUESTION: Final = 800
_CHOICE: Final = 130


def form_bytes(survey: Definition | PublishedSurvey) -> int:
    """About how many bytes the form of a survey has."""
    texts = [text for _, text in written_texts(survey) if text is not None]
    spoken = len(frozenset[str]().union(*map(languages, texts))) or PAGE_LANGUAGES
    # Besides its options, a question may have "none of these" and "prefer not to say".
    choices = sum(len(question.options) + 2 for question in survey.questions)
    frame = _FRAME + _QUESTION * len(survey.questions) + _CHOICE * choices
    return spoken * frame + sum(_bytes_of(text, spoken) for text in texts)


def _bytes_of(text: Text, spoken: int) -> int:
    """How many bytes a text has in all languages of a form."""
    if isinstance(text, str):
        return spoken * len(escape(text).encode("utf-8", "replace"))
    return sum(len(escape(each).encode("utf-8", "replace")) for each in text.values())


def size_problems(survey: Definition | PublishedSurvey) -> list[DefinitionProblem]:
    """The problem of a survey whose form would be too large; empty if it is not."""
    size = form_bytes(survey)
    if size <= MOST_BYTES:
        return []
    options = sum(len(question.options) for question in survey.questions)
    message = (
        f"got {len(survey.questions)} questions with {options:,} options in all, a form of about "
        f"{size / 1e6:.0f} MB; allowed are {MOST_BYTES / 1e6:.0f} MB; offer fewer options (a "
        "number can be typed), shorten texts, or ask some of the questions in another survey"
    )
    return [DefinitionProblem(("questions",), message, Code.FORM_TOO_LARGE)]
