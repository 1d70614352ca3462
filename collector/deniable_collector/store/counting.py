"""What leaves a store: numbers and counts of reports, the same for every engine.

Counting imports numpy on first use.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from deniable_collector.clock import Moment
from deniable_collector.store.base import Refusal, StoredSurvey, refusal_of
from deniable_collector.store.engine import SqlStore
from deniable_collector.store.roles import Progress, no_progress
from deniable_sdk import Block
from deniable_storage.ends import Fieldwork, refuse_sealed
from deniable_storage.tables import MARK_GIVEN_OUT_SQL, MARK_UNFINISHED_SQL
from deniable_storage.tally_rows import TallyRow

if TYPE_CHECKING:
    from deniable_storage.chunks import Chunk
    from deniable_storage.counts import JointCounts, SurveyCounts
    from deniable_storage.tallies import Recount


class CountingStore(SqlStore):
    """A store in an engine that knows SQL, which also counts its reports."""

    def count_reports(self, digest: str) -> int:
        with self._reading() as connection:
            stored = self._find(connection, "digest", digest)
            return self._count(connection, stored)() if stored else 0

    def fieldwork(self, stored: StoredSurvey, now: Moment) -> Fieldwork:
        return stored.fieldwork(now, lambda: self.count_reports(stored.survey.digest))

    def refusal(self, stored: StoredSurvey, now: Moment) -> Refusal:
        return refusal_of(stored, self.fieldwork(stored, now), now)

    def give_out(self, stored: StoredSurvey, now: Moment) -> None:
        latest = self.find_edition(stored.survey.digest) or stored
        fieldwork = self.fieldwork(latest, now)
        refuse_sealed(latest.survey, fieldwork)
        if fieldwork.end is None and not latest.ending.is_given_out:
            with self._publishing() as connection:
                self._run(connection, MARK_GIVEN_OUT_SQL, latest.survey.digest)

    def count_values(
        self,
        stored: StoredSurvey,
        blocks: Sequence[Block],
        group: str | None = None,
        *,
        now: Moment,
    ) -> "SurveyCounts":
        if blocks:
            self.give_out(stored, now)
        return self.look(stored, blocks, group)

    def look(
        self, stored: StoredSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> "SurveyCounts":
        with self._reading() as connection:
            counts: SurveyCounts = self._counting().read_tally(
                connection, stored.reports_table, blocks, group
            )
        return counts

    def count_tuples(
        self,
        stored: StoredSurvey,
        blocks: Sequence[Block],
        most: int,
        group: str | None = None,
        *,
        now: Moment,
    ) -> "JointCounts":
        from deniable_storage.chunks import tuples_of_chunks  # noqa: PLC0415  see above

        self.give_out(stored, now)
        with self._moment(stored) as connection:
            chunks = self._counting().read_reports(
                connection, stored.reports_table, blocks, only_complete=True, group=group
            )
            return tuples_of_chunks(blocks, chunks, most)

    def recount(self, stored: StoredSurvey, on_progress: Progress = no_progress) -> "Recount":
        from deniable_storage.tallies import recount  # noqa: PLC0415  see above

        counting, table = self._counting(), self._table(stored.survey)
        with self._moment(stored) as connection:
            ((total,),) = self._run(connection, table.count_rows_sql)
            done = 0

            def read(group: str | None) -> Iterator["Chunk"]:
                nonlocal done
                for chunk in counting.read_reports(
                    connection, stored.reports_table, table.blocks, group=group
                ):
                    done += chunk.report_count
                    on_progress(done, total)
                    yield chunk

            tally = counting.read_tally_rows(connection, table)
            return recount(stored.survey, tally, total, read)

    def repair_tally(self, stored: StoredSurvey, on_progress: Progress = no_progress) -> "Recount":
        with self._alone(stored) as connection:
            found = self.recount(stored, on_progress)
            if found.differing:
                self._replace_tally(connection, stored, found.rows)
                if stored.is_closed:
                    self._run(connection, MARK_UNFINISHED_SQL, stored.survey.digest)
        if found.differing and stored.is_closed:
            self.finish_erasing(stored)
        return found

    @abstractmethod
    def _moment(self, stored: StoredSurvey) -> AbstractContextManager[Any]:
        """A connection that sees a survey at one moment; storing reports does not wait for it."""

    @abstractmethod
    def _alone(self, stored: StoredSurvey) -> AbstractContextManager[Any]:
        """A transaction that writes, and during which nobody stores reports of a survey."""

    @abstractmethod
    def _counting(self) -> Any:
        """The module of deniable_storage that reads and counts in this engine."""

    @abstractmethod
    def _replace_tally(
        self, connection: Any, stored: StoredSurvey, rows: Sequence[TallyRow]
    ) -> None:
        """Replace a survey's tally."""
