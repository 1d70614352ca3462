"""The sections of a questionnaire: a heading and a note above questions that belong together."""

from __future__ import annotations

from deniable_sdk.canonical import JSON
from deniable_sdk.records import Record
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, read_optional_text, read_text, text_members


class QuestionSection(Record):
    """A section that begins with a question, and ends where the next one begins.

    Args:
        title: its heading.
        note: a text below the heading, if there is one.
    """

    title: Text
    note: Text | None = None

    def to_document(self) -> JSON:
        """The section as a published survey contains it."""
        return text_members(title=self.title, note=self.note)


def read_question_section(question: Section) -> QuestionSection | None:
    """The section that begins with a question, or None; problems go to the question."""
    if "section" not in question:
        return None
    section = question.within("section")
    section.refuse_unknown(("title", "note"))
    return QuestionSection(read_text(section, "title"), read_optional_text(section, "note"))
