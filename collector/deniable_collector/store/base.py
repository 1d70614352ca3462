"""The interface of a store, for every engine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from deniable_collector.clock import Moment
from deniable_collector.tokens import AccessToken
from deniable_sdk import PublishedSurvey, Report
from deniable_sdk.canonical import JSON, encode
from deniable_sdk.survey.block import Block

if TYPE_CHECKING:
    # Only for type checking: a process that only stores reports needs no numpy.
    from deniable_storage.counts import JointCounts, SurveyCounts


class ReportOutcome(Enum):
    """The outcome of one report.

    A survey without the report accepts no more if its owner closed it (CLOSED), if its
    window is not open yet or over (NOT_OPEN, OVER), or if it has as many reports as it
    accepts (FULL).
    """

    STORED = "stored"
    ALREADY_STORED = "already stored"
    CONFLICT = "conflict"
    CLOSED = "closed"
    NOT_OPEN = "not open"
    OVER = "over"
    FULL = "full"
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
    of a purged survey are permanently removed.
    """

    survey: PublishedSurvey
    edition: int
    is_closed: bool
    reports_table: str
    is_purged: bool = False


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


class Store(Protocol):
    """Surveys and their reports; every method may be called from any thread.

    Every method raises StoreUnavailable if the engine cannot answer now. Then either
    nothing has changed or, if the engine fell silent at the end, everything.
    """

    def publish(self, survey: PublishedSurvey) -> Publication:
        """Publish a survey under its slug; it is durable before this returns.

        Publishing the same document again changes nothing. Another document becomes the
        next edition if the newest edition is closed; if it is open, the result is a
        conflict.

        Raises:
            UnusableKeys: a group has no key, or one that another survey has; nothing changed.
        """
        ...

    def find_survey(self, slug: str) -> StoredSurvey | None:
        """The newest edition under a slug."""
        ...

    def find_edition(self, digest: str) -> StoredSurvey | None:
        """The survey with a digest, whether or not it is the newest edition."""
        ...

    def list_surveys(self) -> tuple[StoredSurvey, ...]:
        """All editions of all surveys, by slug and edition."""
        ...

    def read_log(self) -> tuple[str, ...]:
        """The digests of all editions of all surveys, in the order of publishing."""
        ...

    def close_survey(self, slug: str) -> StoredSurvey | None:
        """Close the newest edition under a slug, and return it; closing again is harmless.

        Afterwards nothing in the store reveals the order of its reports. After
        StoreUnavailable the survey may already be closed: close it again.
        """
        ...

    def add_rows(
        self, rows: Mapping[str, Sequence[Row]], now: Moment | None = None
    ) -> Mapping[str, Sequence[ReportOutcome]]:
        """The outcome of each row, by the digests of surveys; stored rows are durable.

        All rows are added in one transaction. Each must be the row of a report that passed
        check_report: the store does not check values again.

        Args:
            rows: by the digests of surveys.
            now: the present moment. Without it the windows of surveys are ignored, as when
                reports move from one store to another.
        """
        ...

    def refusal(self, stored: StoredSurvey, now: Moment) -> ReportOutcome | None:
        """Why a survey accepts no new reports at a moment; None if it accepts them."""
        ...

    def count_reports(self, digest: str) -> int:
        """How many reports the survey with this digest has; 0 if it is unknown."""
        ...

    def count_values(
        self, stored: StoredSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> "SurveyCounts":
        """The counts of these blocks, all at one moment.

        Memory grows with the number of possible values, not with the number of reports.

        Args:
            stored: the survey.
            blocks: of the survey.
            group: the group whose reports are counted, in a survey by invitation; all
                reports if None.
        Raises:
            StrangeValue: a value is stored that its block cannot produce.
        """
        ...

    def count_tuples(
        self, stored: StoredSurvey, blocks: Sequence[Block], most: int, group: str | None = None
    ) -> "JointCounts":
        """The different tuples of values, from reports that contain all of the blocks.

        `group` is as for count_values.

        Raises:
            StrangeValue: a value is stored that its block cannot produce.
            TooManyTuples: there are more than `most` different tuples.
        """
        ...

    def read_rows(self, stored: StoredSurvey, after: bytes | None, limit: int) -> Sequence[Row]:
        """At most `limit` rows after an id, in the order of the ids.

        Fewer than `limit` rows are the last ones. Rows may be added between two calls.
        """
        ...

    def purge_reports(self, digest: str) -> int:
        """Remove a closed survey's reports permanently, and return their number; 0 if unknown.

        The survey stays, closed and purged. Afterwards the store contains no byte of the
        reports. After StoreUnavailable they may be removed already, but bytes of them may
        still be on disk: purge the survey again.

        Raises:
            StillOpen: the survey accepts reports; none was removed.
        """
        ...

    def add_token(self, token: AccessToken, digest: str) -> bool:
        """Whether a token was added, and is durable; False if its name is in use.

        The store receives only the digest of the secret.
        """
        ...

    def find_token(self, digest: str) -> AccessToken | None:
        """The token with this digest, at this moment."""
        ...

    def list_tokens(self) -> tuple[AccessToken, ...]:
        """All tokens, by name."""
        ...

    def remove_token(self, name: str) -> bool:
        """Whether a token with this name existed; removes it."""
        ...

    def check(self) -> None:
        """Raise an error unless the store can answer."""
        ...

    def close(self) -> None:
        """Close the store; calling this again is harmless."""
        ...


def refusal_of(
    survey: PublishedSurvey, now: Moment | None, count: Callable[[], int]
) -> ReportOutcome | None:
    """Why the window of a survey admits no new reports; None if it does.

    Args:
        survey: a survey that its owner has not closed.
        now: the present moment; windows are ignored if None.
        count: the number of its reports; called only if that decides.
    """
    window = survey.window
    if window is None or now is None:
        return None
    if not window.has_opened(now):
        return ReportOutcome.NOT_OPEN
    if window.has_closed(now):
        return ReportOutcome.OVER
    most = window.at_most_reports
    return ReportOutcome.FULL if most is not None and count() >= most else None


def row_of(report: Report, survey: PublishedSurvey) -> Row:
    """The row of a report of this survey."""
    values = (report.answers.get(block.id) for block in survey.blocks)
    group = (report.token.group,) if report.token else ()
    return (bytes.fromhex(report.id), *group, *map(_stored, values))


def add_reports(store: Store, reports: Sequence[Report]) -> tuple[ReportOutcome, ...]:
    """The outcome of each report, in order; stored reports are durable before this returns.

    All reports are added in one transaction; each must have passed check_report.
    """
    surveys = {digest: store.find_edition(digest) for digest in {r.survey for r in reports}}
    rows: dict[str, list[Row]] = {}
    for report in reports:
        stored = surveys[report.survey]
        if stored:
            rows.setdefault(report.survey, []).append(row_of(report, stored.survey))
    outcomes = {digest: iter(found) for digest, found in store.add_rows(rows).items()}
    unknown = ReportOutcome.UNKNOWN_SURVEY
    return tuple(next(outcomes.get(report.survey, iter(())), unknown) for report in reports)


def _stored(value: JSON) -> Value | None:
    return value if value is None or type(value) is int else encode(value).decode()
