"""A store, and the methods that are the same for every engine.

Counting imports numpy on first use.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from deniable_collector.clock import Moment
from deniable_collector.store.base import ReportOutcome, Row, StoredSurvey
from deniable_collector.store.survey_tables import SurveyTables
from deniable_sdk import Block

if TYPE_CHECKING:
    from deniable_storage.chunks import Chunk
    from deniable_storage.counts import JointCounts, SurveyCounts


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
        """The counts of these blocks, all at one moment.

        Memory grows with the number of possible values, not with the number of reports. In a
        survey by invitation, only reports of the group are counted, if there is one.

        Raises:
            StrangeValue: a value is stored that its block cannot produce.
        """
        from deniable_storage.chunks import count_chunks  # noqa: PLC0415  see above

        with self._chunks(stored, blocks, group=group) as chunks:
            return count_chunks(blocks, chunks)

    def count_tuples(
        self, stored: StoredSurvey, blocks: Sequence[Block], most: int, group: str | None = None
    ) -> "JointCounts":
        """The different tuples of values, from reports that contain all of the blocks.

        Raises:
            StrangeValue: a value is stored that its block cannot produce.
            TooManyTuples: there are more than `most` different tuples.
        """
        from deniable_storage.chunks import tuples_of_chunks  # noqa: PLC0415  see above

        with self._chunks(stored, blocks, only_complete=True, group=group) as chunks:
            return tuples_of_chunks(blocks, chunks, most)

    @abstractmethod
    def _chunks(
        self,
        stored: StoredSurvey,
        blocks: Sequence[Block],
        *,
        only_complete: bool = False,
        group: str | None = None,
    ) -> AbstractContextManager[Iterable["Chunk"]]:
        """The values of blocks, all at one moment; storing reports does not wait for this."""
