"""deniable export: a survey's reports, or its codebook, in a file."""

from collections.abc import Sequence
from pathlib import Path

import click

from deniable_analysis import export_parts, export_study
from deniable_analysis.sources.exports.formats import FORMATS, format_of
from deniable_analysis.sources.exports.writing import Exported
from deniable_sdk.wording import counted
from deniable_web.commands.options import output_option, slug_argument, store_option
from deniable_web.commands.tables import counting, print_json, say


@click.command("export")
@slug_argument()
@store_option
@click.option(
    "--format",
    "file_format",
    type=click.Choice(list(FORMATS)),
    help="The format; by default that of PATH's suffix, or ndjson.",
)
@output_option("The new file, or folder; by default SLUG and the suffix of the format.", kind=str)
@click.option(
    "--language",
    metavar="CODE",
    help="The language of labels; by default that of the survey's title.",
)
@click.option(
    "--partitioned",
    is_flag=True,
    help="Write many Parquet files to a folder or an S3 bucket, for surveys of any size.",
)
@click.option(
    "--also",
    multiple=True,
    metavar="URL",
    help="With --partitioned: the store of another machine, with more reports of the survey.",
)
def command(
    slug: str,
    store: str,
    file_format: str | None,
    output: str | None,
    language: str | None,
    partitioned: bool,
    also: Sequence[str],
) -> None:
    """Write the randomized values of every report to a file, without ids.

    SLUG selects a survey's newest edition, SLUG@1 its first, a digest any edition. For
    programs: ndjson, csv, parquet and json, which `open_study` reads. For spreadsheets,
    SPSS and Stata, with labels: xlsx, sav and dta. To explain these, without reports: a
    codebook (ddi.xml) and scripts that estimate shares and means (R, do). The published
    survey is written beside reports, with the suffix .survey.json.

    With --partitioned, PATH is a new folder or s3://BUCKET/FOLDER, and the survey must be
    closed. If the export is interrupted, run the same command again: it goes on. Name
    each other store of the survey with --also; a report in several of them counts once.
    """
    if partitioned:
        _check_plain(file_format, language)
        _export_parts(slug, [store, *also], output or slug)
        return
    if also:
        raise click.UsageError("got --also without --partitioned; add --partitioned")
    path = Path(output or f"{slug}.{file_format or next(iter(FORMATS))}")
    if file_format and not FORMATS[file_format].ends(path):
        raise click.UsageError(
            f"got the format {file_format} and the path {path}; allowed is a path that ends in "
            f".{file_format}"
        )
    kind = format_of(path)
    if kind and not kind.has_reports:
        exported = export_study(store, path, slug, language=language)
    else:
        with counting("Exporting") as on_progress:
            exported = export_study(store, path, slug, language=language, on_progress=on_progress)
    _say(exported, path)
    print_json(
        {
            "slug": exported.survey.slug,
            "edition": exported.edition,
            "digest": exported.survey.digest,
            "language": exported.language or None,
            "reports": exported.report_count,
            "path": str(path),
            "survey": str(exported.survey_path) if exported.survey_path else None,
        }
    )


def _check_plain(file_format: str | None, language: str | None) -> None:
    if file_format not in (None, "parquet") or language:
        raise click.UsageError(
            "got --partitioned with another format or a language; parts are Parquet files "
            "without labels: leave out --format and --language"
        )


def _export_parts(slug: str, stores: Sequence[str], output: str) -> None:
    with counting("Exporting") as on_progress:
        location = stores if len(stores) > 1 else stores[0]
        exported = export_parts(location, output, slug, on_progress=on_progress)
    named = f"{exported.survey.slug}@{exported.edition}"
    reports = counted(exported.report_count, "report", commas=True)
    parts = counted(exported.part_count, "part")
    kept = f", {exported.kept_count} of them before" if exported.kept_count else ""
    say(f"Exported: {reports} of {named} in {parts}{kept}, to {exported.folder}")
    if len(stores) > 1:
        repeated = counted(exported.repeated_count, "report", commas=True)
        say(f"Left out, because a store named before has the same: {repeated}")
    print_json(
        {
            "slug": exported.survey.slug,
            "edition": exported.edition,
            "digest": exported.survey.digest,
            "reports": exported.report_count,
            "repeated": exported.repeated_count,
            "parts": exported.part_count,
            "folder": exported.folder,
        }
    )


def _say(exported: Exported, path: Path) -> None:
    named = f"{exported.survey.slug}@{exported.edition}"
    if exported.report_count is None:
        say(f"Written, without reports: {path} for {named}")
    else:
        say(f"Exported: {counted(exported.report_count, 'report', commas=True)} of {named}")
        say(f"Their published survey: {exported.survey_path}")
    others = sorted(exported.survey.languages - {exported.language or ""})
    if exported.language and others:
        say(f"Language of the labels: {exported.language} (--language: {', '.join(others)})")
