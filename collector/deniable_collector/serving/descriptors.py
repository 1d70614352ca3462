"""How many connections a process has room for.

Each takes a descriptor. Where none is left, the server would try again and
again to accept the next connection, and the store could open no file. So some
are kept free, and connections beyond the others wait to be accepted.
"""

import asyncio
import resource
import time
from collections.abc import Callable, Set
from contextlib import suppress

from deniable_collector.logs import ThrottledLog
from deniable_collector.serving.connections import descriptors
from deniable_collector.serving.crowds import close_excess

# Each may take some 64 KiB.
MOST_CONNECTIONS = 8_000
# The store's files, for each thread its own, and what the process has besides.
_KEPT_FREE = 200
_LOOK_EVERY_S = 0.5
# Looking whose connections are takes one part of so many of the time.
_REST = 10


def room_for_connections() -> int:
    """How many connections may be open at once; the process is let have as many files."""
    wanted = MOST_CONNECTIONS + _KEPT_FREE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        raised = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
            soft = raised
    if soft == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(1, min(MOST_CONNECTIONS, soft - min(_KEPT_FREE, soft // 2)))


async def keep_room(
    connections: int, port: int, busy_ports: Callable[[], Set[int]], *, is_behind_proxies: bool
) -> None:
    """Close what is more than a network's part, and log that further ones have to wait.

    Behind proxies all connections are theirs, and none is closed.
    """
    log = ThrottledLog()
    with suppress(OSError):
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            # Where there are many, nearly all are connections.
            taken = len(descriptors())
            if taken < connections // 2:
                continue
            if taken >= connections:
                log.tell("too many connections", cause=f"room for {connections}")
            if not is_behind_proxies:
                begun = time.monotonic()
                await asyncio.to_thread(close_excess, connections, port, busy_ports())
                await asyncio.sleep(_REST * (time.monotonic() - begun))
