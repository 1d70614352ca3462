"""Looking at the connections of a process touches none of its files."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from deniable_collector.serving.connections import close_excess, connection_to, descriptors
from deniable_collector.serving.handover import wait_until_left
from locks import can_be_written, is_log_kept, writing


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """A file that this process is writing, with lower descriptors than the connections."""
    path = tmp_path / "store.sqlite"
    with writing(path):
        yield path


@pytest.fixture
def listening(store: Path) -> Iterator[socket.socket]:  # noqa: ARG001  its descriptors come first
    """A listening socket with two open connections of one network."""
    with ExitStack() as stack:
        found = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for _ in range(2):
            stack.enter_context(connect(found))
            stack.enter_context(found.accept()[0])
        yield found


def connect(listening: socket.socket) -> socket.socket:
    """A connection from a network that is not this machine's own."""
    return socket.create_connection(listening.getsockname(), source_address=("127.0.0.2", 0))


def look(listening: socket.socket) -> None:
    """Look at each descriptor."""
    for number in descriptors():
        with connection_to(listening.getsockname()[1], number):
            pass


def wait(listening: socket.socket) -> None:
    """Wait for the connections as a process does that systemd stops."""
    asyncio.run(wait_until_left(listening))


def close(listening: socket.socket) -> None:
    """Close the connections of a network that has too many."""
    assert close_excess(1, listening.getsockname()[1], frozenset()) == 1


@pytest.mark.parametrize("act", [look, wait, close])
def test_the_locks_on_the_store_stay(
    store: Path, listening: socket.socket, act: Callable[[socket.socket], None]
) -> None:
    """Without them two processes write at the same time, and reports that got 201 are lost."""
    act(listening)
    assert not can_be_written(store)
    assert is_log_kept(store)


def test_the_connections_of_a_port_are_found_and_stay_open(listening: socket.socket) -> None:
    """Those that were accepted; not the listening socket, and not the other ends."""
    port, found = listening.getsockname()[1], 0
    for number in descriptors():
        with connection_to(port, number) as connection:
            found += connection is not None
    assert found == 2
    with connect(listening) as one, listening.accept()[0] as other:
        look(listening)
        one.sendall(b"still open")
        assert other.recv(10) == b"still open"
