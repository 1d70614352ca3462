"""Single reports that bypass the framework get the same responses as with it."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deniable_sdk import Report, randomize
from live_server import Answer, LiveCollector, live_collector
from sample_definitions import survey, yes_no

ReadBytes = Callable[[int], bytes]

PUBLISHED = survey(yes_no(), yes_no("smoker"), ask="all")
OTHER = survey(yes_no(), slug="other")


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """A collector with two surveys, one of them closed after some reports."""
    with live_collector(tmp_path_factory.mktemp("direct") / "store.sqlite") as running:
        for published in (PUBLISHED, OTHER):
            assert running.owner("POST", "/api/surveys", published.document).status == 201
        for _ in range(2):
            assert send(running, draw(PUBLISHED)).status == 201
            assert send(running, draw(OTHER)).status == 201
        assert running.owner("POST", f"/api/surveys/{OTHER.slug}/close").status == 200
        yield running
        assert running.stop() == 0


def draw(published: object = PUBLISHED, seed: int | None = None) -> Report:
    """A report; the same for the same seed."""
    return randomize(published, {}, read_bytes=random.Random(seed).randbytes)  # type: ignore[arg-type]


def send(collector: LiveCollector, report: Report, *, by_framework: bool = False) -> Answer:
    """The answer to a report; one that is not canonical goes through the framework."""
    body = report.to_bytes()
    return collector.send("POST", "/api/reports", b" " + body if by_framework else body)


def without(answer: Answer, *names: str) -> dict[str, str]:
    """The headers of an answer but for those."""
    return {name: value for name, value in answer.headers.items() if name not in names}


def other_values(report: Report) -> Report:
    """Another report with the same id."""
    while True:
        drawn = draw()
        if drawn.values != report.values:
            return Report(report.survey, report.id, drawn.values)


def test_answers_are_those_of_the_framework(collector: LiveCollector) -> None:
    """Stored, stored before, in conflict, and closed: status, headers and words."""
    first, second = draw(), draw()
    closed_first, closed_second = draw(OTHER), draw(OTHER)
    for one, two in (
        (first, second),
        (first, second),
        (other_values(first), other_values(second)),
        (closed_first, closed_second),
    ):
        direct, framed = send(collector, one), send(collector, two, by_framework=True)
        assert direct.status == framed.status
        assert without(direct, "date") == without(framed, "date")
        assert direct.body.replace(one.id.encode(), two.id.encode()) == framed.body
    assert send(collector, first).status == 200


def test_every_answer_is_counted_once(collector: LiveCollector) -> None:
    """Requests by status and reports by outcome, whichever way they took."""

    def counts() -> dict[bytes, float]:
        lines = collector.send("GET", "/metrics").body.splitlines()
        return {
            line.rpartition(b" ")[0]: float(line.rpartition(b" ")[2])
            for line in lines
            if b"/api/reports" in line or line.startswith(b"deniable_reports_total")
        }

    before = counts()
    report = draw()
    for sent, by_framework in ((report, False), (draw(), True), (report, False)):
        send(collector, sent, by_framework=by_framework)
    grown = {name: count - before.get(name, 0) for name, count in counts().items()}
    assert {name: count for name, count in grown.items() if count} == {
        b'deniable_reports_total{outcome="stored"}': 2,
        b'deniable_reports_total{outcome="already_stored"}': 1,
        b'deniable_requests_total{route="/api/reports",status="201"}': 2,
        b'deniable_requests_total{route="/api/reports",status="200"}': 1,
    }


def test_the_same_report_at_once_is_stored_once(collector: LiveCollector) -> None:
    """Of 32 that are sent together one is new, and all others were there."""
    report = draw()
    with ThreadPoolExecutor(32) as threads:
        answers = list(threads.map(lambda _: send(collector, report), range(32)))
    statuses = sorted(answer.status for answer in answers)
    assert statuses == [200] * 31 + [201]


def test_a_store_that_is_gone_is_said_as_by_the_framework(store_path: Path) -> None:
    """Both say that nothing was stored and when to come back."""
    with live_collector(store_path) as collector:
        assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
        for _ in range(2):
            assert send(collector, draw()).status == 201
        store_path.rename(store_path.with_suffix(".away"))
        direct, framed = send(collector, draw()), send(collector, draw(), by_framework=True)
        assert direct.status == framed.status == 503
        assert without(direct, "date") == without(framed, "date")
        assert direct.body == framed.body
        store_path.with_suffix(".away").rename(store_path)
        assert send(collector, draw()).status == 201


def test_too_many_are_refused_as_by_the_framework(store_path: Path) -> None:
    """The limit holds for all requests together, and both say when to come back."""
    limits = {"DENIABLE_RATE_LIMIT": "5", "DENIABLE_PROXIES": "1"}
    with live_collector(store_path, environment=limits) as collector:
        assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
        headers = {"Content-Type": "application/json", "X-Forwarded-For": "198.51.100.9"}
        answers = [
            collector.send("POST", "/api/reports", b" " * (index % 2) + draw().to_bytes(), headers)
            for index in range(8)
        ]
    assert [answer.status for answer in answers] == [201] * 5 + [429] * 3
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers[5:])
