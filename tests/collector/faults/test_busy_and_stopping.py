"""A locked file, a full queue and stopping: each request gets a response, and nothing is lost."""

import random
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from deniable_sdk import randomize
from live_server import LiveCollector, live_collector
from load import JSON_TYPE, Load, Parcel, Told, send_all
from problem_checks import assert_problem
from sample_definitions import choice, survey, yes_no
from served import publish, rows_by_id, served

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
# Longer than a slow machine takes to bring together those that are to wait.
PATIENT = ("--busy-timeout", "60")


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """A block in which another program writes to the file, and lets nobody else."""
    with closing(sqlite3.connect(store, isolation_level=None, timeout=60)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


class Waiting:
    """Parcels that are sent at the same time, each on a connection of its own."""

    def __init__(self, collector: LiveCollector, parcels: list[Parcel]) -> None:
        self.told: list[Told] = []
        self._threads = [
            threading.Thread(target=self._send, args=(collector, parcel)) for parcel in parcels
        ]
        for thread in self._threads:
            thread.start()

    def join(self) -> list[Told]:
        """What each was told; one that got no answer is missing."""
        for thread in self._threads:
            thread.join()
        return self.told

    def _send(self, collector: LiveCollector, parcel: Parcel) -> None:
        with closing(collector.connect()) as connection:
            self.told.append(parcel.send(connection))


def singles(source: random.Random, count: int) -> list[Parcel]:
    """So many reports, each by itself."""
    return [
        Parcel([randomize(PUBLISHED, {}, read_bytes=source.randbytes)], JSON_TYPE)
        for _ in range(count)
    ]


def waiting_reports(collector: LiveCollector) -> float:
    """How many reports wait to be stored, as the collector counts them."""
    lines = collector.send("GET", "/metrics").body.decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("deniable_waiting"))


def wait_until_waiting(collector: LiveCollector, count: int) -> None:
    """Come back once exactly so many reports wait."""
    deadline = time.monotonic() + 60
    while (waiting := waiting_reports(collector)) != count:
        assert time.monotonic() < deadline, waiting


def wait_until_healthy(collector: LiveCollector) -> None:
    """Come back once the collector can store; under load its own commits may be in the way."""
    deadline = time.monotonic() + 60
    while (status := collector.send("GET", "/healthz").status) != 200:
        assert time.monotonic() < deadline, status


def test_a_file_that_is_locked_for_long_refuses_under_load_and_recovers(
    tmp_path: Path, random_source: random.Random
) -> None:
    """While another program writes, 503 and nothing stored; afterwards all goes on by itself."""
    store = tmp_path / "store.sqlite"
    publish(store, PUBLISHED)
    with (
        live_collector(store, "--busy-timeout", "0.1") as collector,
        Load(collector.connect, PUBLISHED, seed=random_source.random()) as load,
    ):
        for _ in range(2):
            load.wait_for_more(20)
            with locked(store):
                kept = rows_by_id(store, PUBLISHED)
                goal = load.statuses[503] + 5
                load.wait_for(lambda: load.statuses[503] >= goal)  # noqa: B023
                assert rows_by_id(store, PUBLISHED) == kept
                assert collector.send("GET", "/healthz").status == 503
        load.wait_for_more(20)
        wait_until_healthy(collector)
        load.stop()
        kept = rows_by_id(store, PUBLISHED)
        assert load.durable <= kept.keys() <= load.sent.keys()
        assert set(load.new.values()) == {1}
        assert set(load.problems) == {"store-unavailable"}
        assert load.unanswered == 0
        new, known = send_all(collector.connect, list(load.sent.values()))
        assert (new, known) == (len(load.sent) - len(kept), len(kept))
        assert collector.stop() == 0
    assert rows_by_id(store, PUBLISHED) == Counter(load.sent.keys())


def test_more_reports_than_may_wait_are_refused_with_a_time_and_taken_later(
    store_path: Path, random_source: random.Random
) -> None:
    """429 says when to come back; who waited is stored, and who was refused is not, until then."""
    publish(store_path, PUBLISHED)
    first, *waiting, last = singles(random_source, 6)
    reports = [*first.reports, *last.reports]
    # Of batches as many may wait again.
    taken, batch = (
        Parcel([randomize(PUBLISHED, {}) for _ in range(3)], JSON_TYPE) for _ in range(2)
    )
    environment = {"DENIABLE_MAX_WAITING_REPORTS": "5"}
    with live_collector(store_path, *PATIENT, environment=environment) as running:
        with locked(store_path):
            accepted = Waiting(running, [first, *waiting, taken])
            wait_until_waiting(running, 8)
            for refused in (last, batch):
                body = b",".join(report.to_bytes() for report in refused.reports)
                body = b"[" + body + b"]" if refused is batch else body
                answer = running.send("POST", "/api/reports", body)
                detail = assert_problem(answer, "too-busy")
                assert "Nothing of this request was stored" in detail
                assert int(answer.headers["retry-after"]) > 0
            assert running.send("GET", "/healthz").status == 503
        assert Counter(told.status for told in accepted.join()) == {201: 5, 200: 1}
        ids = {name for parcel in (first, *waiting, taken) for name in parcel.ids}
        assert rows_by_id(store_path, PUBLISHED).keys() == ids
        assert send_all(running.connect, reports) == (1, 1)
        assert send_all(running.connect, batch.reports) == (3, 0)
        assert running.stop() == 0
    assert len(rows_by_id(store_path, PUBLISHED)) == 12


