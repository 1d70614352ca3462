"""Counts the reports of a store, the same way for every engine; imports numpy on first use."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from deniable_collector.store.base import StoredSurvey
from deniable_sdk import Block

if TYPE_CHECKING:
    from deniable_storage.chunks import Chunk
    from deniable_storage.counts import JointCounts, SurveyCounts


class CountingStore(ABC):
    """The two methods of a store that count; see the protocol Store."""

    def count_values(self, stored: StoredSurvey, blocks: Sequence[Block]) -> "SurveyCounts":
        from deniable_storage.chunks import count_chunks  # noqa: PLC0415  see above

        with self._chunks(stored, blocks) as chunks:
            return count_chunks(blocks, chunks)

    def count_tuples(
        self, stored: StoredSurvey, blocks: Sequence[Block], most: int
    ) -> "JointCounts":
        from deniable_storage.chunks import tuples_of_chunks  # noqa: PLC0415  see above

        with self._chunks(stored, blocks, only_complete=True) as chunks:
            return tuples_of_chunks(blocks, chunks, most)

    @abstractmethod
    def _chunks(
        self, stored: StoredSurvey, blocks: Sequence[Block], *, only_complete: bool = False
    ) -> AbstractContextManager[Iterable["Chunk"]]:
        """The values of blocks, all at one moment; storing reports does not wait for this."""
