"""A store, and the methods that are the same for every engine.

Counting imports numpy on first use.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from deniable_collector.clock import Moment
from deniable_collector.store.base import ReportOutcome, Row, StoredSurvey
from deniable_collector.store.survey_tables import SurveyTables
from deniable_sdk import Block, PublishedSurvey
from deniable_storage.tally_rows import TallyRow

if TYPE_CHECKING:
    from deniable_storage.chunks import Chunk
    from deniable_storage.counts import JointCounts, SurveyCounts
    from deniable_storage.tallies import Recount

Progress = Callable[[int, int], None]


class Store(SurveyTables):
    """Surveys and their reports; every method may be called from any thread.

    Every method raises StoreUnavailable if the engine cannot answer now. Then either
    nothing has changed or, if the engine fell silent at the end, everything.
    """

    @abstractmethod
    def close_survey(self, slug: str, now: Moment | None = None) -> StoredSurvey | None:
        """Close the newest edition under a slug, and return it; closing again is harmless.

        It is recorded how the survey ended. Without the present moment its end counts as
        its owner's decision, unless an end is recorded already.

        Afterwards nothing in the store reveals the order of its reports. After
        StoreUnavailable the survey may already be closed: close it again.
        """

    @abstractmethod
    def add_rows(
        self, rows: Mapping[str, Sequence[Row]], now: Moment | None = None
    ) -> Mapping[str, Sequence[ReportOutcome]]:
        """The outcome of each row, by the digests of surveys; stored rows are durable.

        All rows are added in one transaction. Each must be the row of a report that passed
        check_report: the store does not check values again. Without the present moment the
        windows of surveys are ignored, as when reports move from one store to another.
        """

    @abstractmethod
    def read_rows(self, stored: StoredSurvey, after: bytes | None, limit: int) -> Sequence[Row]:
        """At most `limit` rows after an id, in the order of the ids.

        Fewer than `limit` rows are the last ones. Rows may be added between two calls.
        """

    @abstractmethod
    def purge_reports(self, digest: str) -> int:
        """Remove a closed survey's reports permanently, and return their number; 0 if unknown.

        The survey stays, closed and purged. Afterwards the store contains no byte of the
        reports. After StoreUnavailable they may be removed already, but bytes of them may
        still be on disk: purge the survey again.

        Raises:
            StillOpen: the survey accepts reports; none was removed.
        """

    @abstractmethod
    def check(self) -> None:
        """Raise an error unless the store can answer."""

    @abstractmethod
    def close(self) -> None:
        """Close the store; calling this again is harmless."""

    def count_values(
        self, stored: StoredSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> "SurveyCounts":
        """The counts of these blocks, all at one moment, from the survey's tally.

        In a survey by invitation, only reports of the group are counted, if there is one.

        Raises:
            InconsistentTally: the tally is not one that any reports have.
        """
        with self._reading() as connection:
            return self._read_tally(connection, stored, blocks, group)

    def count_tuples(
        self, stored: StoredSurvey, blocks: Sequence[Block], most: int, group: str | None = None
    ) -> "JointCounts":
        """The different tuples of values, from reports that contain all of the blocks.

        Memory grows with the different tuples, not with the number of reports.

        Raises:
            StrangeValue: a value is stored that its block cannot produce.
            TooManyTuples: there are more than `most` different tuples.
        """
        from deniable_storage.chunks import tuples_of_chunks  # noqa: PLC0415  see above

        with self._moment(stored) as connection:
            chunks = self._read(connection, stored, blocks, only_complete=True, group=group)
            return tuples_of_chunks(blocks, chunks, most)

    def recount(
        self, stored: StoredSurvey, on_progress: Progress = lambda _done, _all: None
    ) -> "Recount":
        """The tally of a survey, compared with its reports at one moment.

        Args:
            stored: the survey.
            on_progress: called with the number of reports read so far, and of all.
        Raises:
            StrangeValue: a value is stored that its block cannot produce, or a group that is
                not invited.
        """
        from deniable_storage.tallies import recount  # noqa: PLC0415  see above

        table = self._table(stored.survey)
        with self._moment(stored) as connection:
            ((total,),) = self._run(connection, table.count_rows_sql)
            done = 0

            def read(group: str | None) -> Iterator["Chunk"]:
                nonlocal done
                for chunk in self._read(connection, stored, stored.survey.blocks, group=group):
                    done += chunk.report_count
                    on_progress(done, total)
                    yield chunk

            tally = self._run(connection, table.sums_sql)
            return recount(stored.survey, tally, total, read)

    def repair_tally(
        self, stored: StoredSurvey, on_progress: Progress = lambda _done, _all: None
    ) -> "Recount":
        """The same comparison; if they differ, the tally is made that of the reports.

        Meanwhile no report of the survey is stored. Arguments and errors are those of recount.
        """
        with self._alone(stored) as connection:
            found = self.recount(stored, on_progress)
            if found.differing:
                self._replace_tally(connection, stored, found.rows)
        if found.differing and stored.is_closed:
            self._forget_order(stored.survey)
        return found

    @abstractmethod
    def _moment(self, stored: StoredSurvey) -> AbstractContextManager[Any]:
        """A connection that sees a survey at one moment; storing reports does not wait for it."""

    @abstractmethod
    def _alone(self, stored: StoredSurvey) -> AbstractContextManager[Any]:
        """A transaction that writes, and during which nobody stores reports of a survey."""

    @abstractmethod
    def _read(
        self,
        connection: Any,
        stored: StoredSurvey,
        blocks: Sequence[Block],
        *,
        only_complete: bool = False,
        group: str | None = None,
    ) -> Iterable["Chunk"]:
        """The values of blocks, of all reports or of some."""

    @abstractmethod
    def _read_tally(
        self, connection: Any, stored: StoredSurvey, blocks: Sequence[Block], group: str | None
    ) -> "SurveyCounts":
        """The counts in a survey's tally."""

    @abstractmethod
    def _replace_tally(
        self, connection: Any, stored: StoredSurvey, rows: Sequence[TallyRow]
    ) -> None:
        """Replace a survey's tally."""

    @abstractmethod
    def _forget_order(self, survey: PublishedSurvey) -> None:
        """Make sure that nothing in the store reveals the order of a closed survey's reports.

        Raises:
            ClosingUnfinished: another program is reading the store.
        """
