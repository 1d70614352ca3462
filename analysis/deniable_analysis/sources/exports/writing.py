"""Writing an export: the reports of a store in one file, the survey beside it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from deniable_analysis.errors import ExportExists, ExportTooLong, StudyNotFound
from deniable_analysis.sources.base import ListedSurvey, RowSource
from deniable_analysis.sources.exports.formats import FORMATS, ExportFormat, format_of
from deniable_analysis.sources.exports.survey_file import ExportedSurvey, write_survey
from deniable_analysis.sources.rows import RawColumn, RowReader, Rows
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.chunks import REMEDY, Cells, rows_of_chunk

# Called with the reports written so far and how many there are.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export, and the path of its survey."""

    survey: PublishedSurvey
    edition: int
    report_count: int
    survey_path: Path


def write_export(
    source: RowSource, stored: ListedSurvey, path: Path, on_progress: Progress
) -> Exported:
    """Write the reports of a survey to a file, all of the same moment.

    Only the randomized values are written, in the order of the reports' random
    ids and without these. Both files appear at the end, or not at all.

    Args:
        source: the store.
        stored: one of its surveys.
        path: of the file, with the suffix of its kind.
        on_progress: called now and then.
    Raises:
        ExportExists: a file is there already, other than the same survey's.
        ExportTooLong: such a file cannot hold so many reports.
        StudyNotFound: the path has the suffix of no kind of export.
        UnreadableStudy: the store is damaged.
    """
    kind = format_of(path)
    if kind is None:
        raise StudyNotFound(
            f"got the path {path}; allowed is one that ends in "
            f"{' or '.join(f'.{name}' for name in FORMATS)}, which says what to write"
        )
    if path.exists():
        raise ExportExists(f"{path} already exists; move it, or name another file")
    survey = PublishedSurvey.from_bytes(source.document(stored), digest=stored.digest)
    unfinished = path.with_name(f"{path.name}.part")
    written = _Written(survey, kind, on_progress)
    # Before the reports are read, so that none is missing of a survey that is said to have ended.
    fieldwork = source.fieldwork(stored)
    heading = ExportedSurvey(survey, stored.edition, stored.is_closed, fieldwork=fieldwork)
    try:
        kind.write(unfinished, heading, written.pass_on(source, stored))
        survey_path = write_survey(path, replace(heading, report_count=written.count))
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return Exported(survey, stored.edition, written.count, survey_path)


@dataclass(slots=True)
class _Written:
    """Counts and checks what passes."""

    survey: PublishedSurvey
    kind: ExportFormat
    on_progress: Progress
    count: int = 0

    def pass_on(self, source: RowSource, stored: ListedSurvey) -> Iterator[Cells]:
        blocks = self.survey.blocks
        reader = RowReader(blocks, lambda _: "", REMEDY)
        for total, columns in source.rows(stored, blocks, rows_of_chunk(blocks)):
            self._check_length(total)
            raw = [
                RawColumn(cells, are_quoted=bool(block.mechanism.form.shape))
                for block, cells in zip(blocks, columns, strict=True)
            ]
            self.count += reader.read(Rows(1, len(columns[0]), raw)).report_count
            yield columns
            self.on_progress(self.count, total)

    def _check_length(self, total: int) -> None:
        most = self.kind.most_reports
        if most is not None and total > most:
            others = ", ".join(
                f".{each.name}" for each in FORMATS.values() if not each.most_reports
            )
            raise ExportTooLong(
                f"got {total:,} reports, and a .{self.kind.name} file can contain {most:,} at "
                f"most; export them to another kind of file: {others}"
            )
