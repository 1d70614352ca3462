"""What a definition and a published survey have in common, and how it is read and written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from deniable_sdk.canonical import JSON
from deniable_sdk.records import Record
from deniable_sdk.survey.appearance import Image, Link, read_accent, read_image, read_link
from deniable_sdk.survey.groups import NO_GROUP, Group
from deniable_sdk.survey.invited import Invited, read_invited, read_link_groups
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.reading import SLUG_PATTERN, SLUG_RULE, Path, Section
from deniable_sdk.survey.text import (
    Text,
    languages,
    read_optional_text,
    read_short_text,
    read_text,
    text_document,
)
from deniable_sdk.survey.window import Window, read_window
from deniable_sdk.survey.writing import SurveyPart, members

MAX_WAVES = 100
# Texts that respondents read, and what a form looks like.
SHOWN_KEYS = ("title", "introduction", "thanks", "thanks_link", "logo", "accent")
CONTACT_PATTERN = re.compile(
    r"(?!.{201})("
    r"[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|https://[\w.-]+(/[!-~]*)?"
    r"|\+?\d[\d ()/.-]{5,})",
    re.ASCII,
)
CONTACT_RULE = "an e-mail or https address, or a phone number"


class Questionnaire(Record):
    """All of a survey but its privacy."""

    slug: str
    title: Text
    introduction: Text | None
    thanks: Text | None
    thanks_link: Link | None
    logo: Image | None
    accent: str | None
    operator: Operator | None
    window: Window | None
    invited: Invited | None
    link_groups: tuple[Group, ...]
    questions: tuple[Question, ...]
    waves: int
    wave: int

    @property
    def paths(self) -> tuple[Path, ...]:
        """Where each question is in the document."""
        return tuple(("questions", index) for index in range(len(self.questions)))

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups that reports carry: of invited people, or those that links give."""
        return self.invited.groups if self.invited else self.link_groups

    @property
    def kept_groups(self) -> tuple[str, ...]:
        """What a collector keeps as the group of a report; nothing without groups.

        A form with groups by link opens without such a link, too.
        """
        ids = tuple(group.id for group in self.groups)
        return (*ids, NO_GROUP) if self.link_groups else ids

    @property
    def smallest_group(self) -> int | None:
        """How many people there are in the smallest group; None without groups."""
        return min((group.people for group in self.groups), default=None)

    @property
    def sites(self) -> tuple[str, ...]:
        """The names of the sites of all groups, each once; none if groups name none."""
        return tuple(dict.fromkeys(group.site for group in self.groups if group.site))

    @property
    def languages(self) -> frozenset[str]:
        """The languages its texts are given in; none where each text is one string."""
        return frozenset[str]().union(*(languages(text) for _, text in written_texts(self)))

    def to_document(self) -> dict[str, JSON]:
        """All of it but the waves, as a published survey contains it."""
        return {
            "slug": self.slug,
            "questions": [question.to_document() for question in self.questions],
            "title": text_document(self.title),
            **members(
                introduction=self.introduction,
                thanks=self.thanks,
                thanks_link=self.thanks_link,
                logo=self.logo,
                operator=self.operator,
                window=self.window,
                invited=self.invited,
                groups=self.link_groups,
                accent=self.accent,
            ),
        }


def read_texts(section: Section, with_shares: Sequence[str]) -> dict[str, Any]:
    """The fields of a questionnaire from `slug` to `link_groups`; problems go to the section.

    `with_shares` are the ids of the questions with shares of options in the results.
    """
    window = read_window(section, with_shares)
    return {
        "slug": section.identifier("slug", SLUG_PATTERN, SLUG_RULE),
        "title": read_text(section, "title"),
        "introduction": read_optional_text(section, "introduction"),
        "thanks": read_optional_text(section, "thanks"),
        "thanks_link": section.optional("thanks_link", read_link),
        "logo": section.optional("logo", read_image),
        "accent": read_accent(section),
        "operator": section.optional("operator", read_operator),
        "window": window,
        "invited": read_invited(section, window),
        "link_groups": read_link_groups(section),
    }


def read_waves(section: Section) -> tuple[int, int]:
    """The number of waves and of this wave; 1 and 1 by default."""
    if "waves" not in section and not (section.is_published and "wave" in section):
        if "wave" in section:
            section.refuse("says which wave of how many; say how many under 'waves' too", "wave")
        return 1, 1
    waves = section.integer("waves", 2, MAX_WAVES)
    return waves, section.integer("wave", 1, waves, None if section.is_published else 1)


def written_texts(survey: Questionnaire) -> list[tuple[Path, Text | None]]:
    """Every text that people read, and where it is in the document."""
    texts: list[tuple[Path, Text | None]] = [
        (("title",), survey.title),
        (("introduction",), survey.introduction),
        (("thanks",), survey.thanks),
    ]
    if survey.thanks_link:
        texts.append((("thanks_link", "text"), survey.thanks_link.text))
    if survey.logo:
        texts.append((("logo", "text"), survey.logo.text))
    if survey.operator:
        texts.append((("operator", "purpose"), survey.operator.purpose))
    above = ("invited", "groups") if survey.invited else ("groups",)
    texts.extend(((*above, group.id, "text"), group.text) for group in survey.groups)
    for path, question in zip(survey.paths, survey.questions, strict=True):
        texts.extend(((*path, *steps), said) for steps, said in _question_texts(question))
    return texts


def _question_texts(question: Question) -> Iterator[tuple[Path, Text | None]]:
    """Every text of a question, and where it is in the question."""
    own, *others = question.texts
    yield ("text",), own
    yield ("help",), question.help
    if question.image:
        yield ("image", "text"), question.image.text
    if question.section:
        yield ("section", "title"), question.section.title
        yield ("section", "note"), question.section.note
    if question.feedback:
        yield from ((("feedback", *steps), said) for steps, said in question.feedback.written())
    if not question.option_ids:
        yield from ((("unit",), text) for text in others)
        return
    is_plain = "options" in question.authored_keys
    for row, (name, text) in enumerate(zip(question.option_ids, others, strict=True)):
        key = ("options", row) if is_plain else ("labels", name)
        # An option that is a string is called by it.
        yield key, name if is_plain and not text else text


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
