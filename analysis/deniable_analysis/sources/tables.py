"""The counts of a source that reads the tables of a collector, for every engine."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

from deniable_analysis.sources.base import ListedSurvey
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Chunk, count_chunks, tuples_of_chunks
from deniable_storage.counts import JointCounts, SurveyCounts


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

    @abstractmethod
    def _one_moment(self, survey: ListedSurvey) -> AbstractContextManager[Any]:
        """A transaction that sees one moment, however much is stored meanwhile."""
