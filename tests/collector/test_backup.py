"""A backup contains all reports acknowledged before it, and can be restored."""

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from deniable_collector.errors import BackupExists, StoreUnavailable, UnreadableStore
from deniable_collector.store import add_reports, open_store
from deniable_collector.store.backup import back_up
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import Report, randomize
from live_server import LiveCollector, exchange, live_collector
from sample_definitions import survey, yes_no

ReadBytes = Callable[[int], bytes]

PUBLISHED = survey(yes_no(), slug="saved")


@contextmanager
def senders(collector: LiveCollector) -> Iterator[Callable[[int], list[Report]]]:
    """Clients that send all the time; waits for so many more, and gives those acknowledged."""
    acknowledged: list[Report] = []
    stop, more = threading.Event(), threading.Semaphore(0)

    def send() -> None:
        headers = {"Content-Type": "application/json"}
        with closing(collector.connect()) as connection:
            while not stop.is_set():
                report = randomize(PUBLISHED, {})
                body = report.to_bytes()
                if exchange(connection, "POST", "/api/reports", body, headers).status == 201:
                    acknowledged.append(report)
                    more.release()

    def wait(count: int) -> list[Report]:
        for _ in range(count):
            assert more.acquire(timeout=60)
        return list(acknowledged)

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        yield wait
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_backup_under_load_holds_every_report_acknowledged_before(tmp_path: Path) -> None:
    """Restored, it knows each of them, and a collector on it goes on."""
    path = tmp_path / "store.sqlite"
    with live_collector(path) as collector:
        collector.owner("POST", "/api/surveys", PUBLISHED.document)
        with senders(collector) as wait:
            before = wait(200)
            back_up(str(path), tmp_path / "backup.sqlite")
            wait(20)
        acknowledged = wait(0)
        assert collector.stop() == 0
    # The restoring, as docs/OPERATING.md has it.
    for each in tmp_path.glob("store.sqlite*"):
        each.unlink()
    shutil.move(tmp_path / "backup.sqlite", path)
    assert path.stat().st_mode & 0o777 == 0o600
    with closing(open_store(path)) as store:
        assert set(add_reports(store, before)) == {ReportOutcome.ALREADY_STORED}
    with live_collector(path) as collector:
        # Devices that send again what came after the backup bring it back.
        for report in acknowledged[len(before) :]:
            answer = collector.send("POST", "/api/reports", report.to_bytes())
            assert answer.status in (200, 201)
    with closing(open_store(path)) as store:
        assert store.count_reports(PUBLISHED.digest) == len(acknowledged)


def test_a_backup_tells_no_order_of_arrival(tmp_path: Path, read_bytes: ReadBytes) -> None:
    """The copy of an open survey's store is that of a store filled in another order."""
    reports = [randomize(PUBLISHED, {}, read_bytes=read_bytes) for _ in range(500)]
    copies = []
    for name, order in (("one", reports), ("two", reports[::-1])):
        path = tmp_path / f"{name}.sqlite"
        with closing(open_store(path)) as store:
            store.publish(PUBLISHED)
            for report in order:
                add_reports(store, [report])
            back_up(f"sqlite:///{path}", tmp_path / f"{name}.backup")
        copies.append((tmp_path / f"{name}.backup").read_bytes())
    one, two = copies
    # But for the counters of changes in the header, of which both have as many.
    assert one == two


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """A file that is there stays as it is."""
    with closing(open_store(tmp_path / "store.sqlite")):
        pass
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(BackupExists, match="mine already exists; move it"):
        back_up(str(tmp_path / "store.sqlite"), tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "mine"


def test_what_cannot_be_backed_up_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    """Missing, foreign and busy stores and places are clear errors."""
    target = tmp_path / "backup"
    (tmp_path / "text").write_text("no store" * 200)
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as other:
        other.execute("CREATE TABLE notes (text)")
    for location, message in (
        (str(tmp_path / "none"), "there is no store at"),
        (str(tmp_path / "text"), "is not a store; give the file that is served"),
        (str(tmp_path / "other.sqlite"), "is not a store; give the file that is served"),
        ("postgresql://me:secret@host/name", "back it up with pg_dump"),
    ):
        with pytest.raises(UnreadableStore, match=message) as refused:
            back_up(location, target)
        assert "secret" not in str(refused.value)
        assert not target.exists()
    open_store(tmp_path / "store.sqlite").close()
    with pytest.raises(UnreadableStore, match="no file can be created at"):
        back_up(str(tmp_path / "store.sqlite"), tmp_path / "missing" / "backup")


def test_a_store_that_is_locked_leaves_no_half_of_a_backup(tmp_path: Path) -> None:
    """A copy that cannot be finished is removed, and the error names the cause."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(PUBLISHED)
    target = tmp_path / "backup"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("UPDATE surveys SET is_closed = 1")
        with pytest.raises(StoreUnavailable, match="SQLITE_BUSY"):
            back_up(str(path), target)
    assert not target.exists()
