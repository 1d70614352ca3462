"""deniable results: what the reports say about the group."""

import click

from deniable_analysis import Interval, QuestionEstimate, open_study
from deniable_web.commands.options import (
    Format,
    confidence_option,
    format_option,
    store_option,
)
from deniable_web.commands.tables import print_csv, print_json, print_table, say


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
    """Print, per question and option, the estimated share with its interval."""
    study = open_study(store, slug)
    estimates = study.estimate(confidence=confidence, interval=Interval(interval))
    rows = [row for question in estimates.questions for row in _rows(question)]
    if output_format == Format.JSON:
        print_json(estimates.to_document())
    elif output_format == Format.CSV:
        print_csv(rows)
    else:
        print_table(f"{slug}: {estimates.reports:,} reports", rows)
        say(
            "share: unbiased, may lie outside 0 to 1. low, high: its "
            f"{confidence:.0%} interval. valid: shares made to sum to 1.\n"
            "mechanism and sampling: the two parts of the variance, from the randomization and "
            "from who happened to answer."
        )
        for question in estimates.questions:
            for warning in question.warnings:
                say(f"{question.question}: {warning}")


def _rows(question: QuestionEstimate) -> list[dict[str, object]]:
    return [
        {
            "question": question.question,
            "option": option.option,
            "reports": question.reports,
            "share": option.share,
            "low": option.low,
            "high": option.high,
            "valid": option.valid_share,
            "mechanism": option.mechanism_variance,
            "sampling": option.sampling_variance,
        }
        for option in question.options
    ]
