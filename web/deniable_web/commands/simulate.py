"""deniable simulate: answer a survey from a table of true answers."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import click

from deniable_analysis import open_study
from deniable_analysis.forms import counted
from deniable_collector.clock import utc_now
from deniable_collector.store import add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import Report
from deniable_sdk.transport import CollectorConnection
from deniable_web.commands import NotDone
from deniable_web.commands.options import (
    FILE,
    confidence_option,
    definition_argument,
    format_option,
    store_option,
)
from deniable_web.commands.result_tables import print_comparison
from deniable_web.commands.tables import progress_bar, say
from deniable_web.comparison import compare_with_truth
from deniable_web.definition_file import read_definition
from deniable_web.publication import publish_for_simulation
from deniable_web.simulation import SimulatedRespondents

BATCH_SIZE = 500


Submit = Callable[[Sequence[Report]], None]


@click.command("simulate", short_help="Answer a survey from a table of true answers.")
@definition_argument
@click.argument("answers", type=FILE, metavar="ANSWERS.csv")
@store_option
@click.option(
    "--to",
    "url",
    metavar="URL",
    help="Send the reports to the collector at this address; the store must be the one it serves.",
)
@confidence_option
@format_option
def command(
    file: Path, answers: Path, store: str, url: str | None, confidence: float, output_format: str
) -> None:
    """Randomize every row of ANSWERS.csv as one respondent's device would.

    The survey of FILE is published in the store, the reports are added to it,
    and the estimates are printed beside the truth of the table.

    The first line of ANSWERS.csv names its columns, one for each question, with commas,
    semicolons or tabs between them, as spreadsheets of all countries save tables. A cell
    contains an option's id or a number; for a multiple question, ids separated by ";",
    or "none" for none of the options. An empty cell means no answer.
    """
    survey = read_definition(file).compile()
    respondents = SimulatedRespondents.read(answers, survey)
    with closing(open_store(store)) as opened:
        publish_for_simulation(opened, survey)
    with submitting_to(url, store) as submit:
        submit_all(respondents, submit)
    if survey.is_sealed:
        with closing(open_store(store)) as opened:
            opened.close_survey(survey.slug, utc_now())
        say("Closed: the survey is sealed, so nobody sees a result before its end.")
    study = open_study(store, survey.digest)
    print_comparison(compare_with_truth(study, respondents.truth, confidence), output_format)


def submit_all(respondents: SimulatedRespondents, submit: Submit) -> None:
    """Submit every respondent's report in batches, with a progress bar."""
    reports = respondents.reports()
    with progress_bar() as progress:
        task = progress.add_task("Answering", total=respondents.truth.count)
        while batch := list(itertools.islice(reports, BATCH_SIZE)):
            submit(batch)
            progress.advance(task, len(batch))


@contextmanager
def submitting_to(url: str | None, store: str) -> Iterator[Submit]:
    """A function that submits reports over HTTP to a collector, or directly to the store."""
    if url is None:
        with closing(open_store(store)) as opened:
            yield lambda reports: _expect_all(
                [outcome is ReportOutcome.STORED for outcome in add_reports(opened, reports)]
            )
    else:
        with CollectorConnection(url) as connection:
            yield lambda reports: _expect_all(
                [receipt.is_stored for receipt in connection.submit(reports)]
            )


def _expect_all(stored: Sequence[bool]) -> None:
    if not all(stored):
        raise NotDone(
            f"{stored.count(False)} of {counted(len(stored), 'report')} not accepted; is the "
            "survey closed, or does the collector serve another store?"
        )
