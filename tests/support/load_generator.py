"""A process that sends reports as fast as a collector takes them.

Run as a script: `singles` keeps connections open and sends one report after
another on each; `lines` sends one body of so many lines. It prints JSON. Every
report is the same but for its id, so that little time goes into making it; with
--written they come from a file.
"""

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from deniable_sdk import PublishedSurvey, randomize

WARM_UP_S = 1.0
_AT_A_TIME = 2_000
_ID_LENGTH = 32


class Reports:
    """Reports of a survey: the same randomized values, each with an id of its own."""

    def __init__(self, published: PublishedSurvey) -> None:
        report = randomize(published, {})
        body = report.to_bytes()
        self._before, _, self._after = body.partition(report.id.encode())
        self.length = len(body)

    def draw(self, count: int) -> Iterator[bytes]:
        """So many reports, or fewer if there are no more."""
        ids = os.urandom(count * _ID_LENGTH // 2).hex().encode()
        for begin in range(0, len(ids), _ID_LENGTH):
            yield self._before + ids[begin : begin + _ID_LENGTH] + self._after


class WrittenReports(Reports):
    """Reports that were written before, all of the same length, each drawn once."""

    def __init__(self, path: str) -> None:
        self._lines = iter(lines := Path(path).read_bytes().splitlines())
        self.length = len(lines[0])

    def draw(self, count: int) -> Iterator[bytes]:
        """So many reports, or fewer if there are no more."""
        return islice(self._lines, count)


class Connection(asyncio.Protocol):
    """Sends the next report when the last one is answered."""

    stored = 0
    refused = 0
    is_over = False

    def __init__(self, reports: Reports, head: bytes) -> None:
        self._reports = reports
        self._head = head
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first one."""
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        """Count the answer, which comes in one piece, and send the next one."""
        if data.startswith(b"HTTP/1.1 201"):
            Connection.stored += 1
        elif data.startswith(b"HTTP/"):
            Connection.refused += 1
        else:
            return
        if not Connection.is_over:
            self._send()

    def _send(self) -> None:
        for report in self._reports.draw(1):
            self._transport.write(self._head + report)


async def send_singles(
    address: tuple[str, int], reports: Reports, connections: int, seconds: float
) -> dict[str, float]:
    """How many reports a second were stored, one in each request."""
    head = _head("application/json", f"Content-Length: {reports.length}")
    loop = asyncio.get_running_loop()
    for _ in range(connections):
        await loop.create_connection(lambda: Connection(reports, head), *address)
    await asyncio.sleep(WARM_UP_S)
    stored, begin, used = Connection.stored, time.perf_counter(), time.process_time()
    await asyncio.sleep(seconds)
    took = time.perf_counter() - begin
    Connection.is_over = True
    return {
        "rate": (Connection.stored - stored) / took,
        "refused": Connection.refused,
        "processor": (time.process_time() - used) / took,
    }


def send_lines(address: tuple[str, int], reports: Reports, count: int) -> dict[str, float]:
    """How many reports a second were stored, all of them in one request."""
    length = count * (reports.length + 1)
    used = 0.0
    begin = time.perf_counter()
    with socket.create_connection(address, timeout=600) as connection:
        connection.sendall(_head("application/x-ndjson", f"Content-Length: {length}"))
        for _ in range(count // _AT_A_TIME):
            before = time.process_time()
            body = b"\n".join(reports.draw(_AT_A_TIME)) + b"\n"
            used += time.process_time() - before
            connection.sendall(body)
        received = b""
        while not received.endswith(b"}\n"):
            received += connection.recv(65_536)
    took = time.perf_counter() - begin
    told = json.loads(received.partition(b"\r\n\r\n")[2])
    return {"rate": told["stored"] / took, "refused": told["refused"], "processor": used / took}


def load(url: str, published: PublishedSurvey, kind: str, *options: str) -> dict[str, float]:
    """What such a process says, once it has ended."""
    command = [sys.executable, __file__, url.removeprefix("http://"), kind, *options]
    ended = subprocess.run(command, input=published.document, capture_output=True, check=True)
    found: dict[str, float] = json.loads(ended.stdout)
    return found


def _head(media_type: str, length: str) -> bytes:
    return (
        f"POST /api/reports HTTP/1.1\r\nHost: x\r\nContent-Type: {media_type}\r\n{length}\r\n\r\n"
    ).encode()


def _main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("kind", choices=("singles", "lines"))
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--written", help="a file with the reports, one a line")
    arguments = parser.parse_args()
    host, _, port = arguments.address.partition(":")
    document = sys.stdin.buffer.read()
    reports = (
        WrittenReports(arguments.written)
        if arguments.written
        else Reports(PublishedSurvey.from_bytes(document))
    )
    if arguments.kind == "lines":
        found = send_lines((host, int(port)), reports, arguments.count)
    else:
        sending = send_singles(
            (host, int(port)), reports, arguments.connections, arguments.seconds
        )
        found = asyncio.run(sending)
    print(json.dumps(found))  # noqa: T201  how whoever started it learns it


if __name__ == "__main__":
    _main()
