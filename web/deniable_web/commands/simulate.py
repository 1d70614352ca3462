"""deniable simulate: answer a survey from a table of true answers."""

from pathlib import Path

import click

from deniable_analysis import open_study
from deniable_collector.clock import utc_now
from deniable_collector.store import open_store
from deniable_web.commands.confidence import confidence_option
from deniable_web.commands.options import FILE, definition_argument, format_option, store_option
from deniable_web.commands.result_tables import print_comparison
from deniable_web.commands.submission import submit_all, submitting_to
from deniable_web.commands.tables import say
from deniable_web.definition.file import read_definition
from deniable_web.simulation.comparison import compare_with_truth
from deniable_web.simulation.respondents import SimulatedRespondents
from deniable_web.stores.publication import publish_for_simulation


@click.command("simulate")
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
    with open_store(store) as opened:
        publish_for_simulation(opened, survey)
    with submitting_to(url, store) as submit:
        submit_all(respondents, submit)
    if survey.is_sealed:
        with open_store(store) as opened:
            opened.close_survey(survey.slug, utc_now())
        say("Closed: the survey is sealed, so nobody sees a result before its end.")
    study = open_study(store, survey.digest)
    print_comparison(compare_with_truth(study, respondents.truth, confidence), output_format)
