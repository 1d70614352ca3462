"""Only the report of a request is kept, and nothing else from the request."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from deniable_sdk import randomize
from live_server import LiveCollector, live_collector
from problem_checks import assert_problem
from sample_definitions import survey, yes_no

ReadBytes = Callable[[int], bytes]

PUBLISHED = survey(yes_no(), yes_no("smoker"))
CANARY = "canary5309"
HEADERS = {
    "User-Agent": f"{CANARY}-agent/1.0",
    "X-Forwarded-For": "203.0.113.77",
    "Forwarded": "for=203.0.113.77;host=canary5309.example",
    "X-Real-IP": "203.0.113.77",
    "Cookie": f"session={CANARY}",
    "Referer": f"https://{CANARY}.example/page",
    "Accept-Language": f"tlh-{CANARY}",
    "Authorization": f"Bearer {CANARY}-token",
    "Origin": f"https://{CANARY}.example",
}
TRACES = (CANARY, "203.0.113.77", "127.0.0.1", "tlh-")


@pytest.fixture
def collector(store_path: Path) -> Iterator[LiveCollector]:
    """A collector that has a route which fails."""
    with live_collector(store_path, "--crash-route") as running:
        assert running.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
        yield running


def files_of(collector: LiveCollector) -> bytes:
    """The bytes of everything the store has on disk."""
    paths = sorted(collector.store.parent.glob(collector.store.name + "*"))
    return b"".join(path.read_bytes() for path in paths)


def test_nothing_that_came_with_a_report_is_on_disk(
    collector: LiveCollector, read_bytes: ReadBytes
) -> None:
    """No header, address or time of a request is in the file or its logs."""
    for _ in range(50):
        report = randomize(PUBLISHED, {}, read_bytes=read_bytes)
        answer = collector.send("POST", f"/api/reports?from={CANARY}", report.to_bytes(), HEADERS)
        assert answer.status == 201
    running = files_of(collector)
    assert len(running) > len(collector.store.read_bytes())  # the write-ahead log is looked at
    assert bytes.fromhex(report.id) in running
    assert collector.stop() == 0
    for kept in (running, files_of(collector)):
        for trace in (*TRACES, str(collector.address[1])):
            assert trace.encode() not in kept
        assert not re.search(rb"\d\d:\d\d(:\d\d)?", kept)
        assert datetime.now(UTC).strftime("%Y-%m").encode() not in kept


def test_nothing_is_logged_about_requests_that_are_answered(
    collector: LiveCollector, read_bytes: ReadBytes
) -> None:
    """Neither accepted nor refused requests leave a line."""
    report = randomize(PUBLISHED, {}, read_bytes=read_bytes)
    for body in (report.to_bytes(), report.to_bytes(), b"broken", b"[1]"):
        collector.send("POST", "/api/reports", body, HEADERS)
    collector.send("GET", f"/{CANARY}", headers=HEADERS)
    collector.send("GET", f"/api/surveys/{CANARY}", headers=HEADERS)
    assert collector.stop() == 0
    assert collector.log.read_text() == ""


def test_many_requests_at_once_do_not_show_in_the_log(collector: LiveCollector) -> None:
    """Not even the length of the queue tells when respondents answer."""
    threads = [
        threading.Thread(target=collector.send, args=("GET", "/healthz")) for _ in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert collector.stop() == 0
    assert collector.log.read_text() == ""


def test_a_failure_is_logged_by_its_class_and_place_alone(collector: LiveCollector) -> None:
    """A traceback would quote the message, the path and the body; none is kept."""
    body = json.dumps({"answer": CANARY}).encode()
    answer = collector.send("POST", f"/crash/{CANARY}", body, HEADERS)
    assert "send the same bytes again later" in assert_problem(answer, "internal-error")
    assert CANARY.encode() not in answer.body
    assert collector.stop() == 0
    log = collector.log.read_text()
    assert re.fullmatch(r"ValueError at support/live_server\.py:\d+\n", log)


def test_a_client_that_goes_away_leaves_no_address_in_the_log(collector: LiveCollector) -> None:
    """Connections that are reset or left half-done are nobody's business."""
    for request_bytes in (b"", b"POST /api/reports HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"):
        with closing(collector.connect()) as connection:
            connection.connect()
            connection.sock.send(request_bytes)
    assert collector.send("GET", "/healthz").status == 200
    assert collector.stop() == 0
    assert collector.log.read_text() == ""
