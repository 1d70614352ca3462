"""The health route checks whether reports would be stored now, and leaves no trace."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from deniable_collector.errors import StoreUnavailable, UnreadableStore
from deniable_collector.store import add_reports, open_store
from deniable_collector.store.backup import back_up
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import Report, randomize
from deniable_storage.postgres_tables import PostgresTable
from postgres_server import PostgresServer, execute
from sample_definitions import survey, yes_no
from served import publish, rows_by_id, served

PUBLISHED = survey(yes_no())
TABLE = PostgresTable.of(PUBLISHED).name
LOCK = f"LOCK TABLE {TABLE} IN EXCLUSIVE MODE"


def reports(count: int, read_bytes: Callable[[int], bytes]) -> list[Report]:
    """Reports of respondents who did not answer."""
    return [randomize(PUBLISHED, {}, read_bytes=read_bytes) for _ in range(count)]


def test_asking_for_health_writes_nothing(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """However often it is asked, no byte of the store's files is another."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(PUBLISHED)
        add_reports(store, reports(3, read_bytes))
        files = [path, path.with_name("store.sqlite-wal")]
        before = [(file.read_bytes(), file.stat().st_mtime_ns) for file in files]
        names = sorted(tmp_path.iterdir())
        for _ in range(20):
            store.check()
        assert [(file.read_bytes(), file.stat().st_mtime_ns) for file in files] == before
        assert sorted(tmp_path.iterdir()) == names


def test_asking_a_database_for_health_takes_no_number_of_a_transaction(
    postgres_server: PostgresServer,
) -> None:
    """Rows of reports carry such numbers: regular gaps would be a clock."""
    with closing(open_store(postgres_server.schema())) as store:
        store.publish(PUBLISHED)
        store.check()
        with psycopg.connect(postgres_server.url, autocommit=True) as other:
            now = (
                "SELECT pg_snapshot_xmax(pg_current_snapshot())::text, pg_current_wal_insert_lsn()"
            )
            moved = []
            # The server itself writes a few bytes at times. Some looks see them, but not all.
            for _ in range(10):
                before = other.execute(now).fetchone()
                for _ in range(20):
                    store.check()
                moved.append(other.execute(now).fetchone() != before)
            assert not all(moved)


def test_a_read_only_database_is_not_healthy(postgres_server: PostgresServer) -> None:
    """As after a failover to a server that only follows."""
    url = postgres_server.schema()
    open_store(url).close()
    with closing(open_store(url)) as store:
        execute(postgres_server.url, "ALTER ROLE postgres SET default_transaction_read_only = on")
        try:
            with pytest.raises(StoreUnavailable, match="the database is read-only"):
                store.check()
        finally:
            again = f"{postgres_server.url}?options=-cdefault_transaction_read_only%3Doff"
            execute(again, "ALTER ROLE postgres RESET default_transaction_read_only")


def test_a_commit_that_failed_makes_health_try_one(
    postgres_server: PostgresServer, tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """The next answer is 200 only after a commit, in the file and in the database."""
    (report,) = reports(1, read_bytes)
    path = tmp_path / "store.sqlite"
    with closing(open_store(path, busy_timeout_s=0.05)) as store:
        store.publish(PUBLISHED)
        log = path.with_name("store.sqlite-wal")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable):
                add_reports(store, [report])
            with pytest.raises(StoreUnavailable, match="SQLITE_BUSY"):
                store.check()
            other.execute("ROLLBACK")
        sizes = [log.stat().st_size]
        for _ in range(2):
            store.check()
            sizes.append(log.stat().st_size)
        assert sizes[0] < sizes[1] == sizes[2]
    url = postgres_server.schema()
    with closing(open_store(url, busy_timeout_s=0.05)) as store:
        store.publish(PUBLISHED)
        with psycopg.connect(url) as other_database:
            other_database.execute(LOCK.encode())
            with pytest.raises(StoreUnavailable):
                add_reports(store, [report])
        store.check()
        assert add_reports(store, [report]) == (ReportOutcome.STORED,)


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_a_log_that_is_removed_is_told_and_what_was_acknowledged_is_kept(
    tmp_path: Path, read_bytes: Callable[[int], bytes], ending: str
) -> None:
    """503 from then on; all that was acknowledged survives even kill -9."""
    path = tmp_path / "store.sqlite"
    publish(path, PUBLISHED)
    known, late = reports(2, read_bytes)
    with served(path, tmp_path) as site, closing(site.connect()) as connection:
        answers = []
        for report in (known, late):
            headers = {"Content-Type": "application/json"}
            connection.request("POST", "/api/reports", report.to_bytes(), headers)
            with connection.getresponse() as response:
                answers.append(response.status)
                response.read()
            path.with_name(path.name + ending).unlink(missing_ok=True)
        assert answers == [201, 503]
        assert site.status() == 503
        site.kill()
        text = site.log.read_text()
    assert "was removed or replaced while it was open" in text
    for rest in ("-wal", "-shm"):
        path.with_name(path.name + rest).unlink(missing_ok=True)
    assert set(rows_by_id(path, PUBLISHED)) == {known.id}
    with closing(open_store(path)) as store:
        assert add_reports(store, [known, late]) == (
            ReportOutcome.ALREADY_STORED,
            ReportOutcome.STORED,
        )


def test_health_that_finds_the_log_removed_saves_it(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """Nobody has to send a report for it."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(PUBLISHED)
        add_reports(store, reports(2, read_bytes))
        path.with_name("store.sqlite-wal").unlink()
        with pytest.raises(StoreUnavailable, match=r"write-ahead log \(-wal\) was removed"):
            store.check()
        copy = tmp_path / "copy.sqlite"
        copy.write_bytes(path.read_bytes())
        assert len(rows_by_id(copy, PUBLISHED)) == 2


def test_a_store_whose_log_is_missing_after_a_kill_is_not_opened_without_a_word(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """What was acknowledged is not forgotten silently; with the log back all of it is there."""
    path = tmp_path / "store.sqlite"
    publish(path, PUBLISHED)
    (report,) = reports(1, read_bytes)
    with served(path, tmp_path) as site, closing(site.connect()) as connection:
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/api/reports", report.to_bytes(), headers)
        assert connection.getresponse().status == 201
        site.kill()
    log, kept = path.with_name("store.sqlite-wal"), tmp_path / "kept"
    log.rename(kept)
    with pytest.raises(UnreadableStore, match=r"-wal is missing, and it held reports .* put it"):
        open_store(path)
    with pytest.raises(UnreadableStore, match="-wal is missing"):
        back_up(str(path), tmp_path / "backup")
    assert not log.exists()
    kept.rename(log)
    with closing(open_store(path)) as store:
        assert add_reports(store, [report]) == (ReportOutcome.ALREADY_STORED,)
    publish(path, PUBLISHED)
    assert set(rows_by_id(path, PUBLISHED)) == {report.id}
