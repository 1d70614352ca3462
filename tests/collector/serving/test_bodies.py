"""Bodies that are long, slow, broken off or sent in pieces."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from collector.serving.exchanges import JSON, NDJSON, chunk, connect, head, read_answer
from deniable_collector.intake.streams import LINES_AT_A_TIME
from deniable_sdk import randomize
from live_server import LiveCollector, live_collector
from sample_definitions import survey, yes_no

ReadBytes = Callable[[int], bytes]

PUBLISHED = survey(yes_no(), yes_no("smoker"))
CHUNKED = b"Transfer-Encoding: chunked"
JUNK = b" " * 4_095 + b"\n"
# Far above what all that is read ahead may take.
JUNK_LINES = 16_384
MOST_GROWTH_KIB = 40 << 10
TIMEOUT_S = 60


@pytest.fixture
def collector(store_path: Path) -> Iterator[LiveCollector]:
    """A collector with few threads and a survey."""
    with live_collector(store_path, "--threads", "4", "--idle-timeout", "3") as running:
        assert running.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
        yield running
        assert running.stop() == 0
        assert running.log.read_text() == ""


def resident_kib(collector: LiveCollector) -> int:
    """How much memory the collector has needed at most."""
    status = Path(f"/proc/{collector.process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1])


@pytest.mark.deep
@pytest.mark.parametrize("is_chunked", [True, False], ids=["chunks", "a length"])
def test_a_long_body_takes_no_memory(collector: LiveCollector, is_chunked: bool) -> None:
    """64 MiB of lines are read as they come, whichever way they are sent."""
    length = b"Content-Length: %d" % (JUNK_LINES * len(JUNK))
    part = 16 * JUNK
    with connect(collector) as connection:
        connection.sendall(head(NDJSON, CHUNKED if is_chunked else length))
        connection.sendall(chunk(part) if is_chunked else part)
        before = resident_kib(collector)
        for _ in range(JUNK_LINES // 16 - 1):
            connection.sendall(chunk(part) if is_chunked else part)
        connection.sendall(b"0\r\n\r\n" if is_chunked else b"")
        status, body = read_answer(connection)
    assert status == 200
    assert json.loads(body)["refused"] == 0
    assert resident_kib(collector) - before < MOST_GROWTH_KIB


def test_lines_are_stored_while_the_rest_is_still_to_come(
    collector: LiveCollector, read_bytes: ReadBytes
) -> None:
    """Of a body that never ends, thousands of reports are there to be counted."""
    report = (randomize(PUBLISHED, {}, read_bytes=read_bytes) for _ in range(LINES_AT_A_TIME + 1))
    lines = b"".join(each.to_bytes() + b"\n" for each in report)
    stored = f'deniable_reports_total{{outcome="stored"}} {LINES_AT_A_TIME}.0'.encode()
    deadline = time.monotonic() + TIMEOUT_S
    with connect(collector) as connection:
        connection.sendall(head(NDJSON, CHUNKED) + chunk(lines))
        while stored not in collector.send("GET", "/metrics").body:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_slow_senders_of_reports_hold_up_nobody(
    collector: LiveCollector, read_bytes: ReadBytes
) -> None:
    """More half-sent bodies than there are threads, and others are answered."""
    body = randomize(PUBLISHED, {}, read_bytes=read_bytes).to_bytes()
    with ExitStack() as slow:
        connections = [slow.enter_context(connect(collector)) for _ in range(40)]
        for connection in connections:
            connection.sendall(head(JSON, b"Content-Length: 100") + b"[")
        for _ in range(10):
            connection = slow.enter_context(connect(collector))
            connection.sendall(head(NDJSON, CHUNKED) + b"1\r\n[")
        assert collector.send("POST", "/api/reports", body).status == 201
        assert collector.send("GET", "/healthz").status == 200


def test_a_sender_who_falls_silent_is_told(collector: LiveCollector) -> None:
    """Half a body is not waited for longer than was set."""
    with connect(collector) as connection:
        connection.sendall(head(JSON, b"Content-Length: 100") + b"[")
        status, body = read_answer(connection)
    assert status == 400
    assert json.loads(body)["type"] == "urn:deniable:problem:malformed-request"


def test_a_sender_who_leaves_midway_is_forgotten(
    collector: LiveCollector, read_bytes: ReadBytes
) -> None:
    """Bodies that break off store nothing of the broken part, and harm nobody."""
    body = randomize(PUBLISHED, {}, read_bytes=read_bytes).to_bytes()
    for begun in (
        head(JSON, b"Content-Length: %d" % len(body)) + body[:-1],
        head(JSON, b"Content-Length: 200000") + b"[" * 100_000,
        head(NDJSON, CHUNKED) + chunk(body[:-1]),
    ):
        with connect(collector) as connection:
            connection.sendall(begun)
    assert collector.send("POST", "/api/reports", body).status == 201


def test_a_connection_is_good_after_a_body_that_was_too_long(collector: LiveCollector) -> None:
    """What nobody wanted is read to its end, and the next request answered."""
    with connect(collector) as connection:
        connection.sendall(head(JSON, b"Content-Length: 6000000") + b" " * 6_000_000)
        assert read_answer(connection)[0] == 413
        connection.sendall(head(JSON, b"Content-Length: 2") + b"[]")
        assert read_answer(connection)[0] == 200


def test_a_header_cannot_pass_for_one_of_a_proxy(collector: LiveCollector) -> None:
    """A name with an underscore is no name with a hyphen."""
    answer = collector.send(
        "POST", "/api/reports", b"[]", {"Content-Type": "application/json", "Content_Type": "x"}
    )
    assert answer.status == 200
