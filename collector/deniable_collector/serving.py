"""Running an application under waitress, and stopping it without losing work."""

# The stubs that pyright has of waitress know a part of it only.
# pyright: reportAttributeAccessIssue=false, reportReturnType=false

import logging
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer, create_server
from waitress.task import ErrorTask
from waitress.wasyncore import dispatcher, loop

from deniable_collector.errors import AddressUnavailable
from deniable_collector.problems import problem_of_status
from deniable_collector.responses import add_safe_headers, describe_failure, problem_response
from deniable_sdk.errors import quote

DRAIN_TIMEOUT_S = 10.0
IDLE_TIMEOUT_S = 20

_THREADS = 4
# Below the 1,024 open files that many systems allow a process.
_CONNECTIONS = 1_000
_LAST_PORT = 65_535
_LOOP_TIMEOUT_S = 1.0
_DRAIN_STEP_S = 0.05


def serve(  # noqa: PLR0913  all but the application are by name and have defaults
    app: Flask,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    on_ready: Callable[[str], None] = lambda _url: None,
    threads: int = _THREADS,
    idle_timeout_s: int = IDLE_TIMEOUT_S,
) -> None:
    """Nothing, once a SIGTERM or SIGINT came and accepted requests are done.

    Call it from the main thread. Afterwards close the store.

    Args:
        app: the application to run.
        host: the name or address to listen on.
        port: the port, or 0 for any free one.
        on_ready: called with the URL as soon as requests are accepted.
        threads: how many requests are worked on at once.
        idle_timeout_s: after how long a silent connection is closed.
    Raises:
        AddressUnavailable: the address is taken or not this machine's.
    """
    _keep_logs_silent_about_requests()
    listening = _listen(host, port)
    server = _create_server(app, listening, threads, idle_timeout_s)
    stopping = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopping.set()
        server.pull_trigger()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        on_ready(_url(listening))
        while not stopping.is_set():
            loop(timeout=_LOOP_TIMEOUT_S, use_poll=True, map=server._map, count=1)  # noqa: SLF001  no public name
        _drain(server)
    finally:
        server.task_dispatcher.shutdown()
        _close_all(server)
        for number, handler in before.items():
            signal.signal(number, handler)


class _ProblemTask(ErrorTask):  # type: ignore[misc]
    """The answer to what is not HTTP: a problem of the same shape as all."""

    def execute(self) -> None:
        """Write the problem that fits what waitress found."""
        response = add_safe_headers(problem_response(problem_of_status(self.request.error.code)))
        body = response.get_data()
        self.status = response.status
        self.response_headers.extend(response.headers.items())
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """A parser to which every line that cannot be read is a broken one."""

    def parse_header(self, header_plus: bytes) -> None:
        """Read the request line and the headers.

        Raises:
            ParsingError: also where the standard library would not read them.
        """
        try:
            super().parse_header(header_plus)
        except ValueError:
            raise ParsingError("the address or the length cannot be read") from None


class _Channel(HTTPChannel):  # type: ignore[misc]
    error_task_class = _ProblemTask
    parser_class = _Parser


def _create_server(
    app: Flask, listening: socket.socket, threads: int, idle_timeout_s: int
) -> TcpWSGIServer:
    longest = int(app.config["MAX_CONTENT_LENGTH"])
    server = create_server(
        app,
        sockets=[listening],
        threads=threads,
        ident=None,
        # What proxies say of the sender is for the limits to judge.
        clear_untrusted_proxy_headers=False,
        connection_limit=_CONNECTIONS,
        channel_timeout=idle_timeout_s,
        cleanup_interval=max(1, idle_timeout_s // 4),
        # The application refuses bodies that are too long and its answer can
        # be read; far longer ones are cut off before they are received.
        max_request_body_size=4 * longest,
        # A body that may be accepted never touches a temporary file.
        inbuf_overflow=longest + 1,
        asyncore_use_poll=True,
    )
    server.channel_class = _Channel
    return server


def _listen(host: str, port: int) -> socket.socket:
    family, address = _resolve(host, port)
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        raise AddressUnavailable(
            f"cannot listen on {host}, port {port} ({error.strerror}); "
            "stop what is using it, or choose another port (0 takes a free one)"
        ) from None
    return listening


def _resolve(host: str, port: int) -> tuple[socket.AddressFamily, Any]:
    found = []
    # Some systems take a port beyond the last one for another port.
    if 0 <= port <= _LAST_PORT:
        with suppress(OSError, UnicodeError):
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not found:
        raise AddressUnavailable(
            f"got the address {quote(host)} and the port {port}; allowed are names and addresses "
            f"of this machine and ports from 0 to {_LAST_PORT}; 127.0.0.1 is always there"
        )
    family, _, _, _, address = found[0]
    return family, address


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _drain(server: TcpWSGIServer) -> None:
    """Accept no more connections, and answer the requests that have begun."""
    dispatcher.close(
        server
    )  # the listening socket; the server's own close ends the loop's trigger
    deadline = time.monotonic() + DRAIN_TIMEOUT_S
    while time.monotonic() < deadline and any(map(_is_busy, _channels(server))):
        loop(timeout=_DRAIN_STEP_S, use_poll=True, map=server._map, count=1)  # noqa: SLF001  no public name


def _is_busy(channel: HTTPChannel) -> bool:
    return bool(
        channel.connected
        and (channel.request is not None or channel.requests or channel.total_outbufs_len)
    )


def _channels(server: TcpWSGIServer) -> list[HTTPChannel]:
    return list(server.active_channels.values())


def _close_all(server: TcpWSGIServer) -> None:
    for channel in _channels(server):
        channel.handle_close()
    server.close()


def _keep_logs_silent_about_requests() -> None:
    logger = logging.getLogger("waitress")
    if not any(isinstance(known, _WithoutRequests) for known in logger.filters):
        logger.addFilter(_WithoutRequests())
    # How long the queue is would tell when respondents answer.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class _WithoutRequests(logging.Filter):
    """Replaces what the server says by where it said it.

    Its own messages name paths and addresses, and its tracebacks quote them.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, without its message, arguments and traceback."""
        kind, _, traceback = record.exc_info or (None, None, None)
        place = f"{record.module}:{record.lineno}"
        record.msg = f"{describe_failure(kind, traceback)} ({place})" if kind else place
        record.args = None
        record.exc_info = record.exc_text = record.stack_info = None
        return True
