"""Passes requests from the server's event loop to a WSGI application in threads."""

import asyncio
import time
from io import BytesIO
from typing import Any

from flask import Flask

from deniable_collector.access import EXTENSION, IS_GONE, Collaborators
from deniable_collector.deadlines import deadline_from_now
from deniable_collector.direct import DIRECT, DirectReports, HttpResponse
from deniable_collector.limits import sender_address
from deniable_collector.logs import tell_failure
from deniable_collector.metrics import Usage
from deniable_collector.problems import Problem, problem, problem_of_status
from deniable_collector.responses import SEND_AGAIN, add_safe_headers, problem_response
from deniable_collector.serving.bodies import MOST_DISCARDED, BodyStream, BrokenBody, read_whole
from deniable_collector.serving.environ import (
    Environ,
    environ_of,
    is_coded,
    is_too_long,
    length_of,
)
from deniable_collector.serving.shares import NetworkShare, NetworkShares
from deniable_collector.serving.threads import Threads

# A report has some hundred bytes. Longer bodies share limits on memory and threads.
_SHORT = 1 << 12
# Otherwise the server would send its own name.
_NAME = ("Server", "deniable")
_LAST = ("Connection", "close")
# Requests for health have their own thread, because all others may be waiting for the store.
_HEALTH = "/healthz"
_HEALTH_TIMEOUT_S = 2.7


class Bridge:
    """Lets an application respond to the server's requests."""

    def __init__(self, app: Flask, *, threads: int, idle_timeout_s: float) -> None:
        self._app = app
        self._direct: DirectReports | None = app.extensions.get(DIRECT)
        self._idle_timeout_s = idle_timeout_s
        self._threads = Threads(app, threads, "requests")
        self._health = Threads(app, 1, "health")
        # A long body occupies a thread while it arrives; half of the threads are for other
        # requests.
        self._shares = NetworkShares(max(1, threads // 2))
        using: Collaborators | None = app.extensions.get(EXTENSION)
        self._proxies = using.settings.proxies if using else 0
        self._metrics = using.metrics if using else None
        # Each request, with the port of its connection; nothing of the address is kept.
        self._begun: dict[Any, str] = {}
        self._is_leaving = False
        self._is_stopping = False

    async def __call__(self, scope: Any, transport: Any) -> None:
        """Respond to one request."""
        if self._is_stopping:
            _send(transport, self._refuse(_STOPPING))
            return
        task = asyncio.current_task()
        self._begun[task] = scope.client.rpartition(":")[2]
        try:
            answer = await self._answer(scope, transport)
        except BrokenBody as error:
            answer = self._refuse(_refusal(problem_of_status(error.code)))
        except asyncio.CancelledError:
            answer = self._refuse(_STOPPING)
        except Exception as error:  # noqa: BLE001  the server would log its message
            tell_failure(type(error), error.__traceback__)
            answer = self._refuse(_refusal(problem_of_status(500)))
        finally:
            self._begun.pop(task, None)
        _send(transport, answer, is_last=self._is_leaving or self._is_stopping)

    def uses(self, usage: Usage) -> None:
        """Count what this process uses of the machine."""
        if self._metrics:
            self._metrics.uses(usage)

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
            threads.close()

    def _refuse(self, refusal: HttpResponse) -> HttpResponse:
        """A refusal of the server itself, which no route counts."""
        if self._metrics:
            self._metrics.answered(None, refusal.status)
        return refusal

    async def _answer(self, scope: Any, transport: Any) -> HttpResponse:
        environ = environ_of(scope)
        if is_coded(environ):
            return self._refuse(_CODED)
        length = length_of(environ)
        if length is not None and length <= _SHORT:
            body = await read_whole(transport, self._idle_timeout_s) if length else b""
            return await self._answer_whole(environ, body, transport)
        with self._shares.of(sender_address(environ, self._proxies)) as share:
            return await self._answer_long(environ, length, transport, share)

    async def _answer_long(
        self, environ: Environ, length: int | None, transport: Any, share: NetworkShare
    ) -> HttpResponse:
        stream = BodyStream(transport, length, self._idle_timeout_s, share.ahead)
        try:
            whole = None if is_too_long(environ, length) else await stream.read_ahead()
            if whole is not None:
                return await self._answer_whole(environ, whole, transport)
            environ["wsgi.input"] = stream
            answer = await self._answer_arriving(environ, stream, share)
        finally:
            stream.release()
        if length is None or length <= MOST_DISCARDED:
            await stream.discard()
        return answer

    async def _answer_arriving(
        self, environ: Environ, stream: BodyStream, share: NetworkShare
    ) -> HttpResponse:
        """The response to a request whose body a thread reads while it arrives."""
        deadline = deadline_from_now()
        with self._threads.waiting() as begin:
            async with self._shares.place_until(deadline, share, stream) as has_place:
                begin()
                answer = await self._threads.respond(environ, deadline) if has_place else None
        return answer or self._refuse(_BUSY)

    async def _answer_whole(self, environ: Environ, body: bytes, transport: Any) -> HttpResponse:
        """The response to a request that has arrived; the time until it is counted."""
        arrived = time.monotonic()
        answer = await self._response(environ, body, transport)
        if self._metrics:
            self._metrics.took(time.monotonic() - arrived)
        return answer

    async def _response(self, environ: Environ, body: bytes, transport: Any) -> HttpResponse:
        direct = self._direct.take(environ, body) if self._direct and body else None
        if direct:
            return await direct
        environ["wsgi.input"] = BytesIO(body)
        if environ["PATH_INFO"] == _HEALTH:
            return await self._look(environ)
        leaving = asyncio.ensure_future(transport.client_disconnect())
        environ[IS_GONE] = leaving.done
        try:
            answer = await self._threads.respond(environ, deadline_from_now())
        finally:
            leaving.cancel()
        return answer or self._refuse(_BUSY)

    async def _look(self, environ: Environ) -> HttpResponse:
        """The application's response about the store's health, or a refusal after too long."""
        looking = self._health.respond(environ, deadline_from_now())
        try:
            answer = await asyncio.wait_for(looking, _HEALTH_TIMEOUT_S)
        except TimeoutError:
            answer = None
        return answer or self._refuse(_SILENT)


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
