"""Slow and silent senders do not hold up other senders."""

import os
import re
import resource
import select
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from collector.serving.exchanges import JSON, NDJSON, connect, head, read_answer
from deniable_collector.serving.connections import MOST_CONNECTIONS, room_for_connections
from deniable_sdk import randomize
from live_server import LiveCollector, live_collector
from sample_definitions import survey, yes_no

ReadBytes = Callable[[int], bytes]

PUBLISHED = survey(yes_no())
CHUNKED = b"Transfer-Encoding: chunked"
DRIPPING = 100
IDLE = 1_300
LINES = 1_000


@pytest.fixture
def collector(store_path: Path) -> Iterator[LiveCollector]:
    """A collector with a survey, and as many threads as it has by default."""
    with live_collector(store_path, "--threads", "32", "--idle-timeout", "60") as running:
        assert running.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
        yield running
        assert running.log.read_text() == ""


def are_open(connections: list[socket.socket]) -> bool:
    """Whether none was answered or closed."""
    poll = select.poll()
    for connection in connections:
        poll.register(connection, select.POLLIN)
    return not poll.poll(0)


@contextmanager
def dripping(connections: list[socket.socket], part: bytes) -> Iterator[None]:
    """Each of them sends as much again and again."""
    is_over = threading.Event()

    def drip() -> None:
        while not is_over.wait(0.2):
            for connection in connections:
                connection.sendall(part)

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@pytest.mark.parametrize("media_type", [NDJSON, JSON])
def test_a_long_body_is_taken_while_a_hundred_drip(
    collector: LiveCollector, read_bytes: ReadBytes, media_type: bytes
) -> None:
    """Those who drip take no thread, and all of them are still at it."""
    reports = [randomize(PUBLISHED, {}, read_bytes=read_bytes) for _ in range(LINES)]
    lines = b"\n".join(report.to_bytes() for report in reports)
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(collector)) for _ in range(DRIPPING)]
        for index, connection in enumerate(slow):
            length = CHUNKED if index % 2 else b"Content-Length: 3000000"
            connection.sendall(head(media_type, length) + (b"1\r\n[" if index % 2 else b"["))
        with dripping(slow[::2], b" "):
            answer = collector.send(
                "POST", "/api/reports", lines, {"Content-Type": NDJSON.decode()}
            )
            assert answer.document["stored"] == LINES
            assert collector.send("POST", "/api/reports", reports[0].to_bytes()).status == 200
            assert are_open(slow)


def test_whoever_drips_is_told_so(store_path: Path) -> None:
    """A part every now and then does not put off the end of patience."""
    with (
        live_collector(store_path, "--idle-timeout", "2") as collector,
        connect(collector) as connection,
    ):
        connection.sendall(head(NDJSON, b"Content-Length: 3000000"))
        with dripping([connection], b" "):
            status, body = read_answer(connection)
    assert status == 400
    assert b"did not arrive in time" in body


def test_health_is_answered_while_more_are_silent_than_ever(collector: LiveCollector) -> None:
    """Idle connections of one address, more than a thousand, keep nobody out."""
    with ExitStack() as stack:
        idle = [stack.enter_context(connect(collector)) for _ in range(IDLE)]
        assert collector.send("GET", "/healthz").status == 200
        assert are_open(idle)


@pytest.mark.deep
def test_more_connections_than_there_is_room_for_are_logged_once(store_path: Path) -> None:
    """Further ones wait, one line says so, and all goes on once the others have left."""
    room = 128
    command = f"ulimit -n {2 * room}; exec deniable serve --port 0 --store {store_path}"
    log = store_path.with_suffix(".log")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    with (
        log.open("wb") as said,
        subprocess.Popen(
            ["sh", "-c", command],
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as process,
        ExitStack() as stack,
    ):
        stack.callback(process.terminate)
        assert process.stdout
        (port,) = re.findall(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
        address = ("127.0.0.1", int(port))
        with ExitStack() as idle:
            for _ in range(3 * room):
                idle.enter_context(socket.create_connection(address, timeout=60))
            while "too many connections" not in log.read_text():
                time.sleep(0.1)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as answer:
            assert answer.status == 200
    assert log.read_text().count("too many connections") == 1


def test_descriptors_are_kept_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a process may open, some of it is left for the store."""
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    for limits, room in (
        ((1_024, 1_048_576), MOST_CONNECTIONS),
        ((1_024, 4_096), 3_896),
        ((256, 256), 128),
        ((100_000, 100_000), MOST_CONNECTIONS),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), MOST_CONNECTIONS),
    ):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limits=limits: limits)
        assert room_for_connections() == room
    assert raised[:2] == [(MOST_CONNECTIONS + 200, 1_048_576), (4_096, 4_096)]
