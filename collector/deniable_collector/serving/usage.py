"""What a worker uses of the machine, for the counts that operators read."""

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import suppress
from math import nan
from pathlib import Path
from typing import Final

from deniable_collector.metrics import Usage
from deniable_collector.serving.connections import connections_to, descriptors

_STATUS: Final = Path("/proc/self/statm")
_LOOK_EVERY_S: Final = 0.5
# The time between two looks, as a multiple of the time of one: with thousands of connections
# a look takes a tenth of a second.
_REST: Final = 20


async def watch_usage(port: int, on_use: Callable[[Usage], None]) -> None:
    """Report again and again what this process uses.

    Args:
        port: that the process listens on.
        on_use: receives what it uses now.
    """
    while True:
        begun = time.monotonic()
        # No descriptor may be free to look with.
        with suppress(OSError):
            on_use(await asyncio.to_thread(measure, port))
        await asyncio.sleep(max(_LOOK_EVERY_S, _REST * (time.monotonic() - begun)))


def measure(port: int) -> Usage:
    """What this process uses now; what the system does not say is not a number."""
    open_connections = sum(1 for _ in connections_to(port)) if descriptors() else nan
    return Usage(open_connections, _memory_bytes(), time.process_time())


def _memory_bytes() -> float:
    try:
        resident_pages = int(_STATUS.read_text().split()[1])
    except OSError:
        return nan
    return float(resident_pages * os.sysconf("SC_PAGE_SIZE"))
