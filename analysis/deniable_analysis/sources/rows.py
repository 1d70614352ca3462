"""Reports as rows of a file: which are wanted, their columns, and their values checked."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from deniable_analysis.arrays import Bools
from deniable_analysis.errors import UnreadableStudy
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Chunk, strange_value
from deniable_storage.counts import Integers
from deniable_storage.texts import read_values, read_written

# So many lines of text are read at a time: of more, Python's objects are many
# enough to be slow.
LINES_AT_A_TIME = 1024


@dataclass(frozen=True, slots=True)
class WantedBlocks:
    """The blocks whose values are wanted, of all of the survey that may be in the file."""

    blocks: Sequence[Block]
    of_survey: Sequence[Block]


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """Values that were found to be of their form.

    Args:
        are_present: which of the rows have a value.
        values: those values, one in each row.
    """

    are_present: Bools
    values: Integers

    def read(self, form: ValueForm, count: int | None = None) -> Integers:  # noqa: ARG002 - it has it
        """The values, or the first `count` of them."""
        return self.values[:count]


@dataclass(frozen=True, slots=True)
class RawColumn:
    """Values of any kind, None where there is none.

    Args:
        cells: one for each row.
        are_quoted: whether values are in texts.
    """

    cells: Sequence[object]
    are_quoted: bool

    @property
    def are_present(self) -> Bools:
        """Which of the rows have a value."""
        return np.fromiter((cell is not None for cell in self.cells), np.bool_)

    def read(self, form: ValueForm, count: int | None = None) -> Integers | None:
        """The values, or the first `count` of them; None if one is not of this form."""
        present = (cell for cell in self.cells if cell is not None)
        return read_values(list(islice(present, count)), form, are_quoted=self.are_quoted)


# The values of a block in some rows.
Column = ReadColumn | RawColumn


def column_of_texts(
    texts: Sequence[str | None], form: ValueForm, before: str = "", after: str = ""
) -> ReadColumn | None:
    """The column of values that are in texts, each between the same characters.

    Args:
        texts: one for each row; None or empty where there is no value.
        form: of the values.
        before: the characters before each value.
        after: the characters after each value.
    Returns:
        None where one is not exactly the text of a value of this form.
    """
    present = list(filter(None, texts))
    # Each ends in a character that is in no value. Within a text, it would make
    # more values than there are texts.
    written = "\n".join([*present, ""])
    values = read_written(
        written.encode(errors="replace"), form, before.encode(), f"{after}\n".encode()
    )
    if values is None or len(values) != len(present):
        return None
    if len(present) == len(texts):
        return ReadColumn(np.ones(len(texts), np.bool_), values)
    return ReadColumn(np.fromiter(map(bool, texts), np.bool_), values)


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
            present = [column.are_present for column in rows.columns]
            are_complete = np.logical_and.reduce(present)
            values = [
                each[are_complete[is_present]]
                for each, is_present in zip(values, present, strict=True)
            ]
        return Chunk(rows.count, values)

    def _read(self, block: Block, column: Column, first: int) -> Integers:
        values = column.read(block.mechanism.form)
        if values is None:
            place = self.place(first + _strange_row(block, column))
            raise UnreadableStudy(strange_value(block, place, self.remedy))
        return values


def _strange_row(block: Block, column: Column) -> int:
    """Where the first value stands that the block cannot produce."""
    form, rows = block.mechanism.form, np.flatnonzero(column.are_present)
    # So many of the first values can be read; one more cannot.
    readable = bisect_left(
        range(1, len(rows)), 1, key=lambda count: int(column.read(form, count) is None)
    )
    return int(rows[readable])
