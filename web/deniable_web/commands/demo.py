"""deniable demo: a whole survey on 20,190 answers, or one by invitation with both servers."""

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path

import click

from deniable_analysis import Estimates, open_study
from deniable_analysis.results.responses import ALL_INVITED
from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, Report
from deniable_sdk.client import MemoryStorage, open_client
from deniable_sdk.transport import CollectorConnection
from deniable_storage.csv_tables import open_table
from deniable_web.commands import NotDone
from deniable_web.commands.demo_answers import demo_answers
from deniable_web.commands.options import confidence_option, format_option
from deniable_web.commands.result_tables import explain_groups, print_comparison, print_response
from deniable_web.commands.simulate import submit_all, submitting_to
from deniable_web.commands.tables import Row, print_result, print_table, progress_bar, say
from deniable_web.comparison import compare_with_truth, covers
from deniable_web.definition_file import read_definition
from deniable_web.packaged_files import example_folder
from deniable_web.publication import publish_for_simulation
from deniable_web.results.findings import ALL_REPORTS, option_rows
from deniable_web.simulation import SimulatedRespondents

# How many in a hundred answer: so different that a share of all reports is biased.
RESPONSE = {"free": 80, "deductible": 45}

_SLUG = "plans"
_EXAMPLE_ISSUER = "http://127.0.0.1:8001"
_GROUP_OF_PLAN = {"no": "free", "yes": "deductible"}

# The true answers of the invited people, by group.
People = Mapping[str, Sequence[Mapping[str, str]]]

DEMO_STORE = "deniable-demo.sqlite"


@contextmanager
def running_server(*arguments: str) -> Iterator[str]:
    """The address of a server, which one of our commands runs until the block ends.

    Raises:
        NotDone: it did not start.
    """
    command = [sys.executable, "-m", "deniable_web", *arguments, "--port", "0"]
    with (
        tempfile.TemporaryFile("w+") as messages,
        subprocess.Popen(  # noqa: S603 - our own command, no shell
            command, stdout=subprocess.PIPE, stderr=messages, text=True
        ) as server,
    ):
        try:
            url = server.stdout.readline().strip() if server.stdout else ""
            if not url:
                messages.seek(0)
                raise NotDone(
                    f"deniable {' '.join(arguments)} did not start: {messages.read().strip()}"
                )
            yield url
        finally:
            server.terminate()


def issuer_store_of(store: str) -> str:
    """The path of the issuer's store beside a collector's."""
    path = Path(store)
    return str(path.with_name(f"{path.stem}-issuer{path.suffix}"))


def show_invited(store: str, confidence: float, output_format: str) -> None:
    """Run a survey by invitation, from its definition to the estimates by group.

    Raises:
        NotDone: a command failed, or a server did not start.
    """
    issuer_store = issuer_store_of(store)
    # The files with codes are deleted at the end, as docs/INVITING.md advises.
    with tempfile.TemporaryDirectory() as folder:
        definition, links = Path(folder, "survey.yaml"), Path(folder, "links.csv")
        definition.write_text((example_folder("invited") / "survey.yaml").read_text())
        _step("issuer", "keys", str(definition), "--store", issuer_store)
        with running_server("issuer", "serve", "--store", issuer_store) as issuer:
            say(f"The issuer listens on {issuer}")
            definition.write_text(definition.read_text().replace(_EXAMPLE_ISSUER, issuer))
            _step("publish", str(definition), "--store", store)
            with running_server("serve", "--store", store) as collector:
                say(f"The collector and the form listen on {collector}")
                with CollectorConnection(collector) as connection:
                    survey = connection.fetch_survey(_SLUG)
                people = _read_people(survey)
                listed = Path(folder, "people.csv")
                # The list of people for `deniable invite`, without contacts.
                groups = (f"{group}\n" * len(answers) for group, answers in people.items())
                listed.write_text("".join(["group\n", *groups]))
                _step(
                    *("invite", _SLUG, str(listed), "--collector", collector),
                    *("--store", issuer_store, "--links", str(links)),
                )
                _answer_all(survey, collector, people, links)
    _step("close", _SLUG, "--store", store)
    estimates = open_study(store, survey.digest).estimate(confidence=confidence, by_group=True)
    rows = _compare(estimates, people)
    print_result(
        output_format,
        {"reports": estimates.reports, "shares": rows},
        rows,
        lambda: _print_tables(estimates, rows),
    )
    say(f"\n{store} contains every report with its group, and {issuer_store} who has a token.")
    say("  No row of one can be matched with a row of the other, and neither has a true answer.")
    say(f"  the results again:  deniable results {_SLUG} --by-group --store {store}")


