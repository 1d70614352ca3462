"""Passes requests from the server's event loop to a WSGI application in threads."""

import asyncio
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

from flask import Flask

from deniable_collector.access import EXTENSION, Collaborators
from deniable_collector.deadlines import deadline_from_now, waiting_until
from deniable_collector.direct import DIRECT, DirectReports, HttpResponse
from deniable_collector.limits import sender_address
from deniable_collector.logs import tell_failure
from deniable_collector.problems import Problem, problem, problem_of_status
from deniable_collector.responses import SEND_AGAIN, add_safe_headers, problem_response
from deniable_collector.serving.bodies import MOST_DISCARDED, BodyStream, BrokenBody, read_whole
from deniable_collector.serving.shares import NetworkShare, NetworkShares

# A report has some hundred bytes. Longer bodies share limits on memory and threads.
_SHORT = 1 << 12
# Otherwise the server would send its own name.
_NAME = ("Server", "deniable")
_LAST = ("Connection", "close")
# Requests for health have their own thread, because all others may be waiting for the store.
_HEALTH = "/healthz"
_HEALTH_TIMEOUT_S = 2.7
_HAS_OWN_NAME = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}

Environ = dict[str, Any]


class Bridge:
    """Lets an application respond to the server's requests."""

    def __init__(self, app: Flask, *, threads: int, idle_timeout_s: float) -> None:
        self._app = app
        self._direct: DirectReports | None = app.extensions.get(DIRECT)
        self._idle_timeout_s = idle_timeout_s
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="requests")
        self._health = ThreadPoolExecutor(1, thread_name_prefix="health")
        # A long body occupies a thread while it arrives; half of the threads are for other
        # requests.
        self._shares = NetworkShares(max(1, threads // 2))
        using: Collaborators | None = app.extensions.get(EXTENSION)
        self._proxies = using.settings.proxies if using else 0
        # Each request, with the port of its connection; nothing of the address is kept.
        self._begun: dict[Any, str] = {}
        self._is_leaving = False
        self._is_stopping = False

    async def __call__(self, scope: Any, transport: Any) -> None:
        """Respond to one request."""
        if self._is_stopping:
            _send(transport, _STOPPING)
            return
        task = asyncio.current_task()
        self._begun[task] = scope.client.rpartition(":")[2]
        try:
            answer = await self._answer(scope, transport)
        except BrokenBody:
            answer = _refusal(problem_of_status(400))
        except asyncio.CancelledError:
            answer = _STOPPING
        except Exception as error:  # noqa: BLE001  the server would log its message
            tell_failure(type(error), error.__traceback__)
            answer = _refusal(problem_of_status(500))
        finally:
            self._begun.pop(task, None)
        _send(transport, answer, is_last=self._is_leaving or self._is_stopping)

    def leave(self) -> None:
        """Continue to respond, but close each connection after its next response."""
        self._is_leaving = True

    @property
    def is_behind_proxies(self) -> bool:
        """Whether all connections come from our own proxies."""
        return self._proxies > 0

    def busy_ports(self) -> set[int]:
        """The senders' ports of all requests that have no response yet."""
        return {int(port) for port in self._begun.values() if port.isdecimal()}

    async def drain(self, timeout_s: float) -> None:
        """Start no more requests, and wait until all started requests have their responses.

        A request that is not finished in time gets the same refusal as a request that arrives now.
        """
        self._is_stopping = True
        if self._begun:
            await asyncio.wait(self._begun, timeout=timeout_s)
        left = list(self._begun)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def close(self) -> None:
        """Accept no more requests."""
        for threads in (self._threads, self._health):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _answer(self, scope: Any, transport: Any) -> HttpResponse:
        environ = _environ(scope)
        if _is_coded(environ):
            return _CODED
        length = _length(environ)
        if length is not None and length <= _SHORT:
            body = await read_whole(transport, self._idle_timeout_s) if length else b""
            return await self._answer_whole(environ, body)
        with self._shares.of(sender_address(environ, self._proxies)) as share:
            return await self._answer_long(environ, length, transport, share)

    async def _answer_long(
        self, environ: Environ, length: int | None, transport: Any, share: NetworkShare
    ) -> HttpResponse:
        stream = BodyStream(transport, length, self._idle_timeout_s, share.ahead)
        try:
            whole = None if _is_too_long(environ, length) else await stream.read_ahead()
            if whole is not None:
                return await self._answer_whole(environ, whole)
            environ["wsgi.input"] = stream
            deadline = deadline_from_now()
            answer = _BUSY
            async with self._shares.place_until(deadline, share) as has_place:
                if has_place:
                    answer = await self._call_in(self._threads, environ, deadline)
        finally:
            stream.release()
        if length is None or length <= MOST_DISCARDED:
            await stream.discard()
        return answer

    async def _answer_whole(self, environ: Environ, body: bytes) -> HttpResponse:
        direct = self._direct.take(environ, body) if self._direct and body else None
        if direct:
            return await direct
        environ["wsgi.input"] = BytesIO(body)
        if environ["PATH_INFO"] == _HEALTH:
            return await self._look(environ)
        return await self._call_in(self._threads, environ, deadline_from_now())

    async def _look(self, environ: Environ) -> HttpResponse:
        """The application's response about the store's health, or a refusal after too long."""
        looking = self._call_in(self._health, environ, deadline_from_now())
        try:
            return await asyncio.wait_for(looking, _HEALTH_TIMEOUT_S)
        except TimeoutError:
            return _SILENT

    async def _call_in(
        self, threads: ThreadPoolExecutor, environ: Environ, deadline: float
    ) -> HttpResponse:
        """The application's response, or a refusal if no thread is free before the deadline."""
        job = threads.submit(_call, self._app, environ, deadline)
        answer = asyncio.wrap_future(job)
        try:
            await asyncio.wait((answer,), timeout=deadline - time.monotonic())
        finally:
            # A job that a thread has begun goes on.
            is_too_late = job.cancel()
        return _BUSY if is_too_late else await answer


def _call(app: Flask, environ: Environ, deadline: float) -> HttpResponse:
    with waiting_until(deadline):
        return _respond(app, environ)


def _respond(app: Flask, environ: Environ) -> HttpResponse:
    begun: list[tuple[int, list[tuple[str, str]]]] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], _failure: object = None
    ) -> None:
        begun.append((int(status[:3]), headers))

    parts: Iterable[bytes] = app(environ, start_response)  # type: ignore[arg-type]
    close = getattr(parts, "close", None)
    try:
        body = b"".join(parts)
    finally:
        if close:
            close()
    status, headers = begun[-1]
    return HttpResponse(status, headers, body)


