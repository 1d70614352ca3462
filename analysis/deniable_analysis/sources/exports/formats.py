"""The kinds of files that reports are exported to, one file each.

A new kind is a new file here and one line in _FORMATS.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from deniable_analysis.sources.exports import csv_table, ndjson, parquet
from deniable_analysis.sources.rows import AreQuoted, Rows
from deniable_sdk.survey.block import Block


class Read(Protocol):
    """Reads the rows of some blocks of an export, a few at a time."""

    def __call__(self, path: Path, blocks: Sequence[Block], rows_at_a_time: int) -> Iterator[Rows]:
        """The rows, in their order.

        Raises:
            UnreadableStudy: the file is damaged; the message names the row.
        """
        ...


class Write(Protocol):
    """Writes the rows of all blocks of a survey, whose lists are texts."""

    def __call__(self, path: Path, blocks: Sequence[Block], rows: Iterable[Rows]) -> None:
        """Nothing, once the file is complete."""
        ...


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One kind of file: how it is called, how it is read and written.

    Args:
        name: of the kind, and the suffix of its files.
        row: what a row is called.
        are_quoted: whether values stand in texts.
        read: gives its rows.
        write: makes a file of rows.
    """

    name: str
    row: str
    are_quoted: AreQuoted
    read: Read
    write: Write


_FORMATS = (
    ExportFormat("ndjson", "line", lambda _: False, ndjson.read_rows, ndjson.write_rows),
    ExportFormat("csv", "line", lambda _: True, csv_table.read_rows, csv_table.write_rows),
    ExportFormat("parquet", "row", lambda _: False, parquet.read_rows, parquet.write_rows),
)
FORMATS = {each.name: each for each in _FORMATS}


def format_of(path: Path) -> ExportFormat | None:
    """The kind of an export, by its suffix; None if it is none."""
    return FORMATS.get(path.suffix.lower().removeprefix("."))
