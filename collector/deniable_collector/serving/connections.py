"""The open connections of this process, and closing those of networks with too many.

While less than half of the room is used, a network may have any number of connections. From
then on, no network keeps more than its part of the whole room. No addresses are stored for
this: the kernel knows the address of each connection, and its reply is discarded after use.
"""

import os
import socket
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress

from deniable_collector.limits import read_address
from deniable_collector.serving.shares import PARTS, network_of

FAMILIES = (socket.AF_INET, socket.AF_INET6)
_OPEN = "/proc/self/fd"


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
