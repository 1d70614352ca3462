"""201 means stored: through kill -9, restarts and resending."""

import random
import sqlite3
import threading
from collections import Counter
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path

from deniable_sdk import PublishedSurvey, Report, randomize
from live_server import LiveCollector, exchange, live_collector
from sample_definitions import choice, survey, yes_no

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
COUNT = 2000
CLIENTS = 4
KILL_AFTER = 700


def stored_ids(path: Path, published: PublishedSurvey) -> list[str]:
    """The report ids in the file, as any tool would read them."""
    with closing(sqlite3.connect(path)) as connection:
        (table,) = connection.execute(
            "SELECT reports_table FROM surveys WHERE digest = ?", (published.digest,)
        ).fetchone()
        rows = connection.execute(f'SELECT lower(hex(_report)) FROM "{table}"')  # noqa: S608
        return [report_id for (report_id,) in rows]


class Senders:
    """Client threads that send reports one at a time and note the answers."""

    def __init__(self, collector: LiveCollector, reports: list[Report]) -> None:
        self.statuses: dict[str, int] = {}
        self.enough = threading.Event()
        self._collector = collector
        self._threads = [
            threading.Thread(target=self._send, args=(reports[number::CLIENTS],))
            for number in range(CLIENTS)
        ]
        for thread in self._threads:
            thread.start()

    def join(self) -> dict[str, int]:
        """Report id to status, once all threads have sent or lost their collector."""
        for thread in self._threads:
            thread.join()
        return self.statuses

    def _send(self, reports: list[Report]) -> None:
        with suppress(OSError, HTTPException), closing(self._collector.connect()) as connection:
            for report in reports:
                headers = {"Content-Type": "application/json"}
                answer = exchange(connection, "POST", "/api/reports", report.to_bytes(), headers)
                self.statuses[report.id] = answer.status
                if len(self.statuses) >= KILL_AFTER:
                    self.enough.set()


def test_every_201_survives_kill_9_and_resending_doubles_nothing(
    store_path: Path, random_source: random.Random
) -> None:
    """What was answered 201 is there once; sending everything again completes it."""
    reports = [randomize(PUBLISHED, {}, read_bytes=random_source.randbytes) for _ in range(COUNT)]
    with live_collector(store_path) as collector:
        collector.owner("POST", "/api/surveys", PUBLISHED.document)
        senders = Senders(collector, reports)
        assert senders.enough.wait(120)
        collector.kill()
        before = senders.join()
    assert set(before.values()) == {201}
    assert KILL_AFTER <= len(before) < COUNT

    with live_collector(store_path) as collector:
        kept = Counter(stored_ids(store_path, PUBLISHED))
        assert set(kept.values()) == {1}
        assert before.keys() <= kept.keys()
        # A request may have been stored and its answer lost: one per client.
        assert len(kept) - len(before) <= CLIENTS
        after = Senders(collector, reports).join()
        assert collector.stop() == 0
    assert len(after) == COUNT
    assert Counter(after.values()) == {200: len(kept), 201: COUNT - len(kept)}
    assert sorted(stored_ids(store_path, PUBLISHED)) == sorted(report.id for report in reports)
