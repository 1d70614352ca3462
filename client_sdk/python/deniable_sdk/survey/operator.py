"""Who runs a survey, why, and how respondents reach them."""

from __future__ import annotations

import re

from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, read_optional_text, read_short_text
from deniable_sdk.survey.writing import SurveyPart

CONTACT_PATTERN = re.compile(
    r"(?!.{201})("
    r"[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|https://[\w.-]+(/[!-~]*)?"
    r"|\+?\d[\d ()/.-]{5,})",
    re.ASCII,
)
CONTACT_RULE = "an e-mail or https address, or a phone number"


class Operator(SurveyPart):
    """Who runs a survey.

    Args:
        name: as respondents know them.
        contact: an e-mail or https address, or a phone number.
        purpose: why they ask, if they say so.
    """

    name: str
    contact: str
    purpose: Text | None = None


def read_operator(section: Section) -> Operator:
    """Who runs a survey; problems go to the section."""
    section.refuse_unknown(("name", "contact", "purpose"))
    return Operator(
        read_short_text(section, "name"),
        section.identifier("contact", CONTACT_PATTERN, CONTACT_RULE),
        read_optional_text(section, "purpose"),
    )