def test_reports_are_counted_wherever_they_wait(
    store_path: Path, random_source: random.Random
) -> None:
    """Single reports wait in the event loop, a batch does not; the metrics count both."""
    publish(store_path, PUBLISHED)
    known, *waiting = singles(random_source, 9)
    batch = Parcel([randomize(PUBLISHED, {}) for _ in range(3)], JSON_TYPE)
    with live_collector(store_path, *PATIENT) as running:
        # From then on, single reports of this survey wait in the event loop.
        assert send_all(running.connect, known.reports) == (1, 0)
        with locked(store_path):
            single = Waiting(running, waiting)
            wait_until_waiting(running, 8)
            together = Waiting(running, [batch])
            wait_until_waiting(running, 11)
        assert Counter(told.status for told in single.join()) == {201: 8}
        assert [told.status for told in together.join()] == [200]
        wait_until_waiting(running, 0)
        assert running.stop() == 0


@pytest.mark.deep
def test_a_queue_of_one_under_load_drops_nothing(
    store_path: Path, random_source: random.Random
) -> None:
    """Many clients and no room: each refusal is told, and what was told to be stored is."""
    publish(store_path, PUBLISHED)
    parcels = singles(random_source, 2_000)
    environment = {"DENIABLE_MAX_WAITING_REPORTS": "1"}
    with live_collector(store_path, environment=environment) as running:
        with Load(running.connect, PUBLISHED, seed=0, clients=12, parcels=parcels) as load:
            load.wait_until_all_are_sent()
        assert running.stop() == 0
    assert set(load.problems) == {"too-busy"}
    assert load.unanswered == 0
    assert load.new == Counter(load.sent.keys())
    assert rows_by_id(store_path, PUBLISHED) == Counter(load.sent.keys())


def test_what_waits_when_the_end_comes_is_stored_and_answered(
    store_path: Path, random_source: random.Random
) -> None:
    """Twenty reports wait for a lock; told to stop, the collector stores and answers them all."""
    publish(store_path, PUBLISHED)
    parcels = singles(random_source, 20)
    with live_collector(store_path, *PATIENT, "--threads", "32") as running:
        with locked(store_path):
            accepted = Waiting(running, parcels)
            wait_until_waiting(running, 20)
            running.process.send_signal(signal.SIGTERM)
            running.wait_until_stopping()
            refused = Parcel(parcels[0].reports, JSON_TYPE)
            assert Waiting(running, [refused]).join()[0].problem == "stopping"
            health = running.send("GET", "/healthz")
            assert_problem(health, "stopping")
            assert int(health.headers["retry-after"]) > 0
        assert Counter(told.status for told in accepted.join()) == {201: 20}
        assert running.process.wait(60) == 0
    assert rows_by_id(store_path, PUBLISHED) == Counter(
        name for parcel in parcels for name in parcel.ids
    )


def stop_under_load(folder: Path, workers: int, source: random.Random) -> None:
    """Stop while clients send: all that was acknowledged is stored, in a file without a log."""
    store = folder / "store.sqlite"
    publish(store, PUBLISHED)
    with served(store, folder, workers=workers) as site:
        with Load(site.connect, PUBLISHED, seed=source.random()) as load:
            load.wait_for_more(20)
            time.sleep(source.uniform(0, 0.3))
            load.do_not_try_again()
            assert site.stop() == 0
        kept = rows_by_id(store, PUBLISHED)
    assert load.durable <= kept.keys() <= load.sent.keys()
    assert set(load.problems) <= {"stopping"}
    assert sorted(path.name for path in folder.iterdir()) == ["served.log", "store.sqlite"]
    with served(store, folder) as site:
        answers = send_all(site.connect, list(load.sent.values()))
        assert answers == (len(load.sent) - len(kept), len(kept))
        assert site.stop() == 0
    assert rows_by_id(store, PUBLISHED) == Counter(load.sent.keys())


@pytest.mark.deep
def test_stopping_under_load_loses_nothing_that_was_acknowledged(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Two workers are stopped while six clients send."""
    stop_under_load(tmp_path, 2, random_source)


@pytest.mark.deep
@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("attempt", range(5))
def test_stopping_again_and_again_under_load_loses_nothing(
    tmp_path: Path, random_source: random.Random, workers: int, attempt: int
) -> None:
    """As above, at other moments."""
    source = random.Random(f"{random_source.random()}/{attempt}")
    stop_under_load(tmp_path, workers, source)
