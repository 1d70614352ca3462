"""Counts the reports of a store, the same way for every engine; imports numpy on first use."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from deniable_collector.clock import Moment
from deniable_collector.store.base import ReportOutcome, StoredSurvey, refusal_of
from deniable_sdk import Block

if TYPE_CHECKING:
    from deniable_storage.chunks import Chunk
    from deniable_storage.counts import JointCounts, SurveyCounts


class CountingStore(ABC):
    """The methods of a store that count, the same for every engine; see the protocol Store."""

    def refusal(self, stored: StoredSurvey, now: Moment) -> ReportOutcome | None:
        if stored.is_closed:
            return ReportOutcome.CLOSED
        return refusal_of(stored.survey, now, lambda: self.count_reports(stored.survey.digest))

    def count_values(
        self, stored: StoredSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> "SurveyCounts":
        from deniable_storage.chunks import count_chunks  # noqa: PLC0415  see above

        with self._chunks(stored, blocks, group=group) as chunks:
            return count_chunks(blocks, chunks)

    def count_tuples(
        self, stored: StoredSurvey, blocks: Sequence[Block], most: int, group: str | None = None
    ) -> "JointCounts":
        from deniable_storage.chunks import tuples_of_chunks  # noqa: PLC0415  see above

        with self._chunks(stored, blocks, only_complete=True, group=group) as chunks:
            return tuples_of_chunks(blocks, chunks, most)

    @abstractmethod
    def count_reports(self, digest: str) -> int: ...

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
