"""What every store contains, and the rules that all engines share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from deniable_collector.clock import Moment
from deniable_collector.errors import ExtensionRefused, UnusableKeys
from deniable_sdk import PublishedSurvey, Report
from deniable_sdk.canonical import JSON, encode
from deniable_sdk.survey.reading import Problems, Section
from deniable_sdk.survey.window import MAX_REPORTS, Window, read_moment
from deniable_sdk.survey.writing import moment_text
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
    of a purged survey are permanently removed. If closing or purging is unfinished, the store
    still has what that erases. `ending` is what is recorded of its end.
    """

    survey: PublishedSurvey
    edition: int
    is_closed: bool
    reports_table: str
    is_purged: bool = False
    is_unfinished: bool = False
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
# A report in a store: the 16 bytes of its id; the group, if the survey has groups; then a value
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

_ENDS = ("closes", "at_most_reports")


def refusal_of(stored: StoredSurvey, fieldwork: Fieldwork, now: Moment) -> Refusal:
    """Why a survey with this state of its fieldwork accepts no new reports at a moment."""
    if stored.is_closed:
        return ReportOutcome.CLOSED
    window = stored.window
    if window and not window.has_opened(now):
        return ReportOutcome.NOT_OPEN
    return _REFUSALS[fieldwork.end] if fieldwork.end else None


def row_of(report: Report, survey: PublishedSurvey) -> Row:
    """The row of a report of this survey."""
    values = (report.values.get(block.id) for block in survey.blocks)
    group = (report.group,) if survey.groups else ()
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


def read_extension(document: object) -> Window:
    """The new ends that an owner asks for, from JSON; None for those that stay.

    Raises:
        ExtensionRefused: the document is not an object with one or two new ends.
    """
    problems = Problems()
    section = Section(document, (), problems)
    section.refuse_unknown(_ENDS)
    most = section.integer("at_most_reports", 1, MAX_REPORTS) if _ENDS[1] in section else None
    asked = Window(closes=read_moment(section, "closes"), at_most_reports=most)
    if problems.found:
        raise ExtensionRefused("; ".join(map(str, problems.found)))
    return asked


def extended(
    stored: StoredSurvey,
    now: Moment,
    count: Callable[[], int],
    closes: Moment | None,
    at_most_reports: int | None,
) -> Ending:
    """What is to be recorded of a survey's end once it is extended.

    Args:
        stored: the survey.
        now: the present moment.
        count: the number of its reports; called only if that decides.
        closes: the later moment until which it accepts reports; None to keep it.
        at_most_reports: the larger number of reports that it accepts; None to keep it.
    Raises:
        ExtensionRefused: the survey cannot be extended like this.
    """
    _refuse_ended(stored)
    window = stored.window or Window()
    if closes is None and at_most_reports is None:
        raise ExtensionRefused("got no new end; give a later moment, more reports, or both")
    if closes is not None:
        _refuse_earlier(stored, window.closes, closes, now)
    if at_most_reports is not None:
        _refuse_fewer(stored, window.at_most_reports, at_most_reports, count)
    ending = stored.ending
    # Once it had ended, everybody could read its results.
    has_ended = stored.fieldwork(now, count).end is not None
    return replace(
        ending,
        closes=closes or ending.closes,
        at_most_reports=at_most_reports or ending.at_most_reports,
        is_given_out=ending.is_given_out or has_ended,
    )


def _name(stored: StoredSurvey) -> str:
    return f"edition {stored.edition} of {stored.survey.slug}"


def _refuse_ended(stored: StoredSurvey) -> None:
    if stored.is_closed:
        raise ExtensionRefused(
            f"{_name(stored)} is closed, and a closed survey never accepts reports again; change "
            "its definition and publish the next edition"
        )
    if stored.ending.ended_by is End.MARGIN:
        raise ExtensionRefused(
            f"{_name(stored)} ended when its results were as precise as its published rule asks, "
            "and a later end would not open it again; to ask more people, close it and publish "
            "the next edition"
        )


def _refuse_earlier(
    stored: StoredSurvey, present: Moment | None, closes: Moment, now: Moment
) -> None:
    if present is None:
        raise _no_such_end(stored, "closes")
    if closes <= present:
        raise ExtensionRefused(
            f"got {moment_text(closes)}; {_name(stored)} closes at {moment_text(present)}, and "
            "only a later moment is allowed"
        )
    if closes <= now:
        raise ExtensionRefused(
            f"got {moment_text(closes)}, which is over; give a moment in the future"
        )


def _refuse_fewer(
    stored: StoredSurvey, present: int | None, at_most_reports: int, count: Callable[[], int]
) -> None:
    if present is None:
        raise _no_such_end(stored, "at_most_reports")
    if at_most_reports <= present:
        raise ExtensionRefused(
            f"got {at_most_reports}; {_name(stored)} accepts at most {present} reports, and only "
            "more are allowed"
        )
    if (reports := count()) >= at_most_reports:
        raise ExtensionRefused(
            f"got {at_most_reports}; {_name(stored)} has {reports} reports already; give a "
            "number above that"
        )


def _no_such_end(stored: StoredSurvey, key: str) -> ExtensionRefused:
    others = {"closes": "moment", "at_most_reports": "number of reports"}
    return ExtensionRefused(
        f"{_name(stored)} was published without `{key}`, so it ends with no {others[key]} that "
        "could be moved; close it when you have decided to, or publish the next edition with one"
    )
