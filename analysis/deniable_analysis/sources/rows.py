"""Reports as rows, from any place that keeps them so, and their values checked."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.sources.columns import Column
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Chunk, strange_value
from deniable_storage.counts import Integers
from deniable_storage.values import form_of


@dataclass(frozen=True, slots=True)
class Rows:
    """Some of the reports.

    Args:
        first: the number of the first row, as people find it in the file.
        count: of the rows.
        columns: one for each block.
    """

    first: int
    count: int
    columns: Sequence[Column]


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads the values of rows of these blocks.

    Args:
        blocks: one for each column.
        place: names the place of a row by its number.
        remedy: what to do about a value that no device sends.
    """

    blocks: Sequence[Block]
    place: Callable[[int], str]
    remedy: str

    def read(self, rows: Rows, *, only_complete: bool = False) -> Chunk:
        """The values of rows, each checked.

        Raises:
            UnreadableStudy: a value is none that its block can produce; the
                message names the row and the block, and no value.
        """
        values = [
            self._read(block, column, rows.first)
            for block, column in zip(self.blocks, rows.columns, strict=True)
        ]
        if only_complete:
            said = [column.are_said for column in rows.columns]
            are_complete = np.logical_and.reduce(said)
            values = [
                each[are_complete[is_said]] for each, is_said in zip(values, said, strict=True)
            ]
        return Chunk(rows.count, values)

    def _read(self, block: Block, column: Column, first: int) -> Integers:
        values = column.read(form_of(block.mechanism))
        if values is None:
            place = self.place(first + _strange(block, column))
            raise UnreadableStudy(strange_value(block, place, self.remedy))
        return values


def _strange(block: Block, column: Column) -> int:
    """Where the first value stands that the block cannot produce."""
    form, rows = form_of(block.mechanism), np.flatnonzero(column.are_said)
    # So many of the first values can be read; one more cannot.
    readable = bisect_left(
        range(1, len(rows)), 1, key=lambda count: int(column.read(form, count) is None)
    )
    return int(rows[readable])
