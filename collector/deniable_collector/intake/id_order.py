"""Rows that may wait a little, stored in the order of their ids.

Rows are on disk in the order of their ids, which are random. Once a table is large, each of
a few thousand rows changes a different page, and writing a page takes longer than writing a
row. So rows that arrive faster than they are stored wait here. A sweep goes through all ids
again and again: each transaction stores all waiting rows of the next stretch of ids. The
more rows wait, the more of them share a page; if rows are stored as fast as they arrive,
none waits.
"""

from array import array
from collections import deque
from typing import Final

from deniable_collector.intake.waiting import RowSlice, RowSubmission
from deniable_collector.store.base import Row

# One stretch for each first byte of an id.
_STRETCHES: Final = 256


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
