"""The counts of a source that reads the tables of a collector, for every engine."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar

from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.sources.base import ListedSurvey
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.chunks import REMEDY, Chunk, count_chunks, tuples_of_chunks
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import Ending, Fieldwork, fieldwork_of
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


class TableSource(ABC):
    """The methods of a source that count; the functions that read are the engine's own."""

    __slots__ = ()

    has_groups = True
    has_noise = False
    read_reports: ClassVar[Callable[..., Iterable[Chunk]]]
    read_tally: ClassVar[Callable[..., SurveyCounts]]
    count_range: ClassVar[Callable[..., int]]
    read_range: ClassVar[Callable[..., Smalls]]
    read_ids: ClassVar[Callable[..., Ids]]

    def count(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> SurveyCounts:
        with self._connect() as database:
            if not self._has_tally(database, survey):
                raise UnreadableStudy(
                    f"the store has no tally of survey {survey.slug!r}, like those that an "
                    "earlier version of deniable wrote; open it with this version, which adds the "
                    "tallies, for example with: deniable list"
                )
            return self.read_tally(database, survey.location, blocks, group)

    def joint_counts(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> JointCounts:
        with self._one_moment(survey) as database:
            chunks = self.read_reports(
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

    @contextmanager
    def range_reader(self, survey: ListedSurvey) -> Iterator[RangeReader]:
        """What reads a survey's reports by ranges of their ids, at this moment."""
        with self._one_moment(survey) as database:
            yield RangeReader(
                partial(self.count_range, database, survey.location),
                partial(self.read_range, database, survey.location),
                partial(self.read_ids, database, survey.location),
            )

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:
        published = PublishedSurvey.from_bytes(self.document(survey), digest=survey.digest)
        with self._one_moment(survey) as database:
            is_closed, *recorded = self._read_end(database, survey)
            try:
                ending = Ending.of_row(*recorded)
            except ValueError:
                raise UnreadableStudy(
                    f"what the store has recorded of the end of survey {survey.slug!r} cannot be "
                    f"read; {REMEDY}"
                ) from None
            return fieldwork_of(
                published.window,
                ending,
                datetime.now(UTC),
                lambda: self._report_count(database, survey),
                is_closed=bool(is_closed),
            )

    def _report_count(self, database: Any, survey: ListedSurvey) -> int:
        if self._has_tally(database, survey):
            return self.read_tally(database, survey.location, ()).report_count
        return count_chunks((), self.read_reports(database, survey.location, ())).report_count

    @abstractmethod
    def document(self, survey: ListedSurvey) -> bytes:
        """As in Source."""

    @abstractmethod
    def _read_end(self, database: Any, survey: ListedSurvey) -> tuple[Any, ...]:
        """Whether a survey is closed, and what is recorded of its end."""

    @abstractmethod
    def _has_tally(self, database: Any, survey: ListedSurvey) -> bool:
        """Whether a survey has a tally of its values, as in stores of the present layout."""

    @abstractmethod
    def _connect(self) -> AbstractContextManager[Any]:
        """A connection whose failures become errors of this package."""

    @abstractmethod
    def _one_moment(self, survey: ListedSurvey) -> AbstractContextManager[Any]:
        """A transaction that sees one moment, however much is stored meanwhile."""
