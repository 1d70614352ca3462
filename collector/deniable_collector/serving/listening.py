"""The listening socket."""

import socket
from contextlib import suppress
from typing import Any

from deniable_collector.errors import AddressUnavailable
from deniable_sdk.errors import quote

BACKLOG = 1_024
_LAST_PORT = 65_535


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; connections wait in it until somebody accepts them.

    Raises:
        AddressUnavailable: the address is in use, or does not belong to this machine.
    """
    family, address = _resolve(host, port)
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit this option: a response never waits for another packet.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise AddressUnavailable(
            f"cannot listen on {host}, port {port} ({error.strerror}); "
            "stop what is using it, or choose another port (0 takes a free one)"
        ) from None
    return listening


def url_of(listening: socket.socket) -> str:
    """The address of a listening socket, as a URL for a browser."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _resolve(host: str, port: int) -> tuple[socket.AddressFamily, Any]:
    found = []
    # Some systems read a port above the highest as another port.
    if 0 <= port <= _LAST_PORT:
        with suppress(OSError, UnicodeError):
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not found:
        raise AddressUnavailable(
            f"got the address {quote(host)} and the port {port}; allowed are names and addresses "
            f"of this machine and ports from 0 to {_LAST_PORT}; 127.0.0.1 always works"
        )
    family, _, _, _, address = found[0]
    return family, address
