"""The threads in which an application responds to requests."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Final

from flask import Flask

from deniable_collector.api import IS_CROWDED
from deniable_collector.deadlines import waiting_until
from deniable_collector.direct import HttpResponse
from deniable_collector.serving.environ import Environ

# Whoever gets a thread sooner does not wait for it.
_CROWDED_S: Final = 0.1


class Threads:
    """Some threads, and the requests that wait for one of them.

    Args:
        app: responds to the requests.
        count: how many threads there are.
        name: that the threads have.
    """

    def __init__(self, app: Flask, count: int, name: str) -> None:
        self._app = app
        self._pool = ThreadPoolExecutor(count, thread_name_prefix=name)
        # Since when each request has waited; a thread removes the request that it takes.
        self._waiting: dict[object, float] = {}

    async def respond(self, environ: Environ, deadline: float) -> HttpResponse | None:
        """The application's response; None if no thread is free before the deadline."""
        environ[IS_CROWDED] = self._is_crowded
        with self.waiting() as begin:
            job = self._pool.submit(self._call, environ, deadline, begin)
            response = asyncio.wrap_future(job)
            try:
                await asyncio.wait((response,), timeout=deadline - time.monotonic())
            finally:
                # A job that a thread has begun goes on.
                is_too_late = job.cancel()
            return None if is_too_late else await response

    @contextmanager
    def waiting(self) -> Iterator[Callable[[], object]]:
        """A block in which a request waits, until it calls what this gives."""
        request = object()
        self._waiting[request] = time.monotonic()
        begin = partial(self._waiting.pop, request, None)
        try:
            yield begin
        finally:
            begin()

    def close(self) -> None:
        """Take no more requests."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _is_crowded(self) -> bool:
        began = min(list(self._waiting.values()), default=None)
        return began is not None and time.monotonic() > began + _CROWDED_S

    def _call(
        self, environ: Environ, deadline: float, begin: Callable[[], object]
    ) -> HttpResponse:
        begin()
        with waiting_until(deadline):
            return _respond(self._app, environ)


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
