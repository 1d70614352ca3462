"""How many connections a process has room for.

Each takes a descriptor. Where none is left, the server would try again and
again to accept the next connection, and the store could open no file. So some
are kept free, and connections beyond the others wait to be accepted.
"""

import resource
from contextlib import suppress

# Each may take some 64 KiB.
MOST_CONNECTIONS = 8_000
# The store's files, for each thread its own, and what the process has besides.
_KEPT_FREE = 200


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
