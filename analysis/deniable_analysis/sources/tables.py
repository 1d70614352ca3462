"""The counts of a source that reads the tables of a collector, for every engine."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from deniable_analysis.sources.base import ListedSurvey
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Chunk, count_chunks, tuples_of_chunks
from deniable_storage.counts import JointCounts, SurveyCounts


class TableSource(ABC):
    """The methods of a source that count; see GroupSource."""

    __slots__ = ()

    def count(self, survey: ListedSurvey, blocks: Sequence[Block]) -> SurveyCounts:
        with self._chunks(survey, blocks) as chunks:
            return count_chunks(blocks, chunks)

    def joint_counts(self, survey: ListedSurvey, blocks: Sequence[Block]) -> JointCounts:
        with self._chunks(survey, blocks, only_complete=True) as chunks:
            return tuples_of_chunks(blocks, chunks)

    def count_group(
        self, survey: ListedSurvey, group: str, blocks: Sequence[Block]
    ) -> SurveyCounts:
        with self._chunks(survey, blocks, group=group) as chunks:
            return count_chunks(blocks, chunks)

    def joint_counts_of_group(
        self, survey: ListedSurvey, group: str, blocks: Sequence[Block]
    ) -> JointCounts:
        with self._chunks(survey, blocks, only_complete=True, group=group) as chunks:
            return tuples_of_chunks(blocks, chunks)

    @abstractmethod
    def _chunks(
        self,
        survey: ListedSurvey,
        blocks: Sequence[Block],
        *,
        only_complete: bool = False,
        group: str | None = None,
    ) -> AbstractContextManager[Iterable[Chunk]]:
        """The values of blocks, all of the same moment."""
