"""One network uses at most its part of the resources that all senders share."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from collector.serving.exchanges import NDJSON, chunk, head, read_answer
from deniable_collector.serving.bodies import MOST_AHEAD_OF_ALL
from deniable_collector.serving.shares import PARTS, NetworkShares, network_of
from live_server import LiveCollector, live_collector

ROOM = 128
SLOTS = 16
THEIRS = bytes([192, 0, 2, 7])
OTHERS = bytes([192, 0, 2, 8])
OWN = bytes([127, 0, 0, 1])


def connect_from(source: str, address: tuple[str, int]) -> socket.socket:
    """A connection from one of this machine's addresses."""
    return socket.create_connection(address, timeout=60, source_address=(source, 0))


def is_closed(connection: socket.socket) -> bool:
    """Whether the other side has ended a connection that was silent."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


@contextmanager
def small_collector(store: Path, **environment: str) -> Iterator[tuple[str, int]]:
    """The address of a collector with room for few connections."""
    command = f"ulimit -n {2 * ROOM}; exec deniable serve --port 0 --store {store}"
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    with subprocess.Popen(
        ["sh", "-c", command],
        env={**os.environ, "PATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout
            (port,) = re.findall(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
            yield "127.0.0.1", int(port)
        finally:
            process.terminate()


@pytest.mark.deep
def test_idle_connections_of_one_network_leave_room_for_others(store_path: Path) -> None:
    """What is more than a quarter is closed, and another network is not touched."""
    with small_collector(store_path) as address, ExitStack() as stack:
        others = [stack.enter_context(connect_from("127.0.0.3", address)) for _ in range(8)]
        theirs = [stack.enter_context(connect_from("127.0.0.2", address)) for _ in range(ROOM)]
        with urllib.request.urlopen(f"http://127.0.0.1:{address[1]}/healthz", timeout=60) as said:
            assert said.status == 200
        deadline = time.monotonic() + 15
        while sum(map(is_closed, theirs)) < ROOM - ROOM // PARTS and time.monotonic() < deadline:
            time.sleep(0.1)
        assert sum(not is_closed(each) for each in theirs) == ROOM // PARTS
        assert not any(map(is_closed, others))


@pytest.mark.deep
@pytest.mark.parametrize("proxies", ["0", "1"])
def test_connections_of_a_proxy_are_never_closed(store_path: Path, proxies: str) -> None:
    """All of them are one address: this machine's, or one that the operator has named."""
    source = "127.0.0.2" if proxies == "1" else "127.0.0.1"
    with (
        small_collector(store_path, DENIABLE_PROXIES=proxies) as address,
        ExitStack() as stack,
    ):
        idle = [stack.enter_context(connect_from(source, address)) for _ in range(100)]
        time.sleep(3)
        assert not any(map(is_closed, idle))


@pytest.fixture
def collector(store_path: Path) -> Iterator[LiveCollector]:
    """A collector with as many threads as it has by default."""
    with live_collector(store_path, "--threads", "32", "--idle-timeout", "60") as running:
        yield running


def test_long_bodies_of_one_network_leave_slots_for_others(collector: LiveCollector) -> None:
    """More of them than there are slots come slowly, and another's long body is taken."""
    begun = chunk(b" " * 65_535 + b"\n") * 9
    with ExitStack() as stack:
        for _ in range(SLOTS + 4):
            slow = stack.enter_context(connect_from("127.0.0.2", collector.address))
            slow.sendall(head(NDJSON, b"Transfer-Encoding: chunked") + begun)
        other = stack.enter_context(connect_from("127.0.0.3", collector.address))
        other.sendall(head(NDJSON, b"Transfer-Encoding: chunked") + begun * 2 + b"0\r\n\r\n")
        status, _ = read_answer(other)
        assert status == 200


def test_a_share_is_a_quarter_and_is_forgotten() -> None:
    """Slots and room are counted for as long as a body comes; this machine has all."""

    async def take() -> None:
        shares = NetworkShares(SLOTS)
        with shares.of(THEIRS) as share, shares.of(THEIRS) as same, shares.of(OTHERS) as other:
            assert share is same
            assert share is not other
            assert len(shares) == 2
            assert share.ahead.left == MOST_AHEAD_OF_ALL // PARTS
            share.ahead.take(MOST_AHEAD_OF_ALL // PARTS)
            assert (share.ahead.left, other.ahead.left) == (0, MOST_AHEAD_OF_ALL // PARTS)
            for _ in range(SLOTS // PARTS):
                await share.places._free.acquire()
            assert share.places._free.locked()
            assert not other.places._free.locked()
            share.ahead.take(-MOST_AHEAD_OF_ALL // PARTS)
        assert not shares
        with shares.of(OWN) as own:
            assert own.ahead.left == MOST_AHEAD_OF_ALL
            assert not shares

    asyncio.run(take())


def test_no_address_is_kept() -> None:
    """A network's name is a hash under a key that each process draws anew."""

    async def names() -> set[bytes]:
        shares = NetworkShares(SLOTS)
        with shares.of(THEIRS):
            return set(shares._shares)

    first, second = asyncio.run(names()), asyncio.run(names())
    assert first != second
    assert all(THEIRS not in name for name in first | second)


def test_a_network_is_an_address_or_a_site() -> None:
    """All of an IPv4 address, 48 bits of IPv6; this machine's own address is none."""
    assert network_of(THEIRS) == THEIRS
    assert network_of(bytes(range(16))) == bytes(range(6))
    assert network_of(OWN) is None
    assert network_of(bytes(15) + b"\1") is None
    assert network_of(bytes([127, 0, 0, 2])) is not None
