"""Connections of one network that are more than its part, closed where room gets short.

While less than half of the room is taken, everybody may have as many
connections as they like. From then on no network keeps more than its part of
all there is room for. Nothing is kept to know that: the kernel knows whose a
connection is, is asked, and the answer is forgotten.
"""

import socket
from collections.abc import Set
from contextlib import suppress

from deniable_collector.limits import read_address
from deniable_collector.serving.connections import connection_to, descriptors
from deniable_collector.serving.shares import PARTS, network_of


def close_excess(room: int, port: int, busy_ports: Set[int]) -> int:
    """How many connections were closed that are more than their network's part.

    Args:
        room: how many connections there is room for.
        port: which connections came to, all others stay.
        busy_ports: of senders whose requests are being answered; they go last.
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
                # By now it may be another one.
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
