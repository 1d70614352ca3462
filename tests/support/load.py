"""Clients that send reports from several threads, and remember what they were told.

Each client keeps a connection open and sends single reports, arrays and
streamed lines as a seeded generator decides. What is refused for now, or gets
no answer, is sent again with the same bytes, as a device does.
"""

import json
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Any, Self

from deniable_sdk import PublishedSurvey, Report, randomize

JSON_TYPE = "application/json"
NDJSON_TYPE = "application/x-ndjson"
TRY_LATER = (429, 503)
_PAUSE_S = 0.05
_DEALT_WITH = re.compile(r"after (\d+) lines, which were processed")

Connect = Callable[[], HTTPConnection]


@dataclass(frozen=True)
class Parcel:
    """Some reports, sent as one request."""

    reports: Sequence[Report]
    media_type: str

    @property
    def ids(self) -> list[str]:
        """The ids of the reports, in the order they are sent."""
        return [report.id for report in self.reports]

    def send(self, connection: HTTPConnection) -> "Told":
        """What the collector says; lines are streamed, without a length."""
        texts = [report.to_bytes() for report in self.reports]
        body: bytes | Iterator[bytes] = texts[0]
        if self.media_type == NDJSON_TYPE:
            body = (
                b"".join(line + b"\n" for line in texts[i : i + 40])
                for i in range(0, len(texts), 40)
            )
        elif len(texts) > 1:
            body = b"[" + b",".join(texts) + b"]"
        connection.request("POST", "/api/reports", body, {"Content-Type": self.media_type})
        response = connection.getresponse()
        return Told.of(response.status, response.read(), self)


@dataclass(frozen=True)
class Told:
    """What became of a parcel: its status, its problem, and what is durable."""

    status: int
    problem: str
    durable: Sequence[str]
    are_new: Sequence[bool]

    @classmethod
    def of(cls, status: int, body: bytes, parcel: Parcel) -> Self:
        """An answer as it was received."""
        document: dict[str, Any] = json.loads(body)
        problem = str(document.get("type", "")).rpartition(":")[2]
        if problem:
            count = _DEALT_WITH.search(document["detail"])
            return cls(status, problem, parcel.ids[: int(count[1]) if count else 0], ())
        results = document.get("results", [document])
        statuses = [result["status"] for result in results]
        assert set(statuses) <= {200, 201}, Counter(statuses)
        assert [result["report"] for result in results] == parcel.ids
        return cls(status, "", parcel.ids, [found == 201 for found in statuses])


class Load:
    """Running clients; leave the block, or call stop, to end them.

    Args:
        connect: makes a connection; one for each client.
        published: the survey that is answered.
        seed: of what is drawn.
        clients: how many send at the same time.
        parcels: what they send, each once; otherwise they draw without end.
    """

    def __init__(
        self,
        connect: Connect,
        published: PublishedSurvey,
        *,
        seed: object,
        clients: int = 6,
        parcels: Sequence[Parcel] | None = None,
    ) -> None:
        self.sent: dict[str, Report] = {}
        self.durable: set[str] = set()
        self.new: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.problems: Counter[str] = Counter()
        self.unanswered = 0
        self._connect = connect
        self._published = published
        self._is_tried_again = True
        self._parcels = None if parcels is None else iter(parcels)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._progress = threading.Condition()
        self._failures: list[BaseException] = []
        self._threads = [
            threading.Thread(target=self._run, args=(random.Random(f"{seed}/{number}"),))
            for number in range(clients)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Send what was begun to its end, and no more."""
        self._stopping.set()
        self.wait_until_all_are_sent()

    def wait_until_all_are_sent(self) -> None:
        """Come back once every parcel that was given is delivered."""
        for thread in self._threads:
            thread.join()
        assert not self._failures, self._failures

    def do_not_try_again(self) -> None:
        """From now on the first request without an answer ends all clients."""
        self._is_tried_again = False

    def wait_for(self, reached: Callable[[], object]) -> None:
        """Come back once this is true, looked at after every answer."""
        with self._progress:
            assert self._progress.wait_for(reached, timeout=120), (self.statuses, self.problems)

    def wait_for_more(self, count: int) -> None:
        """Come back once so many more reports than now are acknowledged."""
        goal = len(self.durable) + count
        self.wait_for(lambda: len(self.durable) >= goal)

    def _run(self, source: random.Random) -> None:
        try:
            # Closed after a failure, it connects again by itself.
            with closing(self._connect()) as connection:
                while not self._stopping.is_set() and (parcel := self._next(source)):
                    self.sent.update((report.id, report) for report in parcel.reports)
                    self._deliver(parcel, connection)
        except BaseException as failure:  # noqa: BLE001  told by stop
            self._failures.append(failure)

    def _next(self, source: random.Random) -> Parcel | None:
        if self._parcels is None:
            return self._draw(source)
        with self._lock:
            return next(self._parcels, None)

    def _draw(self, source: random.Random) -> Parcel:
        kinds = (
            (1, JSON_TYPE),
            (source.randint(2, 30), JSON_TYPE),
            (source.randint(1, 300), NDJSON_TYPE),
        )
        count, media_type = source.choices(kinds, (8, 1, 1))[0]
        reports = [
            randomize(self._published, {}, read_bytes=source.randbytes) for _ in range(count)
        ]
        return Parcel(reports, media_type)

    def _deliver(self, parcel: Parcel, connection: HTTPConnection) -> None:
        while True:
            try:
                if self._send(parcel, connection):
                    return
            except (OSError, HTTPException):
                connection.close()
                self.unanswered += 1
                if not self._is_tried_again:
                    self._stopping.set()
            if self._stopping.wait(_PAUSE_S):
                return

    def _send(self, parcel: Parcel, connection: HTTPConnection) -> bool:
        told = parcel.send(connection)
        with self._progress:
            self.statuses[told.status] += 1
            self.problems.update([told.problem] if told.problem else [])
            self.durable.update(told.durable)
            self.new.update(
                name for name, is_new in zip(told.durable, told.are_new, strict=False) if is_new
            )
            self._progress.notify_all()
        assert not told.problem or told.status in TRY_LATER, told.problem
        return not told.problem


def send_all(connect: Connect, reports: Sequence[Report]) -> tuple[int, int]:
    """How many reports were new and how many were there already, sent as lines."""
    counts: Counter[bool] = Counter()
    with closing(connect()) as connection:
        for begin in range(0, len(reports), 2_000):
            parcel = Parcel(reports[begin : begin + 2_000], NDJSON_TYPE)
            told = parcel.send(connection)
            while told.status in TRY_LATER:
                time.sleep(_PAUSE_S)
                told = parcel.send(connection)
            counts.update(told.are_new)
    return counts[True], counts[False]
