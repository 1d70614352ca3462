"""Taking the reports of a survey out of a store, for other tools and places."""

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
    on_progress: Progress = lambda _written, _all: None,
) -> Exported:
    """Write the randomized values of a survey's reports to a file.

    open_study reads it. The published survey is put beside it, as the same
    name with the suffix .survey.json. docs/EXPORT.md describes both.

    Args:
        location: of a store, as open_study accepts it.
        path: of the new file; its suffix chooses the format: .ndjson, .csv,
            .parquet, .json or .xlsx.
        survey: as open_study accepts it.
        on_progress: called now and then with the reports written so far and
            how many there are.
    Raises:
        ExportExists: the file already exists, or a survey file of another
            survey or of another moment does.
        StudyNotFound: there is no store, or no such kind of file.
        ExportTooLong: such a file cannot contain so many reports.
        PyarrowMissing, XlsxwriterMissing: Parquet or XLSX was asked for, and
            its package is missing.
        UnreadableStudy, SurveyNotFound: as open_study says.
    """
    source = open_source(location)
    if not isinstance(source, RowSource):
        raise StudyNotFound(
            f"{location} is not a store of a collector; reports are exported only from its "
            "SQLite file or its PostgreSQL database"
        )
    stored = select_survey(source.surveys(), survey)
    return write_export(source, stored, Path(path), on_progress)
