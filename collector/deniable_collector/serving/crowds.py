"""Closes connections of networks that have more than their part when room gets short.

While less than half of the room is used, a network may have any number of connections. From
then on, no network keeps more than its part of the whole room. No addresses are stored for
this: the kernel knows the address of each connection, and its reply is discarded after use.
"""

import socket
from collections.abc import Set
from contextlib import suppress

from deniable_collector.limits import read_address
from deniable_collector.serving.connections import connection_to, descriptors
from deniable_collector.serving.shares import PARTS, network_of


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
