"""Ports for servers whose address must be known before they start."""

import random
import socket
from pathlib import Path

_EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
_FIRST = 10_000


def free_port() -> int:
    """A port of this machine that nobody listens on, and that no connection gets by itself.

    The system chooses ports for connections from a range of its own. A port of that range
    may be used by a connection before the server starts.
    """
    begin = int(_EPHEMERAL.read_text().split()[0]) if _EPHEMERAL.exists() else 32_768
    # Different in processes that run side by side with the same seed.
    draw = random.SystemRandom()
    while True:
        port = draw.randrange(_FIRST, begin)
        with socket.socket() as taken:
            try:
                taken.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
