"""The kinds of files that surveys are exported to, and an export as a source of counts.

A new kind is a new file here and one line in _FORMATS.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deniable_analysis.errors import StudyNotFound, UnreadableStudy
from deniable_analysis.sources.exports import (
    ddi,
    parquet,
    r_script,
    stata_script,
    tables,
    texts,
    xlsx,
)
from deniable_analysis.sources.exports.survey_file import SUFFIX as SURVEY_SUFFIX
from deniable_analysis.sources.exports.survey_file import (
    ExportedSurvey,
    Heading,
    OneSurveySource,
    read_survey,
)
from deniable_analysis.sources.rows import RowReader, Rows, WantedBlocks
from deniable_sdk.survey.block import Block
from deniable_sdk.wording import counted
from deniable_storage.chunks import Cells, Chunk, count_chunks, tuples_of_chunks
from deniable_storage.counts import JointCounts, SurveyCounts

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
    _values("ndjson", "line", texts.read_ndjson, texts.write_ndjson),
    _values("csv", "line", texts.read_csv, texts.write_csv),
    _values("parquet", "row", parquet.read_rows, parquet.write_rows),
    _values("json", "line", texts.read_json, texts.write_json),
    ExportFormat(
        name="xlsx",
        write=xlsx.write_rows,
        most_reports=xlsx.MOST_REPORTS,
        most_variables=xlsx.MOST_VARIABLES,
    ),
    ExportFormat(name="sav", write=tables.write_sav, most_values=tables.MOST_VALUES),
    ExportFormat(
        name="dta",
        write=tables.write_dta,
        most_variables=tables.MOST_STATA_VARIABLES,
        most_values=tables.MOST_VALUES,
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


@dataclass(frozen=True, slots=True)
class ExportSource(OneSurveySource):
    """An export of one survey, without groups; every call reads it again, some rows at a time."""

    path: Path
    format: ExportFormat

    def _count(self, blocks: Sequence[Block], group: str | None) -> SurveyCounts:
        assert group is None  # noqa: S101 - nobody asks an export for groups
        return count_chunks(blocks, self._chunks(blocks))

    def _joint_counts(self, blocks: Sequence[Block], group: str | None) -> JointCounts:
        assert group is None  # noqa: S101 - as above
        return tuples_of_chunks(blocks, self._chunks(blocks, only_complete=True))

    def _located(self) -> tuple[ExportedSurvey, str]:
        return self._read_survey(), str(self.path)

    def _read_survey(self) -> ExportedSurvey:
        if self.format.read is None:
            raise UnreadableStudy(
                f"{self.path} is for other programs, and is not analysed here; to analyse the "
                "reports here, export them to ndjson, csv, parquet or json"
            )
        if not self.path.is_file():
            raise StudyNotFound(f"there is no file {self.path}; give the path of an export")
        return read_survey(self.path)

    def _chunks(self, blocks: Sequence[Block], *, only_complete: bool = False) -> Iterator[Chunk]:
        exported = self._read_survey()
        assert self.format.read is not None  # noqa: S101 - asked with the survey
        # Something must be read to know how many rows there are.
        of_survey = exported.survey.blocks
        wanted = WantedBlocks(blocks or of_survey[:1], of_survey)
        reader = RowReader(
            wanted.blocks,
            lambda number: f"{self.path}, {self.format.row} {number}, ",
            "the export was changed after it was written; export the survey again",
        )
        report_count = 0
        for rows in self.format.read(self.path, wanted):
            chunk = reader.read(rows, only_complete=only_complete)
            report_count += chunk.report_count
            yield chunk if blocks else Chunk(chunk.report_count, ())
        if exported.report_count not in (None, report_count):
            raise UnreadableStudy(
                f"{self.path}: got {counted(report_count, 'report')}, and the survey beside it "
                f"says {exported.report_count}; the file was cut off or changed; export it again"
            )
