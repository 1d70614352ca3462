"""An export as a source of counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deniable_analysis.errors import StudyNotFound, UnreadableStudy
from deniable_analysis.forms import counted
from deniable_analysis.sources.exports.formats import ExportFormat
from deniable_analysis.sources.exports.one_survey import OneSurveySource
from deniable_analysis.sources.exports.survey_file import ExportedSurvey, read_survey
from deniable_analysis.sources.rows import RowReader, WantedBlocks
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Chunk, count_chunks, tuples_of_chunks
from deniable_storage.counts import JointCounts, SurveyCounts


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
