"""The counts of a source that reads the tables of a collector, for every engine."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
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


@dataclass(frozen=True, slots=True)
class TableSource(ABC):
    """A source that reads the tables of an engine.

    It reads each survey's document once, because a document never changes.
    """

    has_groups = True
    has_noise = False
    engine: ClassVar[Engine]
    _surveys: dict[str, PublishedSurvey] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def surveys(self) -> tuple[ListedSurvey, ...]:
        with self._connect() as database:
            rows = database.execute(self.engine.tables.LIST_SURVEYS_SQL).fetchall()
        return tuple(
            ListedSurvey(digest, slug, edition, bool(is_closed), table)
            for digest, slug, edition, is_closed, table in rows
        )

    def published(self, survey: ListedSurvey) -> PublishedSurvey:
        if survey.digest not in self._surveys:
            with self._connect() as database:
                (document,) = self._row(database, self.engine.tables.DOCUMENT_SQL, survey)
            if not isinstance(document, str):
                raise self._lost(survey)
            published = PublishedSurvey.from_bytes(document.encode(), digest=survey.digest)
            self._surveys[survey.digest] = published
        return self._surveys[survey.digest]

    def _row(self, database: Any, statement: str, survey: ListedSurvey) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = database.execute(statement, (survey.digest,)).fetchone()
        if row is None:
            raise self._lost(survey)
        return row

    def _lost(self, survey: ListedSurvey) -> UnreadableStudy:
        place, lost = self._shown
        return UnreadableStudy(
            f"{place} no longer holds the document of survey {survey.slug!r}; restore {lost}"
        )

    def count(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> SurveyCounts:
        with self._connect() as database:
            if blocks:
                self._give_out(database, survey)
            counts: SurveyCounts = self.engine.reading.read_tally(
                database, survey.location, blocks, group
            )
            return counts

    def joint_counts(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> JointCounts:
        with self._results(survey) as database:
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
        with self._results(survey) as database:
            yield from self.engine.reading.read_cells(
                database, survey.location, blocks, rows_at_a_time
            )

    @contextmanager
    def range_reader(self, survey: ListedSurvey) -> Iterator[RangeReader]:
        """What reads a survey's reports by ranges of their ids, at this moment."""
        with self._results(survey) as database:
            yield RangeReader(
                partial(self.engine.reading.count_range, database, survey.location),
                partial(self.engine.reading.read_range, database, survey.location),
                partial(self.engine.reading.read_ids, database, survey.location),
            )

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:
        with self._connect() as database:
            return self._state(database, survey)[1]

    @contextmanager
    def _results(self, survey: ListedSurvey) -> Iterator[Any]:
        """A connection that sees a survey's reports at one moment; errors as in _give_out."""
        with self._connect() as database:
            self._give_out(database, survey)
            database.execute(self._begin_sql(survey))
            yield database

    def _give_out(self, database: Any, survey: ListedSurvey) -> None:
        """Record that results are given out, unless the survey ended before.

        Raises:
            ResultsSealed: nobody may read results of the survey yet.
            StudyUnavailable: the store cannot be written to, so it cannot be recorded.
        """
        ending, fieldwork = self._state(database, survey)
        refuse_sealed(self.published(survey), fieldwork)
        if fieldwork.end is None and not ending.is_given_out:
            self._mark_given_out(survey)

    def _state(self, database: Any, survey: ListedSurvey) -> tuple[Ending, Fieldwork]:
        """What is recorded of the end of a survey, and the state of its fieldwork."""
        published = self.published(survey)
        statement = f"{ENDINGS_SQL} WHERE digest = {self.engine.parameter}"
        database.execute(self._begin_sql(survey))
        is_closed, *recorded = self._row(database, statement, survey)
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
        database.execute("COMMIT")
        return ending, fieldwork

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
    def _begin_sql(self, survey: ListedSurvey) -> Any:
        """What begins a transaction that sees one moment, however much is stored meanwhile."""
