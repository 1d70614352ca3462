"""Where a question is: the pages, panels and groups around it, and their headings."""

from dataclasses import dataclass, replace
from typing import Any

from deniable_web.builder.imports.imported import Account, Changed
from deniable_web.builder.imports.texts import Text, join, words


@dataclass(eq=False, slots=True)
class ImportedSection:
    """A page, panel or group with a heading.

    Args:
        name: its name in the other program.
        title: its heading, after those of the groups that it is in.
        note: a text below the heading.
        outer: the section around it.
        is_text: whether the heading is the text of its only question, which has no other.
        is_used: whether a question has begun it.
    """

    name: str
    title: Text
    note: Text
    outer: "ImportedSection | None"
    is_text: bool
    is_used: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question is.

    Args:
        conditions: those of the pages, panels and groups around it; all must be met.
        section: the section that it is in; None if no heading is above it.
        heading: the title of the panel or group around it, for a question without a text.
        is_hidden: whether nobody sees it.
        is_read_only: whether nobody can answer it.
        may_be_disabled: whether some who see it cannot answer it, and need not.
    """

    conditions: tuple[str, ...] = ()
    section: ImportedSection | None = None
    heading: Text = ""
    is_hidden: bool = False
    is_read_only: bool = False
    may_be_disabled: bool = False


class Sections:
    """The sections of a file, and the one that the last question is in."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._all: list[ImportedSection] = []
        self._last: ImportedSection | None = None

    def within(
        self, place: Place, name: str, title: Text, note: Text, *, is_one_question: bool = False
    ) -> Place:
        """The place of the questions of a page, panel or group.

        Args:
            place: its own place.
            name: its name.
            title: its heading.
            note: a text below the heading.
            is_one_question: whether it has one question, which has no text of its own.
        """
        if not title and not note:
            return place
        above = place.section.title if place.section and not is_one_question else ""
        section = ImportedSection(
            name,
            join(above, title or note),
            note if title else "",
            place.section,
            bool(title) and is_one_question,
        )
        self._all.append(section)
        return replace(place, section=section, heading=title or place.heading)

    def begin(self, name: str, section: ImportedSection | None) -> dict[str, Any]:
        """The keys of the next question, which begins a section if it is not in the last one."""
        if section and section.is_text:
            section.is_used = True
            if section.note:
                self._account.change(section.name, Changed.NOTE, *words(section.note))
            section = section.outer
        before, self._last = self._last, section
        if section is before:
            return {}
        if section is None:
            # A section ends only where another one begins.
            self._account.change(name, Changed.SECTION)
            return {}
        note = {} if section.is_used or not section.note else {"note": section.note}
        section.is_used = True
        return {"section": {"title": section.title, **note}}

    def list_unused(self) -> None:
        """Note the headings below which no question was imported."""
        for section in self._all:
            if not section.is_used:
                details = (*words(section.title), *words(section.note))
                self._account.change(section.name, Changed.NOTE, *details)
