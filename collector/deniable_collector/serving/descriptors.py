"""How many connections a process has room for.

Each connection uses a descriptor. Without a free descriptor, the server would try again and
again to accept the next connection, and the store could open no file. So some descriptors
are kept free, and further connections wait to be accepted.
"""

import asyncio
import resource
import time
from collections.abc import Callable, Set
from contextlib import suppress

from deniable_collector.logs import ThrottledLog
from deniable_collector.serving.connections import close_excess, descriptors

# Each connection may use some 64 KiB.
MOST_CONNECTIONS = 8_000
# For the store's files, which each thread opens, and for all other files of the process.
_KEPT_FREE = 200
_LOOK_EVERY_S = 0.5
# The time between two look-ups of all connections' networks, as a multiple of the time of one.
_REST = 10


def room_for_connections() -> int:
    """How many connections may be open at once; raises the process's limit of files if needed."""
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
