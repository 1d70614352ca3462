"""How much memory hostile bodies use while they are read."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deniable_sdk import randomize
from live_server import LiveCollector, live_collector
from sample_definitions import survey, yes_no
from sampled_params import sampled_params

PUBLISHED = survey(yes_no())
SENDERS = 16
MOST_KIB = 250 << 10
BODY_BYTES = 4 << 20
LINES = "application/x-ndjson"
ARRAY = "application/json"


def filled(unit: bytes, before: bytes = b"[", after: bytes = b"]") -> bytes:
    """Some 4 MB of the same value again and again."""
    count = (BODY_BYTES - len(before) - len(after) - 1) // (len(unit) + 1)
    return before + b",".join([unit] * count) + after


def refused(count: int, before: bytes = b"") -> list[bytes]:
    """Reports of a survey that nobody knows, each with an id of its own.

    Args:
        count: how many.
        before: what stands among them, every few thousand.
    """
    known = PUBLISHED.digest.encode()
    report = randomize(PUBLISHED, {}).to_bytes().replace(known, known[::-1])
    index = report.index(b'"report":"') + len(b'"report":"')
    lines = [b"%s%032x%s" % (report[:index], n, report[index + 32 :]) for n in range(count)]
    return [before or line if n % 4_000 == 0 else line for n, line in enumerate(lines)]


def lines(each: list[bytes]) -> bytes:
    """Some 4 MB of them as lines."""
    return b"\n".join(each)[:BODY_BYTES].rpartition(b"\n")[0]


BODIES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "objects": (ARRAY, lambda: filled(b"{}")),
    "lists": (ARRAY, lambda: filled(b"[]")),
    "numbers": (ARRAY, lambda: filled(b"999")),
    "lists in a list": (ARRAY, lambda: filled(b"[]", b"[[", b"]]")),
    "objects in a list": (ARRAY, lambda: filled(b'{"a":1}', b"[[", b"]]")),
    "objects in an object": (ARRAY, lambda: filled(b'{"a":1}', b'{"values":[', b"]}")),
    "an object in an array": (ARRAY, lambda: filled(b"[]", b'[{"a":[', b"]}]")),
    "nested lists": (ARRAY, lambda: b"[" * BODY_BYTES),
    "nested objects": (ARRAY, lambda: b'{"a":' * (BODY_BYTES // 5)),
    "lines of objects": (LINES, lambda: filled(b"{}", b"", b"").replace(b",", b"\n")[: 1 << 18]),
    "empty lines": (LINES, lambda: b"\n" * BODY_BYTES),
    "a long line": (LINES, lambda: b"x" * BODY_BYTES),
    "a line of objects": (LINES, lambda: filled(b"{}")),
    "lines that are refused": (LINES, lambda: lines(refused(40_000))),
    "as many as have receipts": (LINES, lambda: lines(refused(10_000))),
    "refused among stored ones": (
        LINES,
        lambda: lines(refused(40_000, randomize(PUBLISHED, {}).to_bytes())),
    ),
    "an array that is refused": (ARRAY, lambda: b"[%s]" % b",".join(refused(10_000))),
}


def highest_kib(collector: LiveCollector) -> int:
    """The most memory that the collector has taken."""
    lines = Path(f"/proc/{collector.process.pid}/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("VmHWM"))
    return int(line.split()[1])


@pytest.mark.parametrize("kind", sampled_params(BODIES, len(BODIES)))
def test_sixteen_hostile_bodies_at_once_take_little_memory(store_path: Path, kind: str) -> None:
    """Each is refused or counted, or told to come back, and the process stays below 250 MB."""
    media_type, make = BODIES[kind]
    body = make()
    with live_collector(store_path, "--threads", "32") as collector:
        assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 201

        def send(_: int) -> int:
            headers = {"Content-Type": media_type}
            return collector.send("POST", "/api/reports", body, headers).status

        with ThreadPoolExecutor(SENDERS) as threads:
            statuses = set(threads.map(send, range(SENDERS)))
        # A request that cannot be read in time ends with 503, so that it holds up no others.
        assert statuses <= {200, 400, 413, 422, 429, 503}
        assert statuses != {503}
        assert highest_kib(collector) < MOST_KIB
        report = randomize(PUBLISHED, {}).to_bytes()
        assert collector.send("POST", "/api/reports", report).status == 201
