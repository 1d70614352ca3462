"""What a store does, whichever engine is behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Protocol, Self

from deniable_sdk import PublishedSurvey, Report


class Outcome(Enum):
    """What became of one report; `status` is the HTTP status that says so."""

    STORED = 201
    ALREADY_STORED = 200
    CONFLICT = 409
    CLOSED = 410
    UNKNOWN_SURVEY = 404

    @property
    def status(self) -> int:
        """The HTTP status of this outcome."""
        return self.value


@dataclass(frozen=True, slots=True)
class StoredSurvey:
    """A survey as the store has it.

    `edition` counts 1, 2, ... the documents published under one slug.
    """

    survey: PublishedSurvey
    edition: int
    is_closed: bool
    reports_table: str


class Store(Protocol):
    """Surveys and their reports; every method may be called from any thread.

    Every method raises StoreUnavailable when the engine cannot answer now,
    and has then changed nothing. As a context manager a store closes itself.
    """

    def publish(self, survey: PublishedSurvey) -> bool:
        """Whether the survey is new here; it is durable before this returns.

        The same document again changes nothing. Another document under a slug
        whose newest edition is closed becomes the next edition.

        Raises:
            SurveyConflict: the newest edition under the slug is another
                document, and open.
        """
        ...

    def survey_by_slug(self, slug: str) -> StoredSurvey | None:
        """The newest edition under a slug."""
        ...

    def survey_by_digest(self, digest: str) -> StoredSurvey | None:
        """The survey of a digest, whether or not it is the newest."""
        ...

    def list_surveys(self) -> tuple[StoredSurvey, ...]:
        """All editions of all surveys, by slug and edition."""
        ...

    def slugs(self) -> tuple[str, ...]:
        """The slugs under which a survey is published, in alphabetical order."""
        ...

    def close_survey(self, slug: str) -> StoredSurvey:
        """The newest edition under a slug, closed; closing again is harmless.

        Afterwards nothing in the storage tells the order of its reports. After
        StoreUnavailable the survey may be closed already: close it again.

        Raises:
            UnknownSurvey: nothing is published under the slug.
        """
        ...

    def add_reports(self, reports: Sequence[Report]) -> tuple[Outcome, ...]:
        """What became of each report, in order, durable before this returns.

        All of them are one transaction. Each must have passed check_report:
        the store does not look at values again.
        """
        ...

    def count_reports(self, digest: str) -> int:
        """How many reports the survey of this digest has; 0 if unknown."""
        ...

    def check(self) -> None:
        """Nothing, if the store can answer."""
        ...

    def close(self) -> None:
        """Let go of the storage; calling it again is harmless."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
