"""The counts of a source that reads the tables of a collector, for every engine."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any, ClassVar

from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.sources.base import ListedSurvey
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.chunks import REMEDY, Chunk, count_chunks, tuples_of_chunks
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import Ending, Fieldwork, fieldwork_of


class TableSource(ABC):
    """The methods of a source that count; `read_reports` is the engine's own."""

    __slots__ = ()

    read_reports: ClassVar[Callable[..., Iterable[Chunk]]]

    def count(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> SurveyCounts:
        with self._one_moment(survey) as database:
            chunks = self.read_reports(database, survey.location, blocks, group=group)
            return count_chunks(blocks, chunks)

    def joint_counts(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> JointCounts:
        with self._one_moment(survey) as database:
            chunks = self.read_reports(
                database, survey.location, blocks, only_complete=True, group=group
            )
            return tuples_of_chunks(blocks, chunks)

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:
        published = PublishedSurvey.from_bytes(self.document(survey), digest=survey.digest)
        with self._one_moment(survey) as database:
            is_closed, *recorded = self._read_end(database, survey)
            try:
                ending = Ending.of_row(*recorded)
            except ValueError:
                raise UnreadableStudy(
                    f"what the store has recorded of the end of survey {survey.slug!r} cannot be "
                    f"read; {REMEDY}"
                ) from None
            reports = self.read_reports(database, survey.location, ())
            return fieldwork_of(
                published.window,
                ending,
                datetime.now(UTC),
                lambda: count_chunks((), reports).report_count,
                is_closed=bool(is_closed),
            )

    @abstractmethod
    def document(self, survey: ListedSurvey) -> bytes:
        """As in Source."""

    @abstractmethod
    def _read_end(self, database: Any, survey: ListedSurvey) -> tuple[Any, ...]:
        """Whether a survey is closed, and what is recorded of its end."""

    @abstractmethod
    def _one_moment(self, survey: ListedSurvey) -> AbstractContextManager[Any]:
        """A transaction that sees one moment, however much is stored meanwhile."""
