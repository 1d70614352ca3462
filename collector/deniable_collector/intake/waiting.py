"""Rows that wait to be stored, as futures of their outcomes."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum, auto

from deniable_collector.store.base import Outcomes, ReportOutcome, Row, Rows


class Kind(Enum):
    """How rows were sent; this determines where and how they wait."""

    SINGLE = auto()
    BATCH = auto()
    # Stored in several transactions; other rows are stored first.
    PATIENT = auto()


class RowSubmission(Future[Outcomes]):
    """Rows that were sent together: the future outcome of each row, once all are durable.

    If it fails, the rows were not stored; of patient rows, some may be stored.

    Args:
        rows: the rows to store, at least one, by the digests of surveys.
        kind: how they were sent.
        room: how much of the quota for waiting rows they use, all together.
    """

    def __init__(self, rows: Rows, *, kind: Kind = Kind.SINGLE, room: int = 0) -> None:
        super().__init__()
        self.rows = rows
        self.kind = kind
        self.size = sum(map(len, rows.values()))
        # Rounded up to a whole number, so that the parts together release exactly what was
        # reserved.
        self.room_of_each = max(1, -(-room // self.size))
        self._outcomes = {
            digest: [ReportOutcome.STORED] * len(found) for digest, found in rows.items()
        }
        self._unsettled = self.size

    def parts(self) -> "Iterator[RowSlice]":
        """All rows, one part for each survey."""
        for digest, found in self.rows.items():
            yield RowSlice(self, digest, found, range(len(found)))

    def settle(self, part: "RowSlice", outcomes: Iterable[ReportOutcome]) -> None:
        """Record the outcomes of a part; the last part completes the future."""
        mine = self._outcomes[part.digest]
        for index, outcome in zip(part.indexes, outcomes, strict=True):
            mine[index] = outcome
        self._unsettled -= len(part.rows)
        if not self._unsettled:
            self.set_result(self._outcomes)

    def fail(self, failure: BaseException) -> None:
        """Record that rows could not be stored; repeating it is harmless."""
        if not self.done():
            self.set_exception(failure)


@dataclass(frozen=True, slots=True)
class RowSlice:
    """Rows of one submission and one survey that are stored together.

    Args:
        submission: the submission that contains the rows.
        digest: the survey's digest.
        rows: the rows.
        indexes: the index of each of them among the submission's rows of the survey.
    """

    submission: RowSubmission
    digest: str
    rows: Sequence[Row]
    indexes: Sequence[int]
