"""The kinds of files that surveys are exported to.

A new kind is a new file here and one line in _FORMATS.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from deniable_analysis.sources.exports import (
    csv_table,
    ddi,
    json_document,
    labelled_table,
    ndjson,
    parquet,
    r_script,
    stata_script,
    xlsx,
)
from deniable_analysis.sources.exports.heading import Heading
from deniable_analysis.sources.exports.survey_file import SUFFIX as SURVEY_SUFFIX
from deniable_analysis.sources.rows import Rows, WantedBlocks
from deniable_storage.chunks import Cells

Read = Callable[[Path, WantedBlocks], Iterator[Rows]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """One kind of file: how it is called, how it is read and written.

    Args:
        name: of the kind, and the suffix of its files.
        write: writes the values of all blocks of a survey, whose lists are texts.
        read: returns the rows of some blocks in their order, a few at a time;
            raises UnreadableStudy if the file is damaged, and names the row. None
            for a kind that is for other programs only.
        row: what a row is called.
        has_labels: whether it contains the texts of the survey in one language.
        has_reports: whether it contains reports; otherwise it explains files that do.
        most_reports: how many a file may have, if that is limited.
        most_variables: how many variables a file may have, as above.
        most_values: how many values all reports may have together, as above.
    """

    name: str
    write: Callable[[Path, Heading, Iterable[Cells]], None]
    read: Read | None = None
    row: str = "row"
    has_labels: bool = True
    has_reports: bool = True
    most_reports: int | None = None
    most_variables: int | None = None
    most_values: int | None = None

    @property
    def is_limited(self) -> bool:
        """Whether a survey may be too large for it."""
        return any((self.most_reports, self.most_variables, self.most_values))

    def ends(self, path: Path) -> bool:
        """Whether a file is called like one of this kind."""
        return path.name.lower().endswith(f".{self.name.lower()}")

    def stem(self, path: Path) -> str:
        """The name of a file of this kind without its suffix."""
        return path.name[: -len(self.name) - 1]


def _values(name: str, row: str, read: Read, write: Callable[..., None]) -> ExportFormat:
    """A kind for the values as they were reported, which open_study reads."""
    return ExportFormat(name=name, row=row, read=read, write=write, has_labels=False)


_FORMATS = (
    _values("ndjson", "line", ndjson.read_rows, ndjson.write_rows),
    _values("csv", "line", csv_table.read_rows, csv_table.write_rows),
    _values("parquet", "row", parquet.read_rows, parquet.write_rows),
    _values("json", "line", json_document.read_rows, json_document.write_rows),
    ExportFormat(
        name="xlsx",
        write=xlsx.write_rows,
        most_reports=xlsx.MOST_REPORTS,
        most_variables=xlsx.MOST_VARIABLES,
    ),
    ExportFormat(
        name="sav", write=labelled_table.write_sav, most_values=labelled_table.MOST_VALUES
    ),
    ExportFormat(
        name="dta",
        write=labelled_table.write_dta,
        most_variables=labelled_table.MOST_STATA_VARIABLES,
        most_values=labelled_table.MOST_VALUES,
    ),
    ExportFormat(name="ddi.xml", write=ddi.write_codebook, has_reports=False),
    ExportFormat(name="R", write=r_script.write_script, has_reports=False),
    ExportFormat(name="do", write=stata_script.write_script, has_reports=False),
)
FORMATS = {each.name: each for each in _FORMATS}


def format_of(path: Path) -> ExportFormat | None:
    """The kind of an export, by its suffix; None if it is none."""
    if path.name.lower().endswith(SURVEY_SUFFIX):
        return None
    return next((each for each in FORMATS.values() if each.ends(path)), None)
