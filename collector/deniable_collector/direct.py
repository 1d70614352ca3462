"""Single reports in the form that devices write, accepted without the framework.

Nearly all requests bring such reports. The reports that arrive while others are being
stored are submitted together, from the event loop: a report neither uses a thread nor waits
for one. The application handles all other requests, with the same responses.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, Response

from deniable_collector.access import EXTENSION, Collaborators
from deniable_collector.api import JSON_TYPE, REPORTS, acknowledge
from deniable_collector.errors import TooBusy
from deniable_collector.intake import ReportReceipt
from deniable_collector.intake.submissions import ReportBatch, Submitted
from deniable_collector.limits import lets_through
from deniable_collector.store.base import Row

DIRECT: Final = "deniable_collector.direct"

_NOT_PLAIN = ("HTTP_CONTENT_ENCODING", "HTTP_AUTHORIZATION")
# One group is being stored, and the next is already in the store's queue.
_MOST_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response in the form that the server needs."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


@dataclass(slots=True)
class _Waiting:
    digest: str
    row: Row
    answer: "asyncio.Future[HttpResponse]"


class DirectReports:
    """Accepts single reports for a collector's application, in one event loop.

    Args:
        app: the application; its collaborators are used.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._using: Collaborators = app.extensions[EXTENSION]
        self._threads = ThreadPoolExecutor(_MOST_AT_ONCE, thread_name_prefix="direct")
        self._waiting: list[_Waiting] = []
        self._handed_in: set[asyncio.Task[None]] = set()
        self._is_scheduled = False
        # By status: the headers, and the body before and after the report's id.
        self._known: dict[int, tuple[list[tuple[str, str]], bytes, bytes]] = {}

    def take(self, environ: Mapping[str, Any], body: bytes) -> Awaitable[HttpResponse] | None:
        """The response, once it is known; None if the application must handle the request."""
        if (
            environ["PATH_INFO"] != REPORTS
            or environ["REQUEST_METHOD"] != "POST"
            or environ.get("CONTENT_TYPE") != JSON_TYPE
            or not environ.keys().isdisjoint(_NOT_PLAIN)
        ):
            return None
        known = self._using.readers.read_known_form(body)
        if known is None or not lets_through(self._app, environ):
            return None
        loop = asyncio.get_running_loop()
        waiting = _Waiting(*known, loop.create_future())
        if self._is_full():
            waiting.answer.set_result(self._failed(TooBusy()))
            return waiting.answer
        self._waiting.append(waiting)
        self._using.metrics.waits(len(self._waiting) + self._using.commits.waiting)
        self._schedule(loop)
        return waiting.answer

    def _is_full(self) -> bool:
        """Whether the allowed number of reports waits, here and in the store's queue."""
        waiting = len(self._waiting) + self._using.commits.waiting_singles
        return waiting >= self._using.settings.max_waiting_reports

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        """Submit waiting reports together with all others that arrive in this turn of the loop."""
        if not self._is_scheduled and len(self._handed_in) < _MOST_AT_ONCE:
            self._is_scheduled = True
            loop.call_soon(self._hand_in, loop)

    def _hand_in(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_scheduled = False
        together, self._waiting = self._waiting, []
        gathered = ReportBatch(self._using.readers)
        for waiting in together:
            gathered.add_row(waiting.digest, waiting.row)
        try:
            # Without awaiting: every waiting report must be counted, here or among the commits.
            submitted = gathered.submit(self._using.commits)
        except Exception as error:  # noqa: BLE001  the application's handlers know what it means
            _tell(together, [self._failed(error) for _ in together])
            return
        task = loop.create_task(self._store(together, submitted))
        self._handed_in.add(task)
        task.add_done_callback(lambda done: self._go_on(done, loop))

    def _go_on(self, done: "asyncio.Task[None]", loop: asyncio.AbstractEventLoop) -> None:
        self._handed_in.discard(done)
        if self._waiting:
            self._schedule(loop)

    async def _store(self, together: Sequence[_Waiting], submitted: Submitted) -> None:
        loop = asyncio.get_running_loop()
        try:
            receipts = await loop.run_in_executor(self._threads, submitted.receipts)
            answers = [self._answer(receipt) for receipt in receipts]
        except Exception as error:  # noqa: BLE001  the application's handlers know what it means
            answers = [self._failed(error) for _ in together]
        _tell(together, answers)

    def _answer(self, receipt: ReportReceipt) -> HttpResponse:
        known = self._known.get(receipt.status)
        if known is None or receipt.report is None:
            return self._learn(receipt)
        headers, before, after = known
        self._using.metrics.answered(REPORTS, receipt.status)
        return HttpResponse(receipt.status, headers, before + receipt.report.encode() + after)

    def _learn(self, receipt: ReportReceipt) -> HttpResponse:
        """The application's response; other reports get the same, except for the id."""
        answer = self._by_app(lambda: acknowledge(receipt))
        if receipt.problem is None and receipt.report:
            before, _, after = answer.body.partition(receipt.report.encode())
            self._known[receipt.status] = (answer.headers, before, after)
        return answer

    def _failed(self, error: Exception) -> HttpResponse:
        return self._by_app(
            lambda: self._app.make_response(self._app.handle_user_exception(error))
        )

    def _by_app(self, respond: Callable[[], Response]) -> HttpResponse:
        with self._app.test_request_context(REPORTS, method="POST"):
            try:
                response = respond()
            except Exception as error:  # noqa: BLE001  the application has no handler for it
                response = self._app.handle_exception(error)
                return _as_answer(response)
            return _as_answer(self._app.process_response(response))


def _tell(together: Sequence[_Waiting], answers: Sequence[HttpResponse]) -> None:
    for waiting, answer in zip(together, answers, strict=True):
        if not waiting.answer.done():
            waiting.answer.set_result(answer)


def _as_answer(response: Response) -> HttpResponse:
    return HttpResponse(response.status_code, list(response.headers.items()), response.get_data())
