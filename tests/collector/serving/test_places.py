"""Whoever sends slowly, or garbage, gives way to those who wait."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from select import select

import pytest

from collector.serving.exchanges import NDJSON, chunk, head, read_answer
from collector.serving.exchanges import connect as connected_to
from deniable_collector.serving.bodies import (
    MOST_AHEAD,
    MOST_AHEAD_OF_ALL,
    Ahead,
    BodyStream,
    DisplacedBody,
)
from deniable_collector.serving.shares import BodyPlaces
from deniable_sdk import randomize
from live_server import LiveCollector, live_collector
from problem_checks import assert_problem
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no())
CHUNKED = b"Transfer-Encoding: chunked"
SENDERS = 64
LINES = 1_000
TIMEOUT_S = 60
# What a slow sender sends at once, before it becomes slow: more than is read ahead.
BURST = 600_000
ReadBytes = Callable[[int], bytes]


class Sender:
    """A sender of parts, each after a pause."""

    def __init__(self, part: bytes, pause_s: float) -> None:
        self._part = part
        self._pause_s = pause_s

    async def __call__(self) -> bytes:
        raise NotImplementedError

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(self._pause_s)
            yield self._part


def body_of(sender: Sender) -> BodyStream:
    """The body of a sender who states no length."""
    return BodyStream(sender, None, TIMEOUT_S, Ahead())


async def read_to_the_end(body: BodyStream) -> int:
    """How many parts came until the body lost its place, or until there are many."""
    for count in range(200):
        try:
            await body._take_part()
        except DisplacedBody:
            return count
    return 200


def test_the_slowest_gives_way_first() -> None:
    """Of two slow senders the slower one ends, and whoever waited gets its place."""

    async def compete() -> list[bool]:
        places = BodyPlaces(2)
        slower, slow = body_of(Sender(b"x", TIMEOUT_S)), body_of(Sender(b"x" * 5_120, 0.2))
        async with asyncio.timeout(TIMEOUT_S), places.taken_by(slow):
            reading = asyncio.create_task(read_to_the_end(slow))

            async def hold() -> None:
                async with places.taken_by(slower):
                    await read_to_the_end(slower)

            holding = asyncio.create_task(hold())
            await asyncio.sleep(0)
            async with places.taken_by(body_of(Sender(b"x", 0))):
                displaced = [slower.is_displaced, slow.is_displaced]
            reading.cancel()
            await holding
        return displaced

    assert asyncio.run(compete()) == [True, False]


def test_who_sends_fast_keeps_the_place() -> None:
    """Whoever waits then waits until the body has ended."""

    async def compete() -> tuple[int, bool]:
        places = BodyPlaces(1)
        fast = body_of(Sender(b"x" * 65_536, 0.01))

        async def hold() -> int:
            async with places.taken_by(fast):
                return await read_to_the_end(fast)

        holding = asyncio.create_task(hold())
        await asyncio.sleep(0)
        async with asyncio.timeout(TIMEOUT_S), places.taken_by(body_of(Sender(b"x", 0))):
            return await holding, fast.is_displaced

    assert asyncio.run(compete()) == (200, False)


def test_whoever_stops_waiting_for_a_place_takes_none() -> None:
    """The place is free for the next one."""

    async def compete() -> bool:
        places = BodyPlaces(1)
        fast = body_of(Sender(b"x", 0))
        async with places.taken_by(fast):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05), places.taken_by(fast):
                    pytest.fail("two had one place")
        async with asyncio.timeout(TIMEOUT_S), places.taken_by(fast):
            return True

    assert asyncio.run(compete())


def test_there_is_always_room_to_read_ahead_for_one_more() -> None:
    """A body takes a part of what is left, and gives it back when a thread has read it."""

    async def read() -> list[int]:
        ahead = Ahead()
        taken = []
        for _ in range(SENDERS):
            body = BodyStream(Sender(b"x" * 8_192, 0), None, TIMEOUT_S, ahead)
            before = ahead.left
            assert await body.read_ahead() is None
            taken.append(before - ahead.left)
        await body._take_part()
        assert ahead.left == MOST_AHEAD_OF_ALL - sum(taken[:-1])
        return taken

    taken = asyncio.run(read())
    assert taken[0] == MOST_AHEAD
    assert taken[-1] > LINES * 150


@pytest.fixture
def collector(store_path: Path) -> Iterator[LiveCollector]:
    """A collector with a survey, and as many threads as it has by default."""
    with live_collector(store_path, "--threads", "32", "--idle-timeout", "60") as running:
        assert running.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
        yield running


def lines_of(count: int, read_bytes: ReadBytes) -> bytes:
    """Reports, one a line."""
    reports = (randomize(PUBLISHED, {}, read_bytes=read_bytes) for _ in range(count))
    return b"\n".join(report.to_bytes() for report in reports)


def test_a_long_body_is_taken_while_all_places_have_slow_senders(
    collector: LiveCollector, read_bytes: ReadBytes
) -> None:
    """They began with a burst; one after the other learns that it came slowly."""
    with ExitStack() as stack:
        slow = [stack.enter_context(connected_to(collector)) for _ in range(20)]
        for connection in slow:
            connection.sendall(head(NDJSON, CHUNKED) + chunk(b" " * 65_535 + b"\n") * 10)
        body = lines_of(4_000, read_bytes)
        answer = collector.send("POST", "/api/reports", body, {"Content-Type": NDJSON.decode()})
        assert answer.document["stored"] == 4_000
        answered, _, _ = select(slow, [], [], TIMEOUT_S)
        status, text = read_answer(answered[0])
    assert status == 429
    assert b"came slowly while others waited" in text


GARBAGE = {
    "short bodies": (NDJSON, b"{}\n" * 150_000),
    "long bodies": (NDJSON, b"{}\n" * 1_400_000),
    "single reports": (b"application/json", b'{"a":[' + b",".join([b"[]"] * 300_000) + b"]}"),
    "arrays": (b"application/json", b"[" + b",".join([b"{}"] * 10_000) + b"]"),
}


@contextmanager
def sending(collector: LiveCollector, body: bytes, media_type: bytes) -> Iterator[set[int]]:
    """A block during which many senders send a body again and again; with their statuses."""
    is_over = threading.Event()
    statuses: set[int] = set()

    def send() -> None:
        while not is_over.is_set():
            headers = {"Content-Type": media_type.decode()}
            statuses.add(collector.send("POST", "/api/reports", body, headers).status)

    with ThreadPoolExecutor(SENDERS) as senders:
        for _ in range(SENDERS):
            senders.submit(send)
        try:
            yield statuses
        finally:
            is_over.set()


@pytest.mark.deep
@pytest.mark.parametrize("kind", GARBAGE)
def test_lines_are_taken_while_many_send_garbage(
    collector: LiveCollector, read_bytes: ReadBytes, kind: str
) -> None:
    """Nobody who sends legal lines is refused, and the garbage ends early."""
    media_type, garbage = GARBAGE[kind]
    with sending(collector, garbage, media_type) as statuses:
        for _ in range(5):
            body = lines_of(LINES, read_bytes)
            headers = {"Content-Type": NDJSON.decode()}
            answer = collector.send("POST", "/api/reports", body, headers)
            assert answer.document["stored"] == LINES
    assert statuses <= {200, 422, 429}
    assert 429 in statuses


def test_refused_lines_count_as_requests_of_their_network(store_path: Path) -> None:
    """A hundred of them as one; another network is not refused."""
    environment = {"DENIABLE_PROXIES": "1", "DENIABLE_RATE_LIMIT": "40"}
    headers = {"Content-Type": NDJSON.decode(), "X-Forwarded-For": "203.0.113.77"}
    with live_collector(store_path, environment=environment) as collector:
        body = b"{}\n" * 3_900
        assert collector.send("POST", "/api/reports", body, headers).status == 200
        refused = collector.send("POST", "/api/reports", b"{}", headers)
        assert_problem(refused, "too-many-requests")
        other = {**headers, "X-Forwarded-For": "203.0.113.78"}
        assert collector.send("POST", "/api/reports", b"{}", other).status == 200
