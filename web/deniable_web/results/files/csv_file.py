"""Rows as CSV."""

import csv
import io
import re
from collections.abc import Iterable, Mapping

from deniable_web.results.files.rows import COLUMNS, FlatRow

# Spreadsheet programs take a text for a formula if it begins with one of these.
_FORMULA = re.compile(r"[=+\-@]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)

Cell = str | int | float | None


def csv_cells(row: FlatRow) -> Mapping[str, Cell]:
    """The values of a row by their columns; no spreadsheet program takes one for a formula."""
    return {name: _plain(value) for name, value in row.cells().items()}


def csv_text(rows: Iterable[FlatRow]) -> str:
    """A header and the rows."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(csv_cells, rows))
    return text.getvalue()


def _plain(value: Cell) -> Cell:
    """The value, with an apostrophe before a text that looks like a formula."""
    if not isinstance(value, str) or not _FORMULA.match(value) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"
