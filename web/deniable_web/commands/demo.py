"""deniable demo: a whole survey on 20,190 answers, or one by invitation."""

from pathlib import Path

import click

from deniable_analysis import open_study
from deniable_collector.store import open_store
from deniable_web.commands.confidence import confidence_option
from deniable_web.commands.demo_answers import demo_answers
from deniable_web.commands.demo_server import running_server
from deniable_web.commands.invited_demo import issuer_store_of, show_invited
from deniable_web.commands.options import format_option
from deniable_web.commands.program import NotDone
from deniable_web.commands.result_tables import print_comparison
from deniable_web.commands.submission import submit_all, submitting_to
from deniable_web.commands.tables import say
from deniable_web.definition.file import read_definition
from deniable_web.packaged_files import example_folder
from deniable_web.simulation.comparison import compare_with_truth
from deniable_web.simulation.respondents import SimulatedRespondents
from deniable_web.stores.publication import publish_for_simulation

DEMO_STORE = "deniable-demo.sqlite"


@click.command("demo")
@click.option(
    "--store",
    metavar="FILE",
    help=f"A new file for the reports; by default {DEMO_STORE}, which is replaced.",
)
@click.option(
    "--invited",
    is_flag=True,
    help="Run a survey by invitation instead, from the list of people to the results by group.",
)
@confidence_option
@format_option
def command(store: str | None, confidence: float, output_format: str, *, invited: bool) -> None:
    """Publish a survey, answer it 20,190 times, and print the estimates.

    The collector and the form are started on a free port of this machine;
    every answer goes through the SDK and over HTTP, as it would from a phone. The
    answers are real in a checkout, and invented where the package is installed.

    With --invited, an issuer is started too, and 400 people in two groups get a code.
    """
    path = _fresh_store(store)
    if invited:
        show_invited(path, confidence, output_format)
        return
    survey = read_definition(example_folder("health") / "survey.yaml").compile()
    with demo_answers() as answers:
        respondents = SimulatedRespondents.read(answers, survey)
        with open_store(path) as opened:
            publish_for_simulation(opened, survey)
        say(f"Published the survey {survey.slug!r} in {path}")
        with running_server("serve", "--store", path) as url, submitting_to(url, path) as submit:
            say(f"The collector and the form listen on {url}")
            submit_all(respondents, submit)
    study = open_study(path, survey.digest)
    print_comparison(compare_with_truth(study, respondents.truth, confidence), output_format)
    say(f"\n{path} contains every report, and no true answer.")
    say(f"  the results again:  deniable results {survey.slug} --store {path}")
    say(f"  the form:           deniable serve --store {path}, then open /s/{survey.slug} there")


def _fresh_store(store: str | None) -> str:
    for path in map(Path, (store, issuer_store_of(store)) if store else ()):
        if path.exists():
            raise NotDone(f"{path} exists already; name a new file, or remove it first")
    if store is not None:
        return store
    for name in (DEMO_STORE, issuer_store_of(DEMO_STORE)):
        for suffix in ("", "-wal", "-shm"):
            Path(name + suffix).unlink(missing_ok=True)
    return DEMO_STORE
