"""What every store contains, and the rules that all engines share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from deniable_collector.clock import Moment
from deniable_collector.errors import UnusableKeys
from deniable_sdk import PublishedSurvey, Report
from deniable_sdk.canonical import JSON, encode
from deniable_sdk.survey.window import Window
from deniable_sdk.tokens import base64url
from deniable_storage.ends import NOT_ENDED, End, Ending, Fieldwork, fieldwork_of


class ReportOutcome(Enum):
    """The outcome of one report.

    A survey without the report accepts no more if its owner closed it (CLOSED), if its
    window is not open yet or over (NOT_OPEN, OVER), if it has as many reports as it accepts
    (FULL), or if its estimates reached the margin with which it ends (PRECISE).
    """

    STORED = "stored"
    ALREADY_STORED = "already stored"
    CONFLICT = "conflict"
    CLOSED = "closed"
    NOT_OPEN = "not open"
    OVER = "over"
    FULL = "full"
    PRECISE = "precise"
    UNKNOWN_SURVEY = "unknown survey"


class PublishOutcome(Enum):
    """The outcome of publishing a survey."""

    PUBLISHED = "published"
    ALREADY_PUBLISHED = "already published"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class StoredSurvey:
    """A survey in a store.

    `edition` numbers the documents published under one slug: 1, 2, and so on. The reports
    of a purged survey are permanently removed. `ending` is what is recorded of its end.
    """

    survey: PublishedSurvey
    edition: int
    is_closed: bool
    reports_table: str
    is_purged: bool = False
    ending: Ending = NOT_ENDED

    @property
    def window(self) -> Window | None:
        """The window that applies: the published one, or what its owner extended it to."""
        return self.ending.window(self.survey.window)

    def fieldwork(self, now: Moment, count: Callable[[], int]) -> Fieldwork:
        """The state of its fieldwork at a moment; see fieldwork_of."""
        return fieldwork_of(self.survey.window, self.ending, now, count, is_closed=self.is_closed)


@dataclass(frozen=True, slots=True)
class Publication:
    """The outcome of publishing, and the survey that now has the slug.

    After a conflict, `stored` is the open survey that prevents publishing.
    """

    outcome: PublishOutcome
    stored: StoredSurvey


# A value in a store: an index, or a list as its canonical JSON text.
Value = int | str
# A report in a store: the 16 bytes of its id; the group, if people are invited; then a value
# for each block in the survey's order, or None if the respondent was not asked the block.
Row = tuple[bytes, *tuple[Value | None, ...]]
# Rows by the digests of their surveys, and the outcome of each row.
Rows = Mapping[str, Sequence[Row]]
Outcomes = Mapping[str, Sequence[ReportOutcome]]
# Why a survey accepts no new reports; None if it accepts them.
Refusal = ReportOutcome | None

_REFUSALS = {
    End.CLOSES: ReportOutcome.OVER,
    End.AT_MOST_REPORTS: ReportOutcome.FULL,
    End.MARGIN: ReportOutcome.PRECISE,
    End.HAND: ReportOutcome.CLOSED,
}


def refusal_of(stored: StoredSurvey, fieldwork: Fieldwork, now: Moment) -> Refusal:
    """Why a survey accepts no new reports at a moment; None if it accepts them.

    Args:
        stored: the survey.
        fieldwork: the state of its fieldwork at this moment.
        now: the moment.
    """
    if stored.is_closed:
        return ReportOutcome.CLOSED
    window = stored.window
    if window and not window.has_opened(now):
        return ReportOutcome.NOT_OPEN
    return _REFUSALS[fieldwork.end] if fieldwork.end else None


def row_of(report: Report, survey: PublishedSurvey) -> Row:
    """The row of a report of this survey."""
    values = (report.answers.get(block.id) for block in survey.blocks)
    group = (report.token.group,) if report.token else ()
    return (bytes.fromhex(report.id), *group, *map(_stored, values))


def _stored(value: JSON) -> Value | None:
    return value if value is None or type(value) is int else encode(value).decode()


def refuse_unusable_keys(survey: PublishedSurvey, is_published: Callable[[str], bool]) -> None:
    """Raise UnusableKeys unless each group has a key that no published survey has.

    The message names the groups, and no other survey.
    """
    groups = survey.invited.groups if survey.invited else ()
    missing = [group.id for group in groups if not group.has_key]
    if missing:
        raise UnusableKeys(
            f"got no key for {', '.join(missing)}, so nobody could sign their tokens; write keys "
            "into the definition with: deniable issuer keys FILE"
        )
    used = [
        group.id for group in groups if is_published(f'"modulus":"{base64url(group.modulus)}"')
    ]
    if used:
        raise UnusableKeys(
            f"got keys for {', '.join(used)} that a survey in this store has already, so tokens "
            "for one would be good for the other; remove their moduli from the definition, and "
            "write new ones with: deniable issuer keys FILE"
        )
