"""Who runs a survey, why, and how respondents reach them."""

from __future__ import annotations

import re

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import quote
from deniable_sdk.records import Record
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import (
    SHORT_TEXT_RULE,
    Text,
    is_short_text,
    read_optional_text,
    text_document,
)

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
        purpose: dict[str, JSON] = (
            {} if self.purpose is None else {"purpose": text_document(self.purpose)}
        )
        return {"name": self.name, "contact": self.contact, **purpose}


def read_operator(survey: Section) -> Operator | None:
    """Who runs a survey, or None where it does not say; problems go to the section."""
    if "operator" not in survey:
        return None
    section = Section(survey.values["operator"], survey.at("operator"), survey.problems)
    section.refuse_unknown(("name", "contact", "purpose"))
    name = section.require("name", SHORT_TEXT_RULE)
    if "name" in section and not is_short_text(name):
        section.refuse(f"got {quote(name)}; allowed is {SHORT_TEXT_RULE}", "name")
    contact = section.identifier("contact", CONTACT_PATTERN, CONTACT_RULE)
    return Operator(str(name), contact, read_optional_text(section, "purpose"))
