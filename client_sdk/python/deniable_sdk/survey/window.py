"""The window of a survey: when a collector accepts its reports, and how many."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from deniable_sdk.canonical import JSON
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


def read_window(survey: Section) -> Window | None:
    """The window of a definition or of a published survey; None where there is none."""
    section = survey
    if survey.is_published:
        if "window" not in survey:
            return None
        section = survey.within("window")
        section.refuse_unknown(WINDOW_KEYS)
        if section.is_object and not section.values:
            section.refuse(f"is empty; allowed are {', '.join(WINDOW_KEYS)}")
    elif survey.values.keys().isdisjoint(WINDOW_KEYS):
        return None
    at_most = None
    if "at_most_reports" in section:
        at_most = section.integer("at_most_reports", 1, MAX_REPORTS)
    window = Window(read_moment(section, "opens"), read_moment(section, "closes"), at_most)
    if window.opens and window.closes and window.closes <= window.opens:
        section.refuse("is not after the survey opens", "closes")
    return window


def read_moment(section: Section, key: str) -> datetime | None:
    """The moment under a key, in UTC; None where it is missing or a problem."""
    if key not in section:
        return None
    pattern, rule = (_AUTHORED, _AUTHORED_RULE)
    if section.is_published:
        pattern, rule = _PUBLISHED, _PUBLISHED_RULE
    value = section.values[key]
    if isinstance(value, str) and pattern.fullmatch(value):
        try:
            return datetime.fromisoformat(value).astimezone(UTC)
        except ValueError:
            # Such as the 30th of February: refused below, like any other text.
            pass
    section.refuse_value(value, rule, key)
    return None


def moment_text(moment: datetime) -> str:
    """A moment as a published survey contains it."""
    return f"{moment:%Y-%m-%dT%H:%MZ}"
