"""Who runs a survey, why, and how respondents reach them."""

from __future__ import annotations

import re

from deniable_sdk.canonical import JSON
from deniable_sdk.records import Record
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, read_optional_text, read_short_text, text_members

CONTACT_PATTERN = re.compile(
    r"(?!.{201})("
    r"[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|https://[\w.-]+(/[!-~]*)?"
    r"|\+?\d[\d ()/.-]{5,})",
    re.ASCII,
)
CONTACT_RULE = "an e-mail or https address, or a phone number"


class Operator(Record):
    """Who runs a survey.

    Args:
        name: as respondents know them.
        contact: an e-mail or https address, or a phone number.
        purpose: why they ask, if they say so.
    """

    name: str
    contact: str
    purpose: Text | None = None

    def to_document(self) -> JSON:
        """The operator as a published survey contains it."""
        return {"name": self.name, "contact": self.contact, **text_members(purpose=self.purpose)}


def read_operator(survey: Section) -> Operator | None:
    """Who runs a survey, or None where it does not say; problems go to the section."""
    if "operator" not in survey:
        return None
    section = survey.within("operator")
    section.refuse_unknown(("name", "contact", "purpose"))
    return Operator(
        read_short_text(section, "name"),
        section.identifier("contact", CONTACT_PATTERN, CONTACT_RULE),
        read_optional_text(section, "purpose"),
    )
