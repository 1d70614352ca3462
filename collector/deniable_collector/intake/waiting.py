"""Rows that wait to be stored, with futures of their outcomes; and a buffer ordered by ids.

Rows are on disk in the order of their ids, which are random. Once a table is large, each of
a few thousand rows changes a different page, and writing a page takes longer than writing a
row. So rows that arrive faster than they are stored wait in an IdOrderedBuffer. A sweep goes
through all ids again and again: each transaction stores all waiting rows of the next stretch
of ids. The more rows wait, the more of them share a page; if rows are stored as fast as they
arrive, none waits.
"""

import time
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from enum import Enum, auto
from math import inf
from typing import Final

from deniable_collector.deadlines import deadline_from_now, present_deadline
from deniable_collector.errors import StoreUnavailable
from deniable_collector.store.base import Outcomes, ReportOutcome, Row, Rows

# A transaction has its rows' first deadline; for so long its failure is waited for after that.
_LAST_S: Final = 2.0
# One stretch for each first byte of an id.
_STRETCHES: Final = 256


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
        self.deadline = present_deadline()
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
        if self._unsettled:
            # The store makes progress.
            self.deadline = deadline_from_now()
        else:
            self.set_result(self._outcomes)

    def outcomes(self) -> Outcomes:
        """The outcome of each row, once all are durable.

        Raises:
            StoreUnavailable: they were not stored, or the deadline is over.
        """
        while not self.done():
            left_s = self.deadline + _LAST_S - time.monotonic()
            if left_s <= 0:
                raise StoreUnavailable("others had to be waited for too long")
            wait([self], None if left_s == inf else left_s)
        return self.result()

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


class IdOrderedBuffer:
    """Waiting rows, sorted into stretches of ids."""

    def __init__(self) -> None:
        self._stretches: list[deque[RowSlice]] = [deque() for _ in range(_STRETCHES)]
        self._place = _STRETCHES - 1
        # How many parts of the present stretch are still to be taken: those added before
        # its turn began.
        self._due = 0
        self._size = 0

    def __len__(self) -> int:
        """How many rows wait."""
        return self._size

    def add(self, submission: RowSubmission) -> None:
        """Add the rows of a submission; rows with the same id are taken in order of arrival."""
        for digest, found in submission.rows.items():
            parts: dict[int, tuple[list[Row], array[int]]] = {}
            for index, row in enumerate(found):
                part = parts.get(row[0][0])
                if part is None:
                    part = parts[row[0][0]] = ([], array("L"))
                part[0].append(row)
                part[1].append(index)
            for first_byte, (rows, indexes) in parts.items():
                self._stretches[first_byte].append(RowSlice(submission, digest, rows, indexes))
        self._size += submission.size

    def take(self, most: int) -> list[RowSlice]:
        """Remove and return the rows of the next stretches: at least `most` rows, or all.

        Stretches are taken whole. Only a stretch with more than `most` rows is divided;
        that happens if somebody chose the ids.
        """
        taken: list[RowSlice] = []
        size = 0
        while size < self._size and size < 2 * most:
            if self._due:
                part = self._stretches[self._place].popleft()
                self._due -= 1
                taken.append(part)
                size += len(part.rows)
            elif size >= most:
                break
            else:
                self._place = (self._place + 1) % _STRETCHES
                self._due = len(self._stretches[self._place])
        self._size -= size
        return taken
