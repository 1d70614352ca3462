"""deniable results: the estimates for the group."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from deniable_analysis import open_study
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
from deniable_web.commands.result_tables import print_estimates
from deniable_web.commands.tables import print_csv, print_json, say, warn
from deniable_web.results.files import DATA, csv_cells, data_file, flat_rows, json_document
from deniable_web.results.findings import EditionFindings, find, find_by_group
from deniable_web.results.labels import Labels

_TABLE: Final = "table"


@click.command("results")
@slug_argument()
@store_option
@interval_options
@click.option(
    "--by-group",
    is_flag=True,
    help="Also estimate each group, by invitation or by link; the survey must be closed.",
)
@merge_option
@click.option(
    "--format",
    "output_format",
    type=click.Choice([_TABLE, *DATA]),
    help="How to print or write the result.  [default: that of PATH's suffix, or table]",
)
@output_option("Write a new file instead of printing.")
@language_option
def command(
    slug: str,
    store: str,
    confidence: float,
    interval: str | None,
    by_group: bool,
    merge: tuple[str, ...],
    output_format: str | None,
    output: Path | None,
    language: str | None,
) -> None:
    """Print the estimated shares, crosstabs and means with their intervals.

    SLUG selects a survey's newest edition, SLUG@1 its first, a digest any edition. The
    formats csv, json and xlsx have the texts of questions and answers beside their ids.
    """
    kind = _kind(output_format, output, language)
    if output:
        check_new(output)
    study = open_study(store, slug)
    choices, groups = choices_of(confidence, interval), merged_groups(merge)
    if kind == _TABLE:
        estimates = find_by_group(study, choices, groups, by_group=by_group)
        print_estimates(estimates)
        if of_file := study.closed_file():
            say(of_file.in_words)
    else:
        labels, findings = labels_in(study.survey, language), find(study, choices)
        estimates = findings.estimates
        if by_group or groups:
            estimates = find_by_group(study, choices, groups, by_group=by_group)
        _hand_out(replace(findings, estimates=estimates), labels, kind, output)
        for warning in estimates.warnings:
            warn(warning)


def _kind(named: str | None, output: Path | None, language: str | None) -> str:
    """The format, or a usage error that says what does not fit."""
    suffix = output.suffix.removeprefix(".") if output else ""
    kind = named or (suffix if output else _TABLE)
    if output and (kind not in DATA or kind != suffix):
        raise click.UsageError(
            f"got the path {output}{f' and the format {named}' if named else ''}; allowed is a "
            f"path that ends in {' or '.join(f'.{name}' for name in DATA)}, and its own format"
        )
    if kind == "xlsx" and not output:
        raise click.UsageError("a workbook is not printed; name its file: --output PATH.xlsx")
    if kind == _TABLE and language is not None:
        raise click.UsageError(
            "the table has ids and no labels; leave --language out, or name another format: "
            f"--format {' or '.join(DATA)}"
        )
    return kind


def _hand_out(findings: EditionFindings, labels: Labels, kind: str, output: Path | None) -> None:
    if output:
        file = data_file(findings, labels, kind)
        assert file is not None  # noqa: S101 - the format is one of DATA
        write_new(output, file.content)
        say(f"Written: {output}")
    elif kind == "json":
        print_json(json_document(findings, labels))
    else:
        print_csv([csv_cells(row) for row in flat_rows(findings, labels)])
