"""The open descriptors of this process, and which of them are connections to a port."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

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
