"""deniable report: the results of a survey to print or to share."""

from dataclasses import replace
from pathlib import Path

import click

from deniable_analysis import Study, open_editions, open_study
from deniable_analysis.errors import NoGroups
from deniable_collector.clock import utc_now
from deniable_web.commands.estimate_options import (
    choices_of,
    interval_options,
    labels_in,
    language_option,
    merge_option,
    merged_groups,
)
from deniable_web.commands.options import output_option, slug_argument, store_option
from deniable_web.commands.output_files import check_new, write_new
from deniable_web.commands.tables import say, warn
from deniable_web.results.findings import EditionFindings, ResultChoices, find, find_by_group
from deniable_web.results.report.page import REPORTS, ResultsReport, report_file


@click.command("report")
@slug_argument()
@store_option
@interval_options
@merge_option
@output_option("The new file; its suffix is .pdf or .html.", is_required=True)
@language_option
def command(
    slug: str,
    store: str,
    confidence: float,
    interval: str | None,
    merge: tuple[str, ...],
    output: Path,
    language: str | None,
) -> None:
    """Write a report of a survey's results: what was found, every number, and the method.

    SLUG selects a survey's newest edition, SLUG@1 its first, a digest any edition. A closed
    survey by invitation also has its results by group, and a later edition the changes since
    the one before. HTML is one file without scripts. A PDF needs WeasyPrint (pip install
    'deniable[report]') or an installed Chromium or Chrome.
    """
    suffix = output.suffix.removeprefix(".")
    if suffix not in REPORTS:
        raise click.UsageError(
            f"got the path {output}; allowed is a path that ends in "
            f"{' or '.join(f'.{name}' for name in REPORTS)}"
        )
    check_new(output)
    study = open_study(store, slug)
    labels = labels_in(study.survey, language)
    choices = choices_of(confidence, interval)
    earlier = _earlier(store, study)
    found = _with_groups(study, find(study, choices, earlier), choices, merge)
    report = ResultsReport(found, labels, utc_now(), earlier.edition if earlier else 0)
    if suffix == "pdf":
        say("Making the PDF; this takes some seconds")
    file, missing = report_file(report, suffix)
    write_new(output, file.content)
    say(f"Written: {output}")
    if missing:
        warn(
            f"The PDF lacks {len(missing)} characters, because no font here has them; "
            "install one (on Debian: apt-get install fonts-noto-core fonts-noto-cjk), or write "
            "the report as .html"
        )
    for warning in found.estimates.warnings:
        warn(warning)


def _earlier(store: str, study: Study) -> Study | None:
    """The latest earlier edition that still has its reports."""
    editions = open_editions(store, study.survey.slug)
    before = (each for each in reversed(editions) if each.edition < study.edition)
    return next((each for each in before if each.report_count), None)


def _with_groups(
    study: Study, found: EditionFindings, choices: ResultChoices, merge: tuple[str, ...]
) -> EditionFindings:
    """The findings, by group too if the groups may be counted; errors are those of estimate."""
    if not (study.survey.groups or merge):
        return found
    try:
        return replace(found, estimates=find_by_group(study, choices, merged_groups(merge)))
    except NoGroups:
        if merge:
            raise
        return found
