"""deniable export: the randomized values of a survey, in one file."""

from pathlib import Path

import click

from deniable_analysis import export_study
from deniable_analysis.forms import counted
from deniable_analysis.sources.exports.formats import FORMATS
from deniable_web.commands.options import FILE, store_option
from deniable_web.commands.tables import counting, print_json, say


@click.command("export", short_help="Write a survey's randomized reports to a file.")
@click.argument("slug")
@store_option
@click.option(
    "--format",
    "file_format",
    type=click.Choice(list(FORMATS)),
    help="The format; by default that of PATH's suffix, or ndjson.",
)
@click.option(
    "--output",
    type=FILE,
    metavar="PATH",
    help="The new file; by default SLUG and the suffix of the format.",
)
def command(slug: str, store: str, file_format: str | None, output: Path | None) -> None:
    """Write the randomized values of every report to a file, without ids.

    SLUG selects a survey's newest edition, SLUG@1 its first, a digest any edition. The
    published survey is written beside PATH, with the suffix .survey.json, so that
    `open_study` can read the file like a store.
    """
    path = output or Path(f"{slug}.{file_format or next(iter(FORMATS))}")
    if file_format and path.suffix != f".{file_format}":
        raise click.UsageError(
            f"got the format {file_format} and the path {path}; allowed is a path that ends in "
            f".{file_format}"
        )
    with counting("Exporting") as on_progress:
        exported = export_study(store, path, slug, on_progress=on_progress)
    survey = exported.survey
    reports = counted(exported.report_count, "report", commas=True)
    say(f"Exported: {reports} of {survey.slug}@{exported.edition}")
    say(f"Their published survey: {exported.survey_path}")
    print_json(
        {
            "slug": survey.slug,
            "edition": exported.edition,
            "digest": survey.digest,
            "reports": exported.report_count,
            "path": str(path),
            "survey": str(exported.survey_path),
        }
    )
