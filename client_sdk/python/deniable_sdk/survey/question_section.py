"""The sections of a questionnaire: a heading and a note above questions that belong together."""

from __future__ import annotations

from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, read_optional_text, read_text
from deniable_sdk.survey.writing import SurveyPart


class QuestionSection(SurveyPart):
    """A section that begins with a question, and ends where the next one begins.

    Args:
        title: its heading.
        note: a text below the heading, if there is one.
    """

    title: Text
    note: Text | None = None


def read_question_section(section: Section) -> QuestionSection:
    """The section that begins with a question; problems go to it."""
    section.refuse_unknown(("title", "note"))
    return QuestionSection(read_text(section, "title"), read_optional_text(section, "note"))
