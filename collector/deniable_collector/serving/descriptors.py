"""How many connections a process has room for.

Each takes a descriptor. Where none is left, the server would try again and
again to accept the next connection, and the store could open no file. So some
are kept free, and connections beyond the others wait to be accepted.
"""

import asyncio
import os
import resource
from contextlib import suppress

from deniable_collector.logs import Repeated

# Each may take some 64 KiB.
MOST_CONNECTIONS = 8_000
# The store's files, for each thread its own, and what the process has besides.
_KEPT_FREE = 200
_LOOK_EVERY_S = 2.0


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


async def tell_when_full(connections: int) -> None:
    """Log, at most once a minute, that further connections have to wait."""
    log = Repeated()
    with suppress(OSError):
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            # Nearly all of so many are connections; which are, nobody has to look.
            if len(os.listdir("/proc/self/fd")) >= connections:  # noqa: PTH208  8,000 names, no paths
                log.tell("too many connections", cause=f"room for {connections}")
