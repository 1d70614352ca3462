"""The statements of docs/HTTP.md and docs/DATA_MODEL.md are true."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from deniable_collector import Settings, add_reports, create_collector, open_store
from deniable_collector.problems import PROBLEMS, TYPE_PREFIX, problem_of_status
from deniable_collector.results_api import MOST_TUPLES
from deniable_sdk import randomize
from deniable_sdk.log import check_log
from invitations import invited_survey
from sample_definitions import choice, survey, yes_no

DOCS = Path(__file__).parents[2] / "docs"
HTTP = (DOCS / "HTTP.md").read_text()
DATA_MODEL = (DOCS / "DATA_MODEL.md").read_text()
EXAMPLE = survey(
    yes_no(), choice(options=30, required=True), ask=1, epsilon="0.5", slug="two-words"
)
WARD = invited_survey(slug="ward", at_most_reports=500).published


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """A collector's application on an empty store."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        yield create_collector(store, Settings())


def fenced(text: str, language: str) -> list[str]:
    """The blocks of a language in a page."""
    blocks = re.findall(rf"```{language}\n(.*?)\n```", text, re.DOTALL)
    assert blocks, f"no block of {language}: whoever walks through them would check nothing"
    return blocks


def test_the_page_names_every_route_and_no_other(app: Flask) -> None:
    """The table of routes is the application's."""
    routes = {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method in ("GET", "POST", "PUT", "DELETE", "PATCH")
    }
    assert (
        set(re.findall(r"^\| `((?:GET|POST|PUT|DELETE|PATCH) [^`]+)`", HTTP, re.MULTILINE))
        == routes
    )


def test_the_page_names_every_problem_with_its_status_and_no_other() -> None:
    """The table of problems is the one in the code."""
    rows = re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", HTTP, re.MULTILINE)
    assert {name: int(status) for name, status in rows} == {
        kind.name: kind.status for kind in PROBLEMS.values()
    }


def test_the_page_says_how_many_tuples_are_given() -> None:
    """The limit in the page is the one in the code."""
    assert HTTP.count(f"{MOST_TUPLES:,}") == 2


def test_the_examples_of_problems_are_what_is_sent() -> None:
    """Types and titles in the page's examples are those of the table."""
    documents = [json.loads(block) for block in fenced(HTTP, "json")]
    members = [each for one in documents for each in (one, *one.get("results", ()))]
    problems = [member for member in members if "type" in member]
    assert len(problems) >= 2
    for problem in problems:
        kind = PROBLEMS[problem["type"].removeprefix(TYPE_PREFIX)]
        assert (problem["title"], problem["status"]) == (kind.title, kind.status)


def test_the_example_of_a_log_is_a_whole_chain() -> None:
    """The head in the page is that of its entries, as devices compute it."""
    (example,) = [block for block in fenced(HTTP, "json") if "deniable-log/1" in block]
    assert check_log(example.encode()).head.size == 2


def test_any_status_has_a_problem_that_keeps_it() -> None:
    """Whatever another part of the server refuses with, the shape is the same."""
    for status in range(400, 600):
        refusal = problem_of_status(status)
        assert refusal.status == status
        assert refusal.name in PROBLEMS
        assert refusal.title
        assert refusal.detail.endswith(".")


def with_digits(statement: str) -> str:
    """A statement of the page, with the digits of a survey that has the table's name."""
    for published in (EXAMPLE, WARD):
        name = published.slug.replace("-", "_")
        statement = statement.replace(f"{name}_DIGEST", f"{name}_{published.digest[:12]}")
    return statement


def test_a_fresh_file_has_the_tables_of_the_page(tmp_path: Path) -> None:
    """The statements in the page are the file's own, and there are no other tables."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(EXAMPLE)
        store.publish(WARD)
    with closing(sqlite3.connect(path)) as connection:
        tables = dict(
            connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        )
        applied = connection.execute("SELECT DISTINCT applied_at FROM _sqlite_migrations")
        assert applied.fetchall() == [("",)]
    names = (
        "surveys",
        f"reports_two_words_{EXAMPLE.digest[:12]}",
        f"reports_ward_{WARD.digest[:12]}",
        f"tally_two_words_{EXAMPLE.digest[:12]}",
        f"tally_ward_{WARD.digest[:12]}",
        "tokens",
        "token_surveys",
        "token_releases",
        "purged",
        "unfinished",
        "ends",
        "given_out",
        "log",
    )
    assert tables.keys() == {*names, "_sqlite_migrations"}
    statements = [with_digits(block) for block in fenced(DATA_MODEL, "sql")]
    assert [tables[each] for each in names] == statements


def test_the_statements_for_counting_run(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """What the page says to count gives the counts of what was sent."""
    path = tmp_path / "store.sqlite"
    answers = {"region": "o3"}
    reports = [randomize(EXAMPLE, answers, read_bytes=read_bytes) for _ in range(300)]
    with closing(open_store(path)) as store:
        store.publish(EXAMPLE)
        add_reports(store, reports)
    (block,) = fenced(DATA_MODEL, "text")
    tallied, single, lists = block.replace("DIGEST", EXAMPLE.digest[:12]).splitlines()
    with closing(sqlite3.connect(path)) as connection:
        asthma = dict(connection.execute(single).fetchall())
        counts = dict(connection.execute(tallied).fetchall())
        assert {value: count for value, count in counts.items() if count} == asthma
        region = dict(connection.execute(lists).fetchall())
    sent = [report.values for report in reports]
    for option in range(3):
        assert asthma.get(option, 0) == sum(answer.get("asthma") == option for answer in sent)
    for option in range(30):
        chosen = (answer.get("region", []) for answer in sent)
        assert region.get(option, 0) == sum(option in values for values in chosen)  # type: ignore[operator]
