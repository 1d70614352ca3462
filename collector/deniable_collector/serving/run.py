"""Listens, and answers requests in this process or in several."""

import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from deniable_collector.errors import AddressUnavailable
from deniable_collector.logs import tell
from deniable_collector.metrics import shared_metrics
from deniable_collector.serving.worker import BACKLOG, OpenApp, WorkerLimits, work
from deniable_collector.system import CAN_FORK
from deniable_sdk.errors import quote

IDLE_TIMEOUT_S = 20
_THREADS = 32
_LAST_PORT = 65_535


def serve(  # noqa: PLR0913  all but the application are keywords with defaults
    open_app: OpenApp,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int = 1,
    listening: socket.socket | None = None,
    on_ready: Callable[[str], None] = lambda _url: None,
    threads: int = _THREADS,
    idle_timeout_s: int = IDLE_TIMEOUT_S,
) -> None:
    """Serve until SIGTERM or SIGINT arrives and all accepted requests are finished.

    Call it from the main thread, without open stores. Several workers are forks of this
    process; a single worker is this process itself, and the only one on Windows.

    Args:
        open_app: opens the application with its store; called in each worker.
        host: the name or address to listen on.
        port: the port, or 0 for any free one.
        workers: how many processes answer requests.
        listening: a socket that systemd keeps, instead of a host and a port. After a stop
            signal, new connections wait in it; requests on connections accepted before
            still get responses.
        on_ready: called with the URL as soon as requests are accepted.
        threads: how many requests a worker processes at once.
        idle_timeout_s: how long a connection may be silent before it is closed.
    Raises:
        AddressUnavailable: the address is in use, or does not belong to this machine.
        WorkerFailed: the first of several workers could not start.
    """
    limits = WorkerLimits(threads, idle_timeout_s, is_kept=listening is not None)
    with listening or _listen(host, port) as accepting:
        ready = partial(on_ready, _url_of(accepting))
        if workers > 1 and not CAN_FORK:
            tell("one worker answers, because this system cannot fork", asked_for=workers)
            workers = 1
        if workers == 1:
            work(open_app, accepting, limits, ready)
            return
        # Here, because it needs the signals of a system that forks.
        from deniable_collector.serving.workers import supervise  # noqa: PLC0415

        with shared_metrics():
            supervise(open_app, accepting, limits, workers, ready)


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; connections wait in it until somebody accepts them."""
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


def _url_of(listening: socket.socket) -> str:
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
