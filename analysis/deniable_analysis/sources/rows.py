"""Reports as rows, from any place that keeps them so, and their values checked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress

from deniable_analysis.reports.counts import Integers
from deniable_analysis.reports.values import Form, form_of
from deniable_analysis.sources.chunks import Chunk, damaged
from deniable_analysis.sources.texts import read_values
from deniable_sdk.survey.block import Block

Column = Sequence[object]
# Whether the values of a form stand in texts in this kind of place.
AreQuoted = Callable[[Form], bool]


@dataclass(frozen=True, slots=True)
class Rows:
    """Some of the reports: a column for each block, None where it is not said.

    `first` is the number of the first row, as people find it in the file.
    """

    first: int
    columns: Sequence[Column]

    def complete(self) -> "Rows":
        """The rows that say all of the columns; they lose their numbers."""
        are_complete = [None not in row for row in zip(*self.columns, strict=True)]
        return Rows(self.first, [tuple(compress(column, are_complete)) for column in self.columns])


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads the values of rows of these blocks.

    Args:
        blocks: one for each column.
        are_quoted: whether the values stand in texts.
        place: names the place of a row by its number.
        remedy: what to do about a value that no device sends.
    """

    blocks: Sequence[Block]
    are_quoted: AreQuoted
    place: Callable[[int], str]
    remedy: str

    def read(self, rows: Rows, *, only_complete: bool = False) -> Chunk:
        """The values of rows, each checked.

        Raises:
            UnreadableStudy: a value is none that its block can give; the
                message names the row and the block, and no value.
        """
        wanted = rows.complete() if only_complete else rows
        columns = [
            self._read_column(block, column)
            for block, column in zip(self.blocks, wanted.columns, strict=True)
        ]
        for block, found, column in zip(self.blocks, columns, rows.columns, strict=True):
            if found is None:
                raise damaged(
                    block, self.place(rows.first + self._strange(block, column)), self.remedy
                )
        count = len(rows.columns[0]) if rows.columns else 0
        return Chunk(count, [column for column in columns if column is not None])

    def _read_column(self, block: Block, column: Column) -> Integers | None:
        form = form_of(block.mechanism)
        said = [value for value in column if value is not None]
        return read_values(said, form, are_quoted=self.are_quoted(form))

    def _strange(self, block: Block, column: Column) -> int:
        """Where the first value stands that the block cannot give."""
        return next(
            place
            for place, value in enumerate(column)
            if value is not None and self._read_column(block, [value]) is None
        )
