"""Rows that wait to be stored, and the requests that wait for their outcomes."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from deniable_collector.store.base import ReportOutcome, Row

Rows = Mapping[str, Sequence[Row]]
Outcomes = Mapping[str, Sequence[ReportOutcome]]


class Kind(Enum):
    """How rows were sent; this determines where and how they wait."""

    SINGLE = auto()
    BATCH = auto()
    # Stored in several transactions; other rows are stored first.
    PATIENT = auto()


class RowSubmission:
    """Rows that were sent together; `outcomes` waits until they are stored.

    Args:
        rows: the rows to store, at least one, by the digests of surveys.
        kind: how they were sent.
        room: how much of the quota for waiting rows they use, all together.
    """

    __slots__ = (
        "_done",
        "_failure",
        "_outcomes",
        "_unsettled",
        "kind",
        "room_of_each",
        "rows",
        "size",
    )

    def __init__(self, rows: Rows, *, kind: Kind = Kind.SINGLE, room: int = 0) -> None:
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
        self._failure: BaseException | None = None
        self._done = threading.Lock()
        self._done.acquire()

    @property
    def is_done(self) -> bool:
        """Whether the outcomes of all rows are known, so that nobody has to wait."""
        return not self._done.locked()

    def outcomes(self) -> Outcomes:
        """The outcome of each row; the rows are durable once this returns.

        Raises:
            StoreUnavailable: the rows were not stored; of patient rows, some may be stored.
        """
        with self._done:
            if self._failure is not None:
                raise self._failure
            return self._outcomes

    def parts(self) -> "Iterator[RowSlice]":
        """All rows, one part for each survey."""
        for digest, found in self.rows.items():
            yield RowSlice(self, digest, found, range(len(found)))

    def settle(self, part: "RowSlice", outcomes: Iterable[ReportOutcome]) -> None:
        """Record the outcomes of a part; the last part wakes the waiting request."""
        mine = self._outcomes[part.digest]
        for index, outcome in zip(part.indexes, outcomes, strict=True):
            mine[index] = outcome
        self._unsettled -= len(part.rows)
        if not self._unsettled:
            self._done.release()

    def fail(self, failure: BaseException) -> None:
        """Fail the waiting request because rows could not be stored; repeating it is harmless."""
        if self._failure is None:
            self._failure = failure
            self._done.release()


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
