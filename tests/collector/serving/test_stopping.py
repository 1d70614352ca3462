"""Stopping under load loses nothing, with one process or several."""

import signal
import socket
import sqlite3
import threading
from contextlib import closing
from http.client import HTTPException
from pathlib import Path

import pytest

from deniable_sdk import Report, randomize
from live_server import LiveCollector, exchange, live_collector
from sample_definitions import survey, yes_no
from sampled_params import sampled_params

PUBLISHED = survey(yes_no(), yes_no("smoker"), ask="all")
CLIENTS = 12
ENOUGH = 300


class Senders:
    """Clients that send reports until the collector refuses to take more."""

    def __init__(self, collector: LiveCollector) -> None:
        self.acknowledged: list[str] = []
        self.statuses: set[int] = set()
        self.enough = threading.Event()
        self._collector = collector
        self._threads = [threading.Thread(target=self._send) for _ in range(CLIENTS)]
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        """Come back once all clients were refused."""
        for thread in self._threads:
            thread.join()

    def _send(self) -> None:
        headers = {"Content-Type": "application/json"}
        is_taken = True
        while is_taken:
            try:
                with closing(self._collector.connect()) as connection:
                    while is_taken:
                        report = randomize(PUBLISHED, {})
                        body = report.to_bytes()
                        answer = exchange(connection, "POST", "/api/reports", body, headers)
                        is_taken = answer.status == 201
                        self._note(report, answer.status)
            except ConnectionRefusedError:
                return
            except (OSError, HTTPException):
                # A connection that had nothing to do was closed meanwhile.
                continue

    def _note(self, report: Report, status: int) -> None:
        self.statuses.add(status)
        if status == 201:
            self.acknowledged.append(report.id)
        if len(self.acknowledged) >= ENOUGH:
            self.enough.set()


@pytest.mark.parametrize("workers", sampled_params(["2", "1"]))
def test_stopping_under_load_loses_nothing(store_path: Path, workers: str) -> None:
    """Each request is answered, what was acknowledged is there, and one file is left."""
    with live_collector(store_path, "--workers", workers) as collector:
        assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
        senders = Senders(collector)
        assert senders.enough.wait(120)
        assert collector.stop() == 0
        senders.join()
    assert senders.statuses <= {201, 503}
    assert collector.log.read_text() == ""
    assert not list(store_path.parent.glob("store.sqlite-*"))
    with closing(sqlite3.connect(store_path)) as connection:
        (table,) = connection.execute("SELECT reports_table FROM surveys").fetchone()
        rows = connection.execute(f'SELECT lower(hex(_report)) FROM "{table}"')  # noqa: S608  its own name
        kept = {report_id for (report_id,) in rows}
    assert kept.issuperset(senders.acknowledged)


def test_a_stop_at_once_is_a_stop(store_path: Path) -> None:
    """A signal right after the address was told ends it in good order."""
    for workers in ("1", "2"):
        with live_collector(store_path, "--workers", workers) as collector:
            collector.process.send_signal(signal.SIGINT)
            assert collector.process.wait(60) == 0
        assert collector.log.read_text() == ""


def test_a_thousand_idle_connections_are_dropped(store_path: Path) -> None:
    """Nobody waits for those who say nothing."""
    with live_collector(store_path) as collector:
        idle = [socket.create_connection(collector.address, timeout=60) for _ in range(990)]
        assert collector.send("GET", "/healthz").status == 200
        assert collector.stop() == 0
        for connection in idle:
            connection.close()
