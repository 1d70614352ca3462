"""The kinds of files that reports are exported to, one file each.

A new kind is a new file here and one line in _FORMATS.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from deniable_analysis.sources.exports import csv_table, json_document, ndjson, parquet, xlsx
from deniable_analysis.sources.exports.survey_file import SUFFIX as SURVEY_SUFFIX
from deniable_analysis.sources.exports.survey_file import ExportedSurvey
from deniable_analysis.sources.rows import Rows, WantedBlocks
from deniable_storage.chunks import Cells


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One kind of file: how it is called, how it is read and written.

    Args:
        name: of the kind, and the suffix of its files.
        row: what a row is called.
        read: returns the rows of some blocks in their order, a few at a time;
            raises UnreadableStudy if the file is damaged, and names the row.
        write: writes the values of all blocks of a survey, whose lists are texts.
        most_reports: how many a file may have, if that is limited.
    """

    name: str
    row: str
    read: Callable[[Path, WantedBlocks], Iterator[Rows]]
    write: Callable[[Path, ExportedSurvey, Iterable[Cells]], None]
    most_reports: int | None = None


_FORMATS = (
    ExportFormat("ndjson", "line", ndjson.read_rows, ndjson.write_rows),
    ExportFormat("csv", "line", csv_table.read_rows, csv_table.write_rows),
    ExportFormat("parquet", "row", parquet.read_rows, parquet.write_rows),
    ExportFormat("json", "line", json_document.read_rows, json_document.write_rows),
    ExportFormat("xlsx", "row", xlsx.read_rows, xlsx.write_rows, xlsx.MOST_REPORTS),
)
FORMATS = {each.name: each for each in _FORMATS}


def format_of(path: Path) -> ExportFormat | None:
    """The kind of an export, by its suffix; None if it is none."""
    if path.name.lower().endswith(SURVEY_SUFFIX):
        return None
    return FORMATS.get(path.suffix.lower().removeprefix("."))
