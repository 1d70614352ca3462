"""Writing an export: the reports of a store in one file, the survey beside it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from deniable_analysis.codebook.texts import language_of
from deniable_analysis.codebook.variables import variable_count
from deniable_analysis.errors import ExportExists, ExportTooLarge, LanguageNotFound, StudyNotFound
from deniable_analysis.privacy.shuffling import FilePrivacy
from deniable_analysis.reports.closed_file import file_privacy
from deniable_analysis.sources.base import ListedSurvey, RowSource, groups_of
from deniable_analysis.sources.exports.formats import FORMATS, ExportFormat, format_of
from deniable_analysis.sources.exports.survey_file import (
    SUFFIX,
    ExportedSurvey,
    Heading,
    read_survey_file,
    write_survey,
)
from deniable_analysis.sources.rows import RawColumn, RowReader, Rows
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.chunks import REMEDY, Cells, rows_of_chunk

# Called with the reports written so far and how many there are.
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export.

    Args:
        survey: the survey that was exported.
        edition: of the survey.
        language: of the labels in the file; None if it has none, "" if the survey's
            texts have no language.
        report_count: how many reports were written; None for a file without reports.
        survey_path: the path of the survey's file; None as above.
    """

    survey: PublishedSurvey
    edition: int
    language: str | None
    report_count: int | None = None
    survey_path: Path | None = None


def write_export(
    source: RowSource,
    stored: ListedSurvey,
    path: Path,
    language: str | None,
    on_progress: Progress,
) -> Exported:
    """Write the reports of a survey to a file, all of the same moment, or what explains them.

    Only the randomized values are written, in the order of the reports' random
    ids and without these. All files appear at the end, or not at all. Errors are those of
    export_study.
    """
    kind = _kind(path)
    if path.exists():
        raise ExportExists(f"{path} already exists; move it, or name another file")
    survey = source.published(stored)
    chosen = _language(survey, kind, language)
    _check_width(survey, kind)
    # Before the reports are read, so that none is missing of a survey that is said to have ended.
    fieldwork = source.fieldwork(stored)
    exported = ExportedSurvey(survey, stored.edition, stored.is_closed, fieldwork=fieldwork)
    stem = kind.stem(path)
    beside = path.with_name(f"{stem}{SUFFIX}")
    unfinished = path.with_name(f"{path.name}.part")
    written = _Written(survey, kind, on_progress)
    of_file = _closed_file(source, stored, exported) if kind.has_labels else None
    heading = Heading(exported, stem, chosen or None, of_file)
    try:
        if kind.has_reports:
            rows = written.pass_on(source, stored)
            kind.write(unfinished, heading, rows)
            write_survey(beside, replace(exported, report_count=written.count))
        else:
            exported = replace(exported, report_count=_count_beside(beside, survey))
            kind.write(unfinished, replace(heading, exported=exported), ())
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
    if kind.has_reports:
        return Exported(survey, stored.edition, chosen, written.count, beside)
    return Exported(survey, stored.edition, chosen)


def _closed_file(
    source: RowSource, stored: ListedSurvey, exported: ExportedSurvey
) -> FilePrivacy | None:
    survey, count = exported.survey, partial(source.count, stored)
    groups = groups_of(source, stored, survey)
    return file_privacy(survey, exported.fieldwork, count, groups)


def _kind(path: Path) -> ExportFormat:
    kind = format_of(path)
    if kind is None or not kind.stem(path):
        raise StudyNotFound(
            f"got the path {path}; allowed is a name that ends in "
            f"{' or '.join(f'.{name}' for name in FORMATS)}, which says what to write"
        )
    return kind


def _language(survey: PublishedSurvey, kind: ExportFormat, wanted: str | None) -> str | None:
    if kind.has_labels:
        return language_of(survey, wanted)
    if wanted is not None:
        labelled = ", ".join(f".{each.name}" for each in FORMATS.values() if each.has_labels)
        raise LanguageNotFound(
            f"got a language for a .{kind.name} file, which has no labels; leave it out, or "
            f"export to a file with labels: {labelled}"
        )
    return None


def _check_width(survey: PublishedSurvey, kind: ExportFormat) -> None:
    """Raise ExportTooLarge if a file of this kind cannot contain so many variables."""
    count, most = variable_count(survey), kind.most_variables
    if most is not None and count > most:
        raise ExportTooLarge(
            f"the survey's reports have {count:,} variables, and a .{kind.name} file can contain "
            f"{most:,} at most; {_remedy()}"
        )


def _remedy() -> str:
    others = ", ".join(
        f".{each.name}" for each in FORMATS.values() if each.has_reports and not each.is_limited
    )
    return f"export them to another kind of file: {others}"


def _count_beside(path: Path, survey: PublishedSurvey) -> int | None:
    """How many reports are in the files of the same name, if the survey beside them says so."""
    if not path.exists():
        return None
    found = read_survey_file(path)
    if found.survey.digest != survey.digest:
        raise ExportExists(
            f"{path} already exists, and is of another survey; move it, or name another file"
        )
    return found.report_count


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
            raise ExportTooLarge(
                f"got {total:,} reports, and a .{self.kind.name} file can contain {most:,} at "
                f"most; {_remedy()}"
            )
        values, most = total * variable_count(self.survey), self.kind.most_values
        if most is not None and values > most:
            raise ExportTooLarge(
                f"got {values:,} values ({total:,} reports of {variable_count(self.survey):,} "
                f"variables), and this program writes {most:,} at most to a .{self.kind.name} "
                f"file, because it needs memory for all of them; {_remedy()}"
            )
