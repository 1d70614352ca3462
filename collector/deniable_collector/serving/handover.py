"""A listening socket that outlives the process: systemd keeps it for the next one.

systemd listens, and starts the process with the socket as descriptor 3 (LISTEN_PID and
LISTEN_FDS of sd_listen_fds(3)). While a process is replaced, new connections wait in the
socket's queue, and none is refused.
"""

import asyncio
import os
import select
import socket
import time
from collections.abc import MutableMapping
from contextlib import suppress

from deniable_collector.errors import AddressUnavailable
from deniable_collector.serving.connections import (
    FAMILIES,
    connections_to,
    descriptors,
    leads_to,
    listens,
)
from deniable_sdk.errors import quote

_FIRST_DESCRIPTOR = 3
_EVENTS = "anon_inode:[eventpoll]"
# How long open connections may take to send their last requests.
_LONGEST_S = 3.0
_STEP_S = 0.05


def handed_over(environment: MutableMapping[str, str] = os.environ) -> socket.socket | None:
    """The socket that this process was started with; None if it must listen itself.

    The variables that announce the socket are removed from the environment: they are not
    meant for processes that this one starts.

    Raises:
        AddressUnavailable: it is not exactly one listening TCP socket.
    """
    process, count, _ = (
        environment.pop(name, "") for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")
    )
    if process != str(os.getpid()):
        return None
    if count != "1":
        raise AddressUnavailable(
            f"got {quote(count)} sockets from systemd; allowed is 1, so keep one ListenStream= "
            "in the socket's unit"
        )
    with suppress(OSError):
        found = socket.socket(fileno=_FIRST_DESCRIPTOR)
        if found.family in FAMILIES and listens(found):
            found.set_inheritable(False)
            # Connections inherit this option: a response never waits for another packet.
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return found
        found.close()
    raise AddressUnavailable(
        "got from systemd something other than a listening TCP socket; set ListenStream= to an "
        "address and a port in the socket's unit, without Accept="
    )


def stop_accepting(descriptor: int) -> None:
    """Let new connections wait in this listening socket from now on.

    The server has no way to do this without closing its connections. So the socket is
    removed from the events that the server waits for; the socket itself stays open.
    """
    for number in descriptors():
        if leads_to(number, _EVENTS):
            with suppress(OSError), select.epoll.fromfd(os.dup(number)) as events:
                events.unregister(descriptor)


async def wait_until_left(listening: socket.socket) -> None:
    """Wait until all connections of a listening socket are closed, but only for a short time."""
    deadline = time.monotonic() + _LONGEST_S
    # A connection may have been accepted just now.
    await asyncio.sleep(_STEP_S)
    port = listening.getsockname()[1]
    while next(connections_to(port), None) is not None and time.monotonic() < deadline:
        await asyncio.sleep(_STEP_S)
