"""Single reports in the form that devices write, accepted without the framework.

Nearly all requests bring such reports. The reports that arrive while two groups are being
stored are submitted together, from the event loop: a report neither uses a thread nor waits
for one. The application handles all other requests, with the same responses.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, Response

from deniable_collector.access import EXTENSION, Collaborators
from deniable_collector.api import JSON_TYPE, REPORTS, acknowledge
from deniable_collector.deadlines import deadline_from_now, waiting_until
from deniable_collector.errors import TooBusy
from deniable_collector.intake import ReportReceipt
from deniable_collector.intake.submissions import ReportBatch
from deniable_collector.limits import lets_through

# One group is being stored, and the next is already in the store's queue.
_MOST_AT_ONCE = 2
DIRECT: Final = "deniable_collector.direct"

_NOT_PLAIN = ("HTTP_CONTENT_ENCODING", "HTTP_AUTHORIZATION")


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response in the form that the server needs."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @classmethod
    def of(cls, response: Response) -> "HttpResponse":
        """The response of an application."""
        return cls(response.status_code, list(response.headers.items()), response.get_data())


class DirectReports:
    """Accepts single reports for a collector's application, in one event loop."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._using: Collaborators = app.extensions[EXTENSION]
        # How many groups were submitted and are not stored yet.
        self._in_store = 0
        self._is_scheduled = False
        # The reports of the next group, the responses to them, and the deadline of the first.
        self._gathered = ReportBatch(self._using.readers)
        self._waiting: list[asyncio.Future[HttpResponse]] = []
        self._deadline = deadline_from_now()
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
        answer: asyncio.Future[HttpResponse] = loop.create_future()
        if not self._using.commits.has_room(len(self._waiting) + 1):
            answer.set_result(self._failed(TooBusy()))
            return answer
        if not self._waiting:
            self._deadline = deadline_from_now()
        self._gathered.add_row(*known)
        self._waiting.append(answer)
        self._using.metrics.waits(1)
        self._schedule(loop)
        return answer

    def _schedule(self, loop: asyncio.AbstractEventLoop) -> None:
        """Submit waiting reports together with all others that arrive in this turn of the loop."""
        if not self._is_scheduled and self._in_store < _MOST_AT_ONCE:
            self._is_scheduled = True
            loop.call_soon(self._submit, loop)

    def _submit(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_scheduled = False
        gathered, self._gathered = self._gathered, ReportBatch(self._using.readers)
        waiting, self._waiting = self._waiting, []
        # The group commit counts them from here on.
        self._using.metrics.waits(-len(waiting))
        try:
            with waiting_until(self._deadline):
                gathered.submit(self._using.commits)
        except Exception as error:  # noqa: BLE001  the application's handlers know what it means
            _tell(waiting, [self._failed(error) for _ in waiting])
            return

        def settle(_: object) -> None:
            # After a stop that took too long, no loop is left to respond.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._settle, gathered, waiting)

        if gathered.submission:
            self._in_store += 1
            gathered.submission.add_done_callback(settle)

    def _settle(
        self, stored: ReportBatch, waiting: Sequence["asyncio.Future[HttpResponse]"]
    ) -> None:
        self._in_store -= 1
        if self._waiting:
            self._schedule(asyncio.get_running_loop())
        try:
            answers = [self._answer(receipt) for receipt in stored.receipts()]
        except Exception as error:  # noqa: BLE001  the application's handlers know what it means
            answers = [self._failed(error) for _ in waiting]
        _tell(waiting, answers)

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
                return HttpResponse.of(self._app.handle_exception(error))
            return HttpResponse.of(self._app.process_response(response))


def _tell(
    waiting: Sequence["asyncio.Future[HttpResponse]"], answers: Sequence[HttpResponse]
) -> None:
    for each, answer in zip(waiting, answers, strict=True):
        if not each.done():
            each.set_result(answer)
