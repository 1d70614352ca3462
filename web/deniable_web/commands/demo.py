"""deniable demo: a whole survey on 20,190 real answers."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from deniable_analysis import open_study
from deniable_collector.store import open_store
from deniable_sdk import DeniableError
from deniable_web.commands.comparison_tables import print_comparison
from deniable_web.commands.options import confidence_option, format_option
from deniable_web.commands.simulate import submit_all, submitting_to
from deniable_web.commands.tables import say
from deniable_web.comparison import compare_with_truth
from deniable_web.definition_file import read_definition
from deniable_web.packaged_files import example_folder
from deniable_web.publication import publish_for_simulation
from deniable_web.simulation import SimulatedRespondents

DEMO_STORE = "deniable-demo.sqlite"


class DemoFailed(DeniableError):
    """The demo could not run; the message says what to do."""


@click.command("demo", short_help="Run a whole survey on 20,190 real answers.")
@click.option(
    "--store",
    metavar="FILE",
    help=f"A new file for the reports; by default {DEMO_STORE}, which is replaced.",
)
@confidence_option
@format_option
def command(store: str | None, confidence: float, output_format: str) -> None:
    """Publish a survey, answer it 20,190 times, and print the estimates.

    The collector and the form are started on a free port of this machine;
    every answer goes through the SDK and over HTTP, as it would from a phone.
    """
    path = _fresh_store(store)
    folder = example_folder("health")
    survey = read_definition(folder / "survey.yaml").compile()
    respondents = SimulatedRespondents.read(folder / "answers.csv", survey)
    with closing(open_store(path)) as opened:
        publish_for_simulation(opened, survey)
    say(f"Published the survey {survey.slug!r} in {path}")
    with _running_site(path) as url, submitting_to(url, path) as submit:
        say(f"The collector and the form listen on {url}")
        submit_all(respondents, submit)
    study = open_study(path, survey.digest)
    print_comparison(compare_with_truth(study, respondents.truth, confidence), output_format)
    say(f"\n{path} contains every report, and no true answer.")
    say(f"  the results again:  deniable results {survey.slug} --store {path}")
    say(f"  the form:           deniable serve --store {path}, then open /s/{survey.slug} there")


def _fresh_store(store: str | None) -> str:
    if store is not None:
        if Path(store).exists():
            raise DemoFailed(f"{store} exists already; name a new file, or remove it first")
        return store
    for suffix in ("", "-wal", "-shm"):
        Path(DEMO_STORE + suffix).unlink(missing_ok=True)
    return DEMO_STORE


@contextmanager
def _running_site(store: str) -> Iterator[str]:
    arguments = [sys.executable, "-m", "deniable_web", "serve", "--store", store, "--port", "0"]
    with (
        tempfile.TemporaryFile("w+") as messages,
        subprocess.Popen(  # noqa: S603 - our own command, no shell
            arguments, stdout=subprocess.PIPE, stderr=messages, text=True
        ) as server,
    ):
        try:
            url = server.stdout.readline().strip() if server.stdout else ""
            if not url:
                messages.seek(0)
                raise DemoFailed(f"the collector did not start: {messages.read().strip()}")
            yield url
        finally:
            server.terminate()