def _step(*arguments: str) -> None:
    """Run one of our commands as an organiser would, and show it."""
    say(f"$ deniable {shlex.join(arguments)}")
    command = [sys.executable, "-m", "deniable_web", *arguments]
    done = subprocess.run(  # noqa: S603 - our own command, no shell
        command, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotDone(f"deniable {arguments[0]} failed: {done.stderr.strip()}")


def _read_people(survey: PublishedSurvey) -> People:
    """The first rows of the answers of each plan, as many as are invited."""
    with demo_answers() as answers, open_table(answers) as table:
        rows = list(table.records())
    people = {}
    for group in survey.groups:
        members = [row for row in rows if _GROUP_OF_PLAN[row["deductible_plan"]] == group.id]
        people[group.id] = [
            {question.id: row[question.id] for question in survey.answered}
            for row in members[: group.people]
        ]
    return people


def _answer_all(survey: PublishedSurvey, collector: str, people: People, links: Path) -> None:
    """Let some people of each group answer, each on a device of their own.

    An app would wait at random before it sends. Here all reports are sent at the end.
    """
    codes: dict[str, list[str]] = {group: [] for group in people}
    with open_table(links) as table:
        for row in table.records():
            codes[row["group"]].append(row["link"].partition("#code=")[2])
    answering = [
        (codes[group][number], answers)
        for group, everybody in people.items()
        for number, answers in enumerate(everybody)
        # Spread over the table, and the same people in each run.
        if number * 37 % 100 < RESPONSE[group]
    ]
    reports: list[Report] = []
    with progress_bar() as progress, submitting_to(collector, "") as submit:
        for code, answers in progress.track(answering, description="Answering"):
            # A device that forgets all of it afterwards.
            with open_client(collector, consent=True, storage=MemoryStorage()) as client:
                client.collect_token(survey, code)
                reports.append(client.submit(survey, answers, hold=True))
        submit(sorted(reports, key=lambda report: report.id))


def _compare(estimates: Estimates, people: People) -> list[Row]:
    """Every share beside the truth: of each group, of all invited people, and of all reports."""
    everybody = [each for group in people.values() for each in group]
    invited = {**people, ALL_INVITED: everybody, ALL_REPORTS: everybody}
    grouped = estimates.by_group.questions if estimates.by_group else ()
    rows: list[Row] = []
    for question, plain in zip(grouped, estimates.questions, strict=True):
        for name, share in chain.from_iterable(option_rows(question, plain).values()):
            answers = [each[question.question] for each in invited[name]]
            truth = answers.count(share.option) / len(answers)
            rows.append(
                {
                    "question": question.question,
                    "option": share.option,
                    "group": name,
                    "truth": truth,
                    "estimate": share.share,
                    "low": share.low,
                    "high": share.high,
                    "covers the truth": covers(share.low, truth, share.high),
                }
            )
    return rows


def _print_tables(estimates: Estimates, rows: list[Row]) -> None:
    if estimates.by_group:
        print_response(estimates.by_group)
    print_table("Shares", rows)
    explain_groups()


@click.command("demo", short_help="Run a whole survey on 20,190 answers.")
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
        with closing(open_store(path)) as opened:
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
