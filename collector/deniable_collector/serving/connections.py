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
    """The connection of a descriptor, if it is a connection to the port."""
    found = None
    with suppress(OSError):
        # A copy of the descriptor: it refers to the same connection even if the original is
        # reused.
        copied = os.dup(descriptor)
        try:
            found = socket.socket(fileno=copied)
        except OSError:
            os.close(copied)
    if found is None:
        yield None
        return
    with found:
        came_here = found.family in FAMILIES and found.getsockname()[1] == port
        yield found if came_here and not listens(found) else None


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
                # The descriptor may refer to another connection by now.
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
