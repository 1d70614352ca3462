"""A store in an engine that knows SQL: the methods that are the same for every one.

Counting imports numpy on first use.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from deniable_collector.store.base import StoredSurvey
from deniable_collector.store.roles import Progress, Store, no_progress
from deniable_collector.store.survey_tables import SurveyTables
from deniable_sdk import Block, PublishedSurvey
from deniable_storage.tally_rows import TallyRow

if TYPE_CHECKING:
    from deniable_storage.chunks import Chunk
    from deniable_storage.counts import JointCounts, SurveyCounts
    from deniable_storage.tallies import Recount


class SqlStore(SurveyTables, Store):
    """All three roles in one database; the methods of the roles are described there."""

    def count_values(
        self, stored: StoredSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> "SurveyCounts":
        with self._reading() as connection:
            counts: SurveyCounts = self._counting().read_tally(
                connection, stored.reports_table, blocks, group
            )
        return counts

    def count_tuples(
        self, stored: StoredSurvey, blocks: Sequence[Block], most: int, group: str | None = None
    ) -> "JointCounts":
        from deniable_storage.chunks import tuples_of_chunks  # noqa: PLC0415  see above

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
    def _counting(self) -> Any:
        """The module of deniable_storage that reads and counts in this engine."""

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
