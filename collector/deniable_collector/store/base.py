"""The interface of a store, for every engine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from deniable_collector.tokens import Token
from deniable_sdk import PublishedSurvey, Report
from deniable_sdk.canonical import JSON, encode
from deniable_sdk.survey.block import Block

if TYPE_CHECKING:
    # A process that only stores reports needs no numpy.
    from deniable_storage.counts import JointCounts, SurveyCounts


class ReportOutcome(Enum):
    """The outcome of one report."""

    STORED = "stored"
    ALREADY_STORED = "already stored"
    CONFLICT = "conflict"
    CLOSED = "closed"
    UNKNOWN_SURVEY = "unknown survey"


class PublishOutcome(Enum):
    """The outcome of publishing a survey."""

    PUBLISHED = "published"
    ALREADY_PUBLISHED = "already published"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class StoredSurvey:
    """A survey as the store has it.

    `edition` counts 1, 2, ... the documents published under one slug. Of a
    purged survey the reports are permanently gone.
    """

    survey: PublishedSurvey
    edition: int
    is_closed: bool
    reports_table: str
    is_purged: bool = False


@dataclass(frozen=True, slots=True)
class Publication:
    """The outcome of publishing, and the survey that now has the slug.

    After a conflict `stored` is the open survey that is in the way.
    """

    outcome: PublishOutcome
    stored: StoredSurvey


# A value as a store contains it: an index, or a list as its canonical JSON text.
Value = int | str
# A report as a store contains it: the 16 bytes of its id, then for each block in
# the survey's order a value, or None where the respondent was not asked it.
Row = tuple[bytes, *tuple[Value | None, ...]]


class Store(Protocol):
    """Surveys and their reports; every method may be called from any thread.

    Every method raises StoreUnavailable when the engine cannot answer now, and
    has then changed nothing, or all of it if the engine fell silent at the end.
    """

    def publish(self, survey: PublishedSurvey) -> Publication:
        """The survey under its slug, durable before this returns.

        The same document again changes nothing. Another document becomes the
        next edition if the newest one is closed, and is a conflict if open.
        """
        ...

    def find_survey(self, slug: str) -> StoredSurvey | None:
        """The newest edition under a slug."""
        ...

    def find_edition(self, digest: str) -> StoredSurvey | None:
        """The survey of a digest, whether or not it is the newest."""
        ...

    def list_surveys(self) -> tuple[StoredSurvey, ...]:
        """All editions of all surveys, by slug and edition."""
        ...

    def close_survey(self, slug: str) -> StoredSurvey | None:
        """The newest edition under a slug, closed; closing again is harmless.

        Afterwards nothing in the storage tells the order of its reports. After
        StoreUnavailable the survey may be closed already: close it again.
        """
        ...

    def add_rows(self, rows: Mapping[str, Sequence[Row]]) -> Mapping[str, Sequence[ReportOutcome]]:
        """The outcome of each row of each survey's digest, durable by now.

        All of them are one transaction. Each must be the row of a report that
        passed check_report: the store does not look at values again.
        """
        ...

    def count_reports(self, digest: str) -> int:
        """How many reports the survey of this digest has; 0 if unknown."""
        ...

    def count_values(self, stored: StoredSurvey, blocks: Sequence[Block]) -> "SurveyCounts":
        """What the reports say of these blocks, all of one moment.

        Memory grows with what can be said, not with the reports.

        Raises:
            StrangeValue: a value is stored that its block cannot produce.
        """
        ...

    def count_tuples(
        self, stored: StoredSurvey, blocks: Sequence[Block], most: int
    ) -> "JointCounts":
        """The different tuples of values, of reports that carry all blocks.

        Raises:
            StrangeValue: a value is stored that its block cannot produce.
            TooManyTuples: there are more than `most`.
        """
        ...

    def read_rows(self, stored: StoredSurvey, after: bytes | None, limit: int) -> Sequence[Row]:
        """At most this number of rows after an id, in the order of the ids.

        Fewer than `limit` are the last. Rows may come in between two calls.
        """
        ...

    def purge_reports(self, digest: str) -> int:
        """The number of reports of a closed survey removed permanently; 0 if unknown.

        The survey stays, closed and purged. Afterwards nothing in the storage
        holds a byte of them. After StoreUnavailable they may be gone already,
        and bytes of them still there: purge it again.

        Raises:
            StillOpen: the survey accepts reports; none was removed.
        """
        ...

    def add_token(self, token: Token, digest: str) -> bool:
        """Whether it was added, durable by now; False if its name is in use.

        `digest` is all that the store learns of the secret.
        """
        ...

    def find_token(self, digest: str) -> Token | None:
        """The token of this digest, as it is at this moment."""
        ...

    def list_tokens(self) -> tuple[Token, ...]:
        """All tokens, by name."""
        ...

    def remove_token(self, name: str) -> bool:
        """Whether there was one of this name; from now on there is none."""
        ...

    def check(self) -> None:
        """Raise an error unless the store can answer."""
        ...

    def close(self) -> None:
        """Let go of the storage; calling it again is harmless."""
        ...


def row_of(report: Report, survey: PublishedSurvey) -> Row:
    """The row of a report of this survey."""
    values = (report.answers.get(block.id) for block in survey.blocks)
    return (bytes.fromhex(report.id), *map(_stored, values))


def add_reports(store: Store, reports: Sequence[Report]) -> tuple[ReportOutcome, ...]:
    """The outcome of each report, in order, durable before this returns.

    All of them are one transaction; each must have passed check_report.
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
