"""Starts the requested number of processes, and reports their URL."""

import socket
from collections.abc import Callable

from deniable_collector.metrics import shared_metrics
from deniable_collector.serving.listening import listen, url_of
from deniable_collector.serving.worker import OpenApp, WorkerLimits, work
from deniable_collector.serving.workers import supervise

IDLE_TIMEOUT_S = 20
_THREADS = 32


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
    process; a single worker is this process itself.

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
        WorkerFailed: one of several workers could not start.
    """
    limits = WorkerLimits(threads, idle_timeout_s, is_kept=listening is not None)
    with listening or listen(host, port) as accepting:
        url = url_of(accepting)

        def tell() -> None:
            on_ready(url)

        if workers == 1:
            work(open_app, accepting, limits, tell)
        else:
            with shared_metrics():
                supervise(open_app, accepting, limits, workers, tell)
