"""Exports of a survey's reports from a store to a file, or to a folder of files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from deniable_analysis.arguments import check_kind
from deniable_analysis.errors import InvalidArgument, StudyNotFound
from deniable_analysis.sources import Location, open_shares, open_source
from deniable_analysis.sources.base import ListedSurvey, RowSource, select_survey
from deniable_analysis.sources.exports.writing import Exported, Progress, write_export
from deniable_analysis.sources.parts import ExportedParts, write_parts
from deniable_analysis.sources.parts_folder import find_folder
from deniable_analysis.sources.releases import Released, write_release
from deniable_sdk.weights import read_epsilon


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
        PackageMissing: the package for
            Parquet, for SPSS and Stata, or for XLSX is not installed.
        UnreadableStudy, SurveyNotFound: as for open_study.
    """
    source, stored = _store(location, survey)
    return write_export(source, stored, Path(path), language, on_progress)


def export_parts(
    location: Location | Sequence[Location],
    folder: str | Path,
    survey: str | None = None,
    *,
    on_progress: Progress = lambda _written, _all: None,
) -> ExportedParts:
    """Write the randomized values of a closed survey's reports to a folder of Parquet files.

    Each file has the reports of one range of the random ids, without these. If the export is
    interrupted, the same call goes on where it stopped. docs/EXPORT.md describes the files.

    Args:
        location: location of a store, as for open_study; or those of several stores that
            each have a share of the survey's reports. A report that several of them have,
            because its device sent it to two collectors, is exported once.
        folder: path of a new folder, or s3://BUCKET/FOLDER; or that of the same export, which
            was interrupted.
        survey: as for open_study.
        on_progress: as for export_study.
    Raises:
        SurveyNotClosed: the survey still accepts reports.
        ExportExists: something else is in the folder, or the whole export.
        StudyNotFound: there is no store, or the folder cannot be one.
        StudyUnavailable: a bucket or a database does not answer at present.
        UnsafeAddress: the address of a bucket contains a key.
        PackageMissing: the package for Parquet is not installed.
        InvalidArgument: no store was named, or one twice.
        UnreadableStudy, SurveyNotFound: as for open_study.
    """
    kinds = (str, Path, list, tuple)
    check_kind("location", location, kinds, "a location, or a list of several", StudyNotFound)
    check_kind("folder", folder, (str, Path), "a text or a pathlib.Path", StudyNotFound)
    found = find_folder(folder)
    if found.pattern != "*":
        raise StudyNotFound(f"got the folder {folder}; allowed is a name without * ? and [")
    if isinstance(location, (str, Path)):
        source, stored = _store(location, survey)
        return write_parts(source, stored, found, on_progress)
    shares, stored = open_shares(location, survey)
    exported = write_parts(shares, stored, found, on_progress)
    return replace(exported, repeated_count=shares.stored_count() - exported.report_count)


def export_release(
    location: str | Path,
    path: str | Path,
    survey: str | None = None,
    *,
    epsilon: float | str,
    site: str = "",
) -> Released:
    """Write the counts of a closed survey's reports, with noise for central differential privacy.

    The noise hides the values of any one report (docs/FEDERATION.md). open_study reads the file.
    Each release of the same survey spends its epsilon anew: write one, and keep it.

    Args:
        location: location of a store, as for open_study.
        path: path of the new file, like north.json.
        survey: as for open_study.
        epsilon: the most that the release reveals about a report, from 0.01 to 10; exact as
            a decimal text.
        site: name of the site, if the survey has several.
    Raises:
        InvalidArgument: epsilon is not a number in this range; the survey names its sites, and
            this is none of them.
        SurveyNotClosed: the survey still accepts reports.
        ExportExists: the file already exists.
        PackageMissing: the package that draws the noise is not installed.
        StudyNotFound: there is no store.
        UnreadableStudy, SurveyNotFound: as for open_study.
    """
    try:
        exact = read_epsilon(epsilon)
    except ValueError as error:
        raise InvalidArgument(f"epsilon: {error}") from None
    source, stored = _store(location, survey)
    return write_release(source, stored, Path(path), exact, site)


def _store(location: str | Path, survey: str | None) -> tuple[RowSource, ListedSurvey]:
    source = open_source(location)
    if not isinstance(source, RowSource):
        raise StudyNotFound(
            f"{location} is not a store of a collector; reports are exported only from its "
            "SQLite file or its PostgreSQL database"
        )
    return source, select_survey(source.surveys(), survey)
