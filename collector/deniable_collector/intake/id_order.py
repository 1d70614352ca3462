"""Rows that may wait a little, stored in the order of their ids.

Rows are on disk by their ids, which are random. Of a few thousand rows each
changes a page of its own once a table is large, and a page takes longer than a
row. So rows that come faster than they are stored wait here, and the ids are
swept round and round: a transaction takes every row that waits in the next
stretch of them. The more rows wait, the more of them share a page; where they
are stored as fast as they come, none waits.
"""

from array import array
from collections import deque
from typing import Final

from deniable_collector.intake.waiting import RowSlice, RowSubmission
from deniable_collector.store.base import Row

# One for each first byte of an id.
_STRETCHES: Final = 256


class IdOrderedBuffer:
    """Rows that wait, a stretch of ids after the other."""

    def __init__(self) -> None:
        self._stretches: list[deque[RowSlice]] = [deque() for _ in range(_STRETCHES)]
        self._place = _STRETCHES - 1
        # Parts of this stretch whose turn it is: those that came before it began.
        self._due = 0
        self._size = 0

    def __len__(self) -> int:
        """How many rows wait."""
        return self._size

    def add(self, submission: RowSubmission) -> None:
        """Let its rows wait; of rows with one id, the first to come is the first to go."""
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
        """The rows of the next stretches, until there are so many or all.

        All of each stretch; only one that holds more than so many is divided,
        as where somebody chose the ids.
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
