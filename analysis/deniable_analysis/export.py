"""Exports of a survey's reports from a store to a file."""

from pathlib import Path

from deniable_analysis.errors import StudyNotFound
from deniable_analysis.sources import RowSource, open_source
from deniable_analysis.sources.base import select_survey
from deniable_analysis.sources.exports import Exported, Progress, write_export


def export_study(
    location: str | Path,
    path: str | Path,
    survey: str | None = None,
    *,
    language: str | None = None,
    on_progress: Progress = lambda _written, _all: None,
) -> Exported:
    """Write the randomized values of a survey's reports to a file, or what explains them.

    The published survey is written to the same folder as the values, under the
    same name with the suffix .survey.json. docs/EXPORT.md describes all files.

    Args:
        location: location of a store, as for open_study.
        path: path of the new file; its suffix selects the format: .ndjson,
            .csv, .parquet or .json, which open_study reads; .xlsx, .sav (SPSS)
            or .dta (Stata), with labels; or, without reports, .ddi.xml (a
            codebook), .R or .do (scripts for the .sav or .dta file of the same
            name).
        survey: as for open_study.
        language: language of the labels; None for that of the survey's title.
        on_progress: called from time to time with the number of reports written
            so far and the number of all reports.
    Raises:
        ExportExists: the file already exists, or its survey file exists with
            another content.
        StudyNotFound: there is no store, the suffix is not a known format, or
            a script cannot contain the name.
        ExportTooLarge: a file of this format cannot contain so many reports or
            variables.
        LanguageNotFound: the survey has no texts in the language, or the file
            no labels.
        PyarrowMissing, PyreadstatMissing, XlsxwriterMissing: the package for
            Parquet, for SPSS and Stata, or for XLSX is not installed.
        UnreadableStudy, SurveyNotFound: as for open_study.
    """
    source = open_source(location)
    if not isinstance(source, RowSource):
        raise StudyNotFound(
            f"{location} is not a store of a collector; reports are exported only from its "
            "SQLite file or its PostgreSQL database"
        )
    stored = select_survey(source.surveys(), survey)
    return write_export(source, stored, Path(path), language, on_progress)
