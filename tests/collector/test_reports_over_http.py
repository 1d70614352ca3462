"""Sending reports over real HTTP, one at a time and in batches."""

import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from deniable_sdk import PublishedSurvey, Report, randomize
from live_server import Answer, LiveCollector, live_collector
from problem_checks import assert_members, assert_problem, assert_safe_headers
from sample_definitions import choice, survey, yes_no

ReadBytes = Callable[[int], bytes]


@pytest.fixture
def published(collector: LiveCollector, request: pytest.FixtureRequest) -> PublishedSurvey:
    """A survey of this test's own, open on the collector."""
    slug = "s" + str(random.Random(request.node.name).getrandbits(48))
    made = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", slug=slug)
    assert collector.owner("POST", "/api/surveys", made.document).status == 201
    return made


def count(collector: LiveCollector, published: PublishedSurvey) -> int:
    """How many rows the survey has in the file."""
    table = f"reports_{published.slug.replace('-', '_')}_{published.digest[:12]}"
    with closing(sqlite3.connect(collector.store)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


def send(collector: LiveCollector, report: Report) -> Answer:
    """The answer to one report."""
    return collector.send("POST", "/api/reports", report.to_bytes())


def forge(report: Report, other: Report) -> Report:
    """The first report's id on the other's values."""
    assert report.values != other.values
    return Report(report.survey, report.id, other.values)


def test_one_report_through_all_its_statuses(
    collector: LiveCollector, published: PublishedSurvey, read_bytes: ReadBytes
) -> None:
    """201 when stored, 200 when known, 409 when forged, 410 when too late."""
    first, second = (randomize(published, {}, read_bytes=read_bytes) for _ in range(2))
    stored = send(collector, first)
    assert (stored.status, stored.document) == (201, {"status": 201, "report": first.id})
    assert_safe_headers(stored)
    known = send(collector, first)
    assert (known.status, known.document) == (200, {"status": 200, "report": first.id})
    conflict = send(collector, forge(first, second))
    assert "the stored one was kept" in assert_problem(conflict, "report-conflict")
    collector.owner("POST", f"/api/surveys/{published.slug}/close")
    assert send(collector, first).status == 200
    assert "discard it" in assert_problem(send(collector, second), "survey-closed")
    assert count(collector, published) == 1


def test_a_report_of_an_unknown_survey_is_not_found(
    collector: LiveCollector, read_bytes: ReadBytes
) -> None:
    """A digest that was never published here is a 404."""
    elsewhere = randomize(survey(yes_no(), slug="elsewhere"), {}, read_bytes=read_bytes)
    assert_problem(send(collector, elsewhere), "unknown-survey")


@pytest.mark.parametrize("media_type", ["application/json", "application/x-ndjson"])
def test_a_batch_answers_for_each_report_in_order(
    collector: LiveCollector, published: PublishedSurvey, read_bytes: ReadBytes, media_type: str
) -> None:
    """One bad report costs the others nothing, and each gets its own status."""
    first, second, third = (randomize(published, {}, read_bytes=read_bytes) for _ in range(3))
    send(collector, first)
    elsewhere = randomize(survey(yes_no(), slug="elsewhere"), {}, read_bytes=read_bytes)
    illegal = Report(published.digest, "0" * 32, {"asthma": 99, "region": 0})
    members = [second, first, forge(first, third), elsewhere, illegal, second, third]
    lines = [member.to_bytes() for member in members] + [b'"not a report"']
    body = (
        b"[" + b",".join(lines) + b"]" if media_type == "application/json" else b"\n".join(lines)
    )
    answer = collector.send("POST", "/api/reports", body, {"Content-Type": media_type})
    assert answer.status == 200
    document = answer.document
    results = document.pop("results")
    assert document == {"stored": 2, "already_stored": 2, "refused": 4}
    assert [result.pop("index") for result in results] == list(range(8))
    ids = [result.pop("report") for result in results]
    assert ids == [*(member.id for member in members), None]
    refusals = {
        2: "report-conflict",
        3: "unknown-survey",
        4: "invalid-report",
        7: "invalid-report",
    }
    accepted = {0: 201, 1: 200, 5: 200, 6: 201}
    for index, result in enumerate(results):
        if index in accepted:
            assert result == {"status": accepted[index]}
        else:
            assert_members(result, refusals.get(index, "invalid-report"))
    assert count(collector, published) == 3


def test_a_line_that_is_not_json_costs_only_itself(
    collector: LiveCollector, published: PublishedSurvey, read_bytes: ReadBytes
) -> None:
    """Lines stand for themselves; empty ones are skipped."""
    good = randomize(published, {}, read_bytes=read_bytes)
    body = b"\n".join([b"{", good.to_bytes() + b"\r", b"", b"\xff", b""])
    answer = collector.send(
        "POST", "/api/reports", body, {"Content-Type": "application/x-ndjson; charset=utf-8"}
    )
    first, second, third = answer.document["results"]
    assert (first["status"], second["status"], third["status"]) == (400, 201, 400)
    assert first["type"] == third["type"] == "urn:deniable:problem:not-json"


@pytest.mark.parametrize(
    ("body", "media_type"), [(b"[]", "application/json"), (b"\n", "application/x-ndjson")]
)
def test_an_empty_batch_stores_nothing(
    collector: LiveCollector, body: bytes, media_type: str
) -> None:
    """A batch of none is legal."""
    answer = collector.send("POST", "/api/reports", body, {"Content-Type": media_type})
    assert answer.document == {"stored": 0, "already_stored": 0, "refused": 0, "results": []}


def test_an_array_has_at_most_as_many_reports_as_set(store_path: Path) -> None:
    """One report too many and none is stored."""
    with live_collector(store_path, environment={"DENIABLE_MAX_BATCH_REPORTS": "3"}) as collector:
        answer = collector.send("POST", "/api/reports", [1, 1, 1, 1])
        detail = assert_problem(answer, "too-many-reports")
        assert "has more than 3 reports and none was stored; allowed are 3" in detail
        assert collector.send("POST", "/api/reports", [1, 1, 1]).status == 200


def test_a_batch_of_ten_thousand_is_taken(
    collector: LiveCollector, published: PublishedSurvey, read_bytes: ReadBytes
) -> None:
    """The largest batch of the default settings fits and is stored whole."""
    reports = [randomize(published, {}, read_bytes=read_bytes) for _ in range(10_000)]
    body = json.dumps([json.loads(report.to_bytes()) for report in reports]).encode()
    assert len(body) < 4 << 20
    answer = collector.send("POST", "/api/reports", body)
    assert answer.document["stored"] == 10_000
    assert count(collector, published) == 10_000


def test_a_busy_store_is_503_with_a_time_to_try_again(
    store_path: Path, read_bytes: ReadBytes
) -> None:
    """Nothing is stored, the sender learns when to come back, and then it works."""
    made = survey(yes_no())
    report = randomize(made, {}, read_bytes=read_bytes)
    with (
        live_collector(store_path, "--busy-timeout", "0.05") as collector,
        closing(sqlite3.connect(store_path, isolation_level=None)) as other,
    ):
        collector.owner("POST", "/api/surveys", made.document)
        other.execute("BEGIN IMMEDIATE")
        busy = send(collector, report)
        assert "send the same bytes again" in assert_problem(busy, "store-unavailable")
        assert busy.headers["retry-after"] == "5"
        assert busy.headers["access-control-allow-origin"] == "*"
        other.execute("ROLLBACK")
        assert send(collector, report).status == 201
    assert collector.log.read_text() == "store unavailable: cause SQLITE_BUSY, times 1\n"


def test_a_removed_store_is_503_and_not_healthy(store_path: Path, read_bytes: ReadBytes) -> None:
    """No report is answered with 201 once its file is gone, and operators see it."""
    made = survey(yes_no())
    report = randomize(made, {}, read_bytes=read_bytes)
    with live_collector(store_path) as collector:
        collector.owner("POST", "/api/surveys", made.document)
        assert collector.send("GET", "/healthz").status == 200
        for path in store_path.parent.glob("store.sqlite*"):
            path.unlink()
        assert_problem(send(collector, report), "store-unavailable")
        assert_problem(collector.send("GET", "/healthz"), "store-unavailable")
        assert collector.stop() == 0
    lost = "its file was removed or replaced while it was open"
    # Twice within a minute: the second one is counted.
    assert collector.log.read_text() == f"store unavailable: cause {lost}, times 1\n"


def test_a_batch_of_wrong_reports_to_a_long_survey_has_a_short_answer(
    collector: LiveCollector,
) -> None:
    """What a refusal costs does not grow with the survey."""
    blocks = [yes_no(f"q{number}") for number in range(200)]
    made = survey(*blocks, ask=1, slug="long")
    assert collector.owner("POST", "/api/surveys", made.document).status == 201
    empty = {
        "format": "deniable-report/1",
        "survey": made.digest,
        "report": "0" * 32,
        "values": {},
    }
    body = b"\n".join([json.dumps(empty).encode()] * 10_000)
    answer = collector.send("POST", "/api/reports", body, {"Content-Type": "application/x-ndjson"})
    assert answer.document["refused"] == 10_000
    detail = answer.document["results"][0]["detail"]
    assert "allowed are exactly 1 of: q0, q1, q2, q3, q4, ...." in detail
    assert len(answer.body) < 5 << 20
