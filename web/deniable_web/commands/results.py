"""deniable results: what the reports say about the group."""

import click

from deniable_analysis import Interval, QuestionEstimate, open_study
from deniable_web.commands.options import (
    Format,
    confidence_option,
    format_option,
    store_option,
)
from deniable_web.commands.tables import (
    format_sd,
    print_csv,
    print_json,
    print_table,
    say,
)


@click.command("results", short_help="Print the estimates of a survey.")
@click.argument("slug")
@store_option
@confidence_option
@click.option(
    "--interval",
    type=click.Choice([member.value for member in Interval]),
    default=Interval.WILSON.value,
    show_default=True,
    help="The kind of interval; clopper-pearson never covers less than it says.",
)
@format_option
def command(slug: str, store: str, confidence: float, interval: str, output_format: str) -> None:
    """Print, per question and option, the estimated share with its interval.

    SLUG is a survey's newest edition; SLUG@1 is its first, a digest any one.
    """
    study = open_study(store, slug)
    estimates = study.estimate(confidence=confidence, interval=Interval(interval))
    questions = estimates.questions
    if output_format == Format.JSON:
        print_json(estimates.to_document())
    elif output_format == Format.CSV:
        print_csv([row for question in questions for row in _rows(question)])
    else:
        title = f"{estimates.survey}, edition {estimates.edition}: {estimates.reports:,} reports"
        print_table(title, [row for question in questions for row in _table_rows(question)])
        say(
            "share: unbiased, may lie outside 0 to 1. low, high: its "
            f"{100 * confidence:g}% interval. valid_share: made to sum to 1.\n"
            "sd mechanism, sd sampling: the two parts of the standard error, from the "
            "randomization and from who happened to answer (<0: a variance just below 0)."
        )
    for warning in estimates.warnings:
        say(warning)


def _rows(question: QuestionEstimate) -> list[dict[str, object]]:
    return [
        {
            "question": question.question,
            "option": option.option,
            "reports": question.reports,
            "share": option.share,
            "low": option.low,
            "high": option.high,
            "valid_share": option.valid_share,
            "mechanism_variance": option.mechanism_variance,
            "sampling_variance": option.sampling_variance,
        }
        for option in question.options
    ]


def _table_rows(question: QuestionEstimate) -> list[dict[str, object]]:
    rows = _rows(question)
    for row, option in zip(rows, question.options, strict=True):
        del row["mechanism_variance"], row["sampling_variance"]
        row["sd mechanism"] = format_sd(option.mechanism_variance)
        row["sd sampling"] = format_sd(option.sampling_variance)
    return rows