def _environ(scope: Any) -> Environ:
    server, _, port = scope.server.rpartition(":")
    environ: Environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.input_terminated": True,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if scope.authority:
        environ["HTTP_HOST"] = scope.authority
    for name, value in scope.headers.items():
        # A name with an underscore could be mistaken for a header that a proxy sets.
        if "_" in name:
            continue
        key = _HAS_OWN_NAME.get(name) or "HTTP_" + name.upper().replace("-", "_")
        # Cookies may come one by one in HTTP/2 (RFC 9113, 8.2.3).
        joint = "; " if name == "cookie" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    return environ


def _is_coded(environ: Environ) -> bool:
    """Whether the body has, or may have, a transfer coding other than chunked.

    The server reads a body as chunks if chunked is only the last of several codings.
    """
    coding = environ.get("HTTP_TRANSFER_ENCODING", "chunked")
    # A client that names chunked in TE meant the header Transfer-Encoding.
    wanted = environ.get("HTTP_TE", "").lower().replace(";", ",").split(",")
    return coding.strip().lower() != "chunked" or "chunked" in map(str.strip, wanted)


def _is_too_long(environ: Environ, length: int | None) -> bool:
    """Whether a body is refused because of its stated length, before any of it arrives."""
    are_lines = "ndjson" in environ.get("CONTENT_TYPE", "")
    return length is not None and length > MOST_DISCARDED and not are_lines


def _length(environ: Environ) -> int | None:
    """The length of the body; None if its sender does not state it."""
    if "HTTP_TRANSFER_ENCODING" in environ:
        return None
    # The server has refused every length that is not a number.
    return int(environ.get("CONTENT_LENGTH", 0))


def _refusal(refusal: Problem) -> HttpResponse:
    return HttpResponse.of(add_safe_headers(problem_response(refusal)))


_STOPPING = _refusal(
    problem(
        "stopping",
        "The collector is being stopped; nothing of this request was stored, or not all of it; "
        "send the same bytes again after the time in Retry-After.",
    )
)

_CODED = _refusal(
    problem(
        "unsupported-media-type",
        "The body has an unsupported transfer coding; allowed are a Content-Length, or "
        "the header Transfer-Encoding with the one word chunked; send the body as it is.",
    )
)
# It is unknown where such a body ends and the next request would begin.
_CODED.headers.append(_LAST)


_BUSY = _refusal(problem("too-busy", SEND_AGAIN))

_SILENT = _refusal(
    problem("store-unavailable", "The store did not answer in time; ask again later.")
)


def _send(transport: Any, answer: HttpResponse, *, is_last: bool = True) -> None:
    added = [_NAME, _LAST] if is_last else [_NAME]
    transport.response_bytes(answer.status, answer.headers + added, answer.body)
