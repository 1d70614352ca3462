"""The window of a survey: when a collector accepts its reports, and how many."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import quote
from deniable_sdk.records import Record
from deniable_sdk.survey.reading import Section

MAX_REPORTS = 1_000_000_000
WINDOW_KEYS = ("opens", "closes", "at_most_reports")

_AUTHORED = re.compile(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::00)?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_PUBLISHED = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\dZ", re.ASCII)
_AUTHORED_RULE = "a moment with its offset from UTC, like 2026-12-06T18:00+01:00"
_PUBLISHED_RULE = "a moment in UTC, like 2026-12-06T17:00Z"


class Window(Record):
    """When reports are accepted. The collector's clock decides.

    Args:
        opens: from when, in UTC; from publishing on if None.
        closes: until when, in UTC; until somebody closes the survey if None.
        at_most_reports: with how many it closes; there is no limit if None.
    """

    opens: datetime | None = None
    closes: datetime | None = None
    at_most_reports: int | None = None

    def has_opened(self, moment: datetime) -> bool:
        """Whether it is open at a moment, or was before."""
        return self.opens is None or self.opens <= moment

    def has_closed(self, moment: datetime) -> bool:
        """Whether its end has come, at a moment."""
        return self.closes is not None and self.closes <= moment

    def to_document(self) -> JSON:
        """The window as a published survey contains it."""
        document: dict[str, JSON] = {}
        for key, moment in (("opens", self.opens), ("closes", self.closes)):
            if moment:
                document[key] = moment_text(moment)
        if self.at_most_reports is not None:
            document["at_most_reports"] = self.at_most_reports
        return document


def read_window(definition: Section) -> Window | None:
    """The window that an author wrote; None where there is none."""
    if definition.values.keys().isdisjoint(WINDOW_KEYS):
        return None
    return _read(definition, is_published=False)


def read_published_window(survey: Section) -> Window | None:
    """The window of a published survey; None where it has none."""
    if "window" not in survey:
        return None
    section = Section(survey.values["window"], survey.at("window"), survey.problems)
    section.refuse_unknown(WINDOW_KEYS)
    if section.is_object and not section.values:
        section.refuse(f"is empty; allowed are {', '.join(WINDOW_KEYS)}")
    return _read(section, is_published=True)


def _read(section: Section, *, is_published: bool) -> Window:
    at_most = None
    if "at_most_reports" in section:
        at_most = section.integer("at_most_reports", 1, MAX_REPORTS)
    window = Window(
        read_moment(section, "opens", is_published=is_published),
        read_moment(section, "closes", is_published=is_published),
        at_most,
    )
    if window.opens and window.closes and window.closes <= window.opens:
        section.refuse("is not after the survey opens", "closes")
    return window


def read_moment(section: Section, key: str, *, is_published: bool) -> datetime | None:
    """The moment under a key, in UTC; None where it is missing or a problem.

    Args:
        section: where the key is.
        key: of the moment.
        is_published: whether only the form of published surveys is allowed.
    """
    if key not in section:
        return None
    pattern, rule = (_PUBLISHED, _PUBLISHED_RULE) if is_published else (_AUTHORED, _AUTHORED_RULE)
    value = section.values[key]
    if isinstance(value, str) and pattern.fullmatch(value):
        try:
            return datetime.fromisoformat(value).astimezone(UTC)
        except ValueError:
            # Such as the 30th of February: refused below, like any other text.
            pass
    section.refuse(f"got {quote(value)}; allowed is {rule}", key)
    return None


def moment_text(moment: datetime) -> str:
    """A moment as a published survey contains it."""
    return f"{moment:%Y-%m-%dT%H:%MZ}"
