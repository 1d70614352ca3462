"""The counts of a source that reads the tables of a collector, for every engine."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from types import ModuleType
from typing import Any, ClassVar

from deniable_analysis.errors import StudyUnavailable, UnreadableStudy
from deniable_analysis.sources.base import ListedSurvey
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.chunks import REMEDY, Cells, tuples_of_chunks
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import Ending, Fieldwork, fieldwork_of, refuse_sealed
from deniable_storage.tables import ENDINGS_SQL
from deniable_storage.whole_rows import IdRange, Ids, Smalls, WholeRows, ranges_up_to


@dataclass(frozen=True, slots=True)
class RangeReader:
    """Functions that read the reports whose ids are in a range, all at one moment.

    Args:
        count: how many there are.
        read: these reports, in the order of their ids.
        read_ids: the ids, in the same order.
    """

    count: Callable[[IdRange], int]
    read: Callable[[WholeRows, IdRange], Smalls]
    read_ids: Callable[[IdRange], Ids]


@dataclass(frozen=True, slots=True)
class Engine:
    """What is different in the tables of each engine.

    Args:
        reading: the module whose functions read them.
        tables: the module that has the SQL.
        parameter: what stands for a parameter in this SQL.
    """

    reading: ModuleType
    tables: ModuleType
    parameter: str


# Each count of an open survey asks whether it is sealed; its document never changes.
@lru_cache(maxsize=32)
def _published(document: bytes, digest: str) -> PublishedSurvey:
    return PublishedSurvey.from_bytes(document, digest=digest)


class TableSource(ABC):
    """A source that reads the tables of an engine."""

    __slots__ = ()

    has_groups = True
    has_noise = False
    engine: ClassVar[Engine]

    def surveys(self) -> tuple[ListedSurvey, ...]:
        with self._connect() as database:
            rows = database.execute(self.engine.tables.LIST_SURVEYS_SQL).fetchall()
        return tuple(
            ListedSurvey(digest, slug, edition, bool(is_closed), table)
            for digest, slug, edition, is_closed, table in rows
        )

    def document(self, survey: ListedSurvey) -> bytes:
        with self._connect() as database:
            return self._document(database, survey)

    def _document(self, database: Any, survey: ListedSurvey) -> bytes:
        row = database.execute(self.engine.tables.DOCUMENT_SQL, (survey.digest,)).fetchone()
        if row is None or not isinstance(row[0], str):
            place, lost = self._shown
            raise UnreadableStudy(
                f"{place} no longer holds the document of survey {survey.slug!r}; restore {lost}"
            )
        return row[0].encode()

    def count(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> SurveyCounts:
        if blocks:
            self._give_out(survey)
        with self._connect() as database:
            found: SurveyCounts = self.engine.reading.read_tally(
                database, survey.location, blocks, group
            )
            return found

    def joint_counts(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> JointCounts:
        self._give_out(survey)
        with self._one_moment(survey) as database:
            chunks = self.engine.reading.read_reports(
                database, survey.location, blocks, only_complete=True, group=group
            )
            return tuples_of_chunks(blocks, chunks)

    def report_count(self, survey: ListedSurvey) -> int:
        return self.count(survey, ()).report_count

    def whole_rows(
        self, survey: ListedSurvey, wanted: WholeRows, ranges: Sequence[IdRange], most: int
    ) -> Iterator[Smalls]:
        with self.range_reader(survey) as reader:
            for ids in ranges_up_to(ranges, most, reader.count):
                yield reader.read(wanted, ids)

    def rows(
        self, survey: ListedSurvey, blocks: Sequence[Block], rows_at_a_time: int
    ) -> Iterator[tuple[int, Cells]]:
        """How many reports there are and some of them, for an export."""
        self._give_out(survey)
        with self._one_moment(survey) as database:
            yield from self.engine.reading.read_cells(
                database, survey.location, blocks, rows_at_a_time
            )

    @contextmanager
    def range_reader(self, survey: ListedSurvey) -> Iterator[RangeReader]:
        """What reads a survey's reports by ranges of their ids, at this moment."""
        self._give_out(survey)
        with self._one_moment(survey) as database:
            yield RangeReader(
                partial(self.engine.reading.count_range, database, survey.location),
                partial(self.engine.reading.read_range, database, survey.location),
                partial(self.engine.reading.read_ids, database, survey.location),
            )

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:
        return self._state(survey)[2]

    def _give_out(self, survey: ListedSurvey) -> None:
        """Record that results are given out, unless the survey ended before.

        Raises:
            ResultsSealed: nobody may read results of the survey yet.
            StudyUnavailable: the store cannot be written to, so it cannot be recorded.
        """
        if survey.is_closed:
            return
        published, ending, fieldwork = self._state(survey)
        refuse_sealed(published, fieldwork)
        if fieldwork.end is None and not ending.is_given_out:
            self._mark_given_out(survey)

    def _state(self, survey: ListedSurvey) -> tuple[PublishedSurvey, Ending, Fieldwork]:
        """The published survey, what is recorded of its end, and the state of its fieldwork."""
        with self._one_moment(survey) as database:
            document = self._document(database, survey)
            published = _published(document, survey.digest)
            statement = f"{ENDINGS_SQL} WHERE digest = {self.engine.parameter}"
            is_closed, *recorded = database.execute(statement, (survey.digest,)).fetchone()
            try:
                ending = Ending.of_row(*recorded)
            except ValueError:
                raise UnreadableStudy(
                    f"what the store has recorded of the end of survey {survey.slug!r} cannot be "
                    f"read; {REMEDY}"
                ) from None
            reading, location = self.engine.reading, survey.location
            fieldwork = fieldwork_of(
                published.window,
                ending,
                datetime.now(UTC),
                lambda: int(reading.read_tally(database, location, ()).report_count),
                is_closed=bool(is_closed),
            )
            return published, ending, fieldwork

    def _unmarked(self, survey: ListedSurvey) -> StudyUnavailable:
        """The error if it cannot be recorded that results are given out."""
        return StudyUnavailable(
            f"survey {survey.slug!r} has not ended, and the first look at its results has to be "
            "recorded in the store, which cannot be written to: intervals are narrower if nobody "
            "saw results before the end; wait for the end, or look as a user who may write"
        )

    @abstractmethod
    def _mark_given_out(self, survey: ListedSurvey) -> None:
        """Record that results are given out; raise _unmarked if that is not possible."""

    @property
    @abstractmethod
    def _shown(self) -> tuple[str, str]:
        """How errors call the store, and what has to be restored if it is damaged."""

    @abstractmethod
    def _connect(self) -> AbstractContextManager[Any]:
        """A connection whose failures become errors of this package."""

    @abstractmethod
    def _one_moment(self, survey: ListedSurvey) -> AbstractContextManager[Any]:
        """A transaction that sees one moment, however much is stored meanwhile."""
