"""The demo of a survey by invitation, with both servers."""

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from deniable_analysis import Estimates, open_study
from deniable_analysis.results.responses import ALL_INVITED
from deniable_sdk import PublishedSurvey, Report
from deniable_sdk.client import MemoryStorage, open_client
from deniable_sdk.transport import CollectorConnection
from deniable_storage.csv_tables import open_table
from deniable_web.commands.demo_answers import demo_answers
from deniable_web.commands.demo_server import running_server
from deniable_web.commands.program import NotDone
from deniable_web.commands.result_tables import explain_groups, print_parts
from deniable_web.commands.submission import submitting_to
from deniable_web.commands.tables import (
    Row,
    print_result,
    print_table,
    progress_bar,
    say,
)
from deniable_web.packaged_files import example_folder
from deniable_web.results.findings import ALL_REPORTS, option_rows
from deniable_web.simulation.comparison import covers

# How many in a hundred answer: so different that a share of all reports is biased.
RESPONSE = {"free": 80, "deductible": 45}

_SLUG = "plans"
_EXAMPLE_ISSUER = "http://127.0.0.1:8001"
_GROUP_OF_PLAN = {"no": "free", "yes": "deductible"}

# The true answers of the invited people, by group.
People = Mapping[str, Sequence[Mapping[str, str]]]


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
        print_parts([estimates.by_group.response_table()])
    print_table("Shares", rows)
    explain_groups()
