"""The open connections of this process: how many there may be, and which are closed.

Each connection uses a descriptor. Without a free descriptor, the server would try again and
again to accept the next connection, and the store could open no file. So some descriptors
are kept free, and further connections wait to be accepted.

While less than half of the room is used, a network may have any number of connections. From
then on, no network keeps more than its part of the whole room. No addresses are stored for
this: the kernel knows the address of each connection, and its reply is discarded after use.
"""

import asyncio
import os
import socket
import time
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager, suppress

from deniable_collector.limits import read_address
from deniable_collector.logs import ThrottledLog
from deniable_collector.serving.shares import PARTS, network_of
from deniable_collector.system import room_for_files

FAMILIES = (socket.AF_INET, socket.AF_INET6)
_OPEN = "/proc/self/fd"
# Each connection may use some 64 KiB.
MOST_CONNECTIONS = 8_000
# For the store's files, which each thread opens, and for all other files of the process.
_KEPT_FREE = 200
_LOOK_EVERY_S = 0.5
# The time between two look-ups of all connections' networks, as a multiple of the time of one.
_REST = 10


def room_for_connections() -> int:
    """How many connections may be open at once; raises the process's limit of files if needed."""
    room = room_for_files(MOST_CONNECTIONS + _KEPT_FREE)
    if room is None:
        return MOST_CONNECTIONS
    return max(1, min(MOST_CONNECTIONS, room - min(_KEPT_FREE, room // 2)))


async def keep_room(
    connections: int, port: int, busy_ports: Callable[[], Set[int]], *, is_behind_proxies: bool
) -> None:
    """Close connections beyond a network's part, and log when new ones have to wait.

    Behind proxies all connections come from the proxies, and none is closed.
    """
    log = ThrottledLog()
    with suppress(OSError):
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            # If there are many descriptors, nearly all of them are connections.
            taken = len(descriptors())
            if taken < connections // 2:
                continue
            if taken >= connections:
                log.tell("too many connections", cause=f"room for {connections}")
            if not is_behind_proxies:
                begun = time.monotonic()
                await asyncio.to_thread(close_excess, connections, port, busy_ports())
                await asyncio.sleep(_REST * (time.monotonic() - begun))


def descriptors() -> list[int]:
    """All open descriptors; empty if the system does not list them."""
    try:
        return [int(name) for name in os.listdir(_OPEN)]  # noqa: PTH208  8,000 names, no paths
    except FileNotFoundError:
        return []


def leads_to(descriptor: int, target: str) -> bool:
    """Whether a descriptor refers to the object with this system name."""
    try:
        return os.readlink(f"{_OPEN}/{descriptor}") == target  # noqa: PTH115  as above
    except OSError:
        return False


def listens(found: socket.socket) -> bool:
    """Whether connections can be accepted from a socket."""
    is_stream = found.type == socket.SOCK_STREAM
    return is_stream and bool(found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))


@contextmanager
def connection_to(port: int, descriptor: int) -> Iterator[socket.socket | None]:
    """The connection of a descriptor, if it is a connection to the port.

    No descriptor is copied: many are those of the store's files, and closing a copy would
    release all locks that this process has on such a file (fcntl(2), "Record locks"). Then
    two processes could write at the same time, and acknowledged reports would be lost.
    """
    try:
        found = socket.socket(fileno=descriptor)
    except OSError:
        yield None
        return
    try:
        yield found if _came_to(port, found) else None
    finally:
        # The descriptor stays open, and belongs to the server.
        found.detach()


def connections_to(port: int) -> Iterator[int]:
    """The descriptors of all connections to a port."""
    for descriptor in descriptors():
        with connection_to(port, descriptor) as connection:
            if connection:
                yield descriptor


def _came_to(port: int, found: socket.socket) -> bool:
    try:
        return found.family in FAMILIES and found.getsockname()[1] == port and not listens(found)
    except OSError:
        # It was closed at this moment.
        return False


def close_excess(room: int, port: int, busy_ports: Set[int]) -> int:
    """Close the connections beyond their network's part, and return their number.

    Args:
        room: how many connections there is room for.
        port: only connections to this port are closed.
        busy_ports: the ports of senders that wait for a response; these are closed last.
    """
    found: dict[bytes, list[tuple[bool, int]]] = {}
    for descriptor in descriptors():
        with connection_to(port, descriptor) as connection:
            network, sent_from = _sender(connection)
            if network is not None:
                found.setdefault(network, []).append((sent_from in busy_ports, descriptor))
    closed = 0
    most = max(1, room // PARTS)
    for network, theirs in found.items():
        for _, descriptor in sorted(theirs)[: max(0, len(theirs) - most)]:
            with connection_to(port, descriptor) as connection:
                # The descriptor may be that of another connection by now.
                if connection and _sender(connection)[0] == network:
                    with suppress(OSError):
                        connection.shutdown(socket.SHUT_RDWR)
                        closed += 1
    return closed


def _sender(connection: socket.socket | None) -> tuple[bytes | None, int]:
    """The network and the port that a connection comes from; no network if that is not known."""
    if connection is None:
        return None, 0
    try:
        host, port = connection.getpeername()[:2]
    except OSError:
        return None, 0
    return network_of(read_address(f"[{host}]" if ":" in host else host)), port
