"""The transport between a client and its collector, how to replace it, and how long to wait."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Protocol, TypeVar
from urllib.parse import quote as quote_url

from deniable_sdk.addresses import read_address
from deniable_sdk.log import PATH as LOG_PATH
from deniable_sdk.records import Record
from deniable_sdk.transport import CollectorConnection, problem_of

REQUEST_TIMEOUT_S = 30.0
T = TypeVar("T")

_BEAT_S = 1.0


class Outcome(Record):
    """A collector's response to a report.

    Args:
        status: HTTP's; 0 where no answer came.
        report: the id of the report that it says is stored: without it, 200
            and 201 may come from a machine in between.
        detail: why it was refused.
        retry_after: the header, as it came.
    """

    status: int
    report: str = ""
    detail: str = ""
    retry_after: str | None = None


class Transport(Protocol):
    """A way to a collector; it is called from threads of the client's own."""

    def get_survey(self, slug: str, digest: str | None) -> bytes:
        """The published bytes, by digest where it is known.

        Raises:
            CollectorUnreachable: no answer came.
            CollectorRefused: there is no such survey.
        """
        ...

    def get_log(self) -> bytes:
        """The public log; called only if the client has a log_key.

        Raises:
            CollectorUnreachable: no answer came.
            CollectorRefused: there is none.
        """
        ...

    def send(self, body: bytes) -> Outcome:
        """The outcome of one report, sent unchanged.

        Whatever it raises means that no answer came.
        """
        ...


class HttpTransport:
    """HTTP: no cookie, no redirect, no proxy, a connection for each request.

    Reports of one device do not share a connection, which would show that
    they are of one device.

    Args:
        address: the collector's.
    Raises:
        InvalidAddress: it is not an http or https address.
    """

    def __init__(self, address: str) -> None:
        self.address = read_address(address)

    def get_survey(self, slug: str, digest: str | None) -> bytes:
        """The published bytes, by digest where it is known.

        Raises:
            CollectorUnreachable: no answer came.
            CollectorRefused: there is no such survey.
        """
        name = quote_url(slug, safe="") if digest is None else f"by-digest/{quote_url(digest)}"
        with self._connect() as connection:
            return connection.fetch(f"/api/surveys/{name}")

    def get_log(self) -> bytes:
        """The public log of the collector.

        Raises:
            CollectorUnreachable: no answer came.
            CollectorRefused: there is none.
        """
        with self._connect() as connection:
            return connection.fetch(LOG_PATH)

    def send(self, body: bytes) -> Outcome:
        """The collector's response to one report.

        Raises:
            CollectorUnreachable: no answer came.
        """
        with self._connect() as connection:
            answer = connection.ask("POST", "/api/reports", body, "application/json")
        said = problem_of(answer.body)
        return Outcome(
            answer.status, said.get("report", ""), said.get("detail", ""), answer.retry_after
        )

    def _connect(self) -> CollectorConnection:
        return CollectorConnection(self.address, timeout_s=REQUEST_TIMEOUT_S)


class TookTooLong(TimeoutError):
    """The work has not ended in time; its thread is left to itself."""


def in_background(
    work: Callable[[], T], timeout_s: float, beat: Callable[[], bool] = lambda: True
) -> T:
    """Do long work in a thread, and return its result or raise its error.

    Args:
        work: the work.
        timeout_s: how long to wait.
        beat: called about every second; waiting ends once it returns False.
    Raises:
        TookTooLong: the work has not ended in this time.
    """
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it goes to the waiting caller
            result.set_exception(error)

    threading.Thread(target=run, name="deniable-request", daemon=True).start()
    latest = time.monotonic() + timeout_s
    while not wait([result], max(0.0, min(_BEAT_S, latest - time.monotonic()))).done:
        if time.monotonic() >= latest or not beat():
            raise TookTooLong
    return result.result()
