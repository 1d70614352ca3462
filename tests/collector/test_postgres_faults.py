"""The store in PostgreSQL when the server is gone, busy, or has lost some data."""

import threading
from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest

from deniable_collector.errors import (
    ErasingUnfinished,
    StoreUnavailable,
)
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_collector.store.postgres.connections import Connections
from deniable_sdk import Report, randomize
from deniable_storage.postgres_tables import PostgresTable
from postgres_server import PostgresServer, execute
from sample_definitions import survey, yes_no

HEALTH = survey(yes_no())
TABLE = PostgresTable.of(HEALTH).name
KNOWN = r"^the store cannot be used now \({}\); nothing of this request is sure to be stored; try"


def make_reports(count: int, read_bytes: Callable[[int], bytes]) -> list[Report]:
    """Reports of respondents who did not answer."""
    return [randomize(HEALTH, {}, read_bytes=read_bytes) for _ in range(count)]


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_server_that_comes_back_is_used_again_and_has_all_that_was_stored(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes], mode: str
) -> None:
    """While it is gone every call says so; afterwards all work, without opening anew."""
    reports = make_reports(30, read_bytes)
    with closing(open_store(postgres_server.schema())) as store:
        stored = store.publish(HEALTH).stored
        assert add_reports(store, reports[:20]) == (ReportOutcome.STORED,) * 20
        uses: list[Callable[[], object]] = [
            store.check,
            lambda: add_reports(store, reports),
            lambda: store.publish(HEALTH),
            lambda: store.close_survey("health"),
            lambda: store.look(stored, HEALTH.blocks[:1]),
        ]
        postgres_server.stop(mode)
        try:
            for use in uses:
                with pytest.raises(StoreUnavailable, match="cannot be reached, or the connection"):
                    use()
        finally:
            postgres_server.start()
        store.check()
        outcomes = (ReportOutcome.ALREADY_STORED,) * 20 + (ReportOutcome.STORED,) * 10
        assert add_reports(store, reports) == outcomes


def test_a_server_that_restarted_meanwhile_costs_no_report(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """A connection that ended while it lay idle is replaced before it is used."""
    with closing(open_store(postgres_server.schema())) as store:
        store.publish(HEALTH)
        for _ in range(2):
            postgres_server.stop()
            postgres_server.start()
            assert add_reports(store, make_reports(1, read_bytes)) == (ReportOutcome.STORED,)


def test_a_session_that_is_ended_at_work_is_told_and_replaced(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """What was not committed is not said to be stored, and the next try stores it."""
    url = postgres_server.schema()
    (report,) = make_reports(1, read_bytes)
    failures: list[StoreUnavailable] = []

    def send(store: Store) -> None:
        try:
            add_reports(store, [report])
        except StoreUnavailable as failure:
            failures.append(failure)

    with closing(open_store(url)) as store, psycopg.connect(url, autocommit=True) as other:
        store.publish(HEALTH)
        with other.transaction():
            other.execute(f"LOCK TABLE {TABLE} IN EXCLUSIVE MODE".encode())
            thread = threading.Thread(target=send, args=(store,))
            thread.start()
            end = (
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                "WHERE wait_event_type = 'Lock'"
            )
            while (found := other.execute(end.encode()).fetchone()) is None or not found[0]:
                pass
            thread.join()
        assert [failure.cause for failure in failures] == ["AdminShutdown, SQLSTATE 57P01"]
        assert add_reports(store, [report]) == (ReportOutcome.STORED,)


def test_a_lock_of_others_is_waited_for_and_then_told(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """Patience ends, nothing is half done, and the survey takes reports afterwards."""
    url = postgres_server.schema()
    with closing(open_store(url, busy_timeout_s=0.05)) as store:
        store.publish(HEALTH)
        reports = make_reports(3, read_bytes)
        with psycopg.connect(url) as other:
            other.execute(f"LOCK TABLE {TABLE} IN EXCLUSIVE MODE".encode())
            with pytest.raises(StoreUnavailable, match="LockNotAvailable, SQLSTATE 55P03"):
                add_reports(store, reports)
            assert store.count_reports(HEALTH.digest) == 0
        assert add_reports(store, reports) == (ReportOutcome.STORED,) * 3


def test_a_survey_is_not_called_closed_while_somebody_reads_its_reports(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """Its table cannot be rewritten; the owner learns to close again."""
    url = postgres_server.schema()
    with closing(open_store(url, busy_timeout_s=0.05)) as store:
        store.publish(HEALTH)
        known, late = make_reports(2, read_bytes)
        add_reports(store, [known])
        with psycopg.connect(url) as other:
            other.execute(f"SELECT * FROM {TABLE}".encode())  # noqa: S608  our name
            with pytest.raises(ErasingUnfinished, match="close the survey again once no other"):
                store.close_survey("health")
            assert add_reports(store, [known, late]) == (
                ReportOutcome.ALREADY_STORED,
                ReportOutcome.CLOSED,
            )
        closed = store.close_survey("health")
        assert closed is not None
        assert closed.is_closed
        assert store.count_reports(HEALTH.digest) == 1


def test_more_threads_than_connections_are_told(postgres_server: PostgresServer) -> None:
    """Who finds no connection within the time to wait learns why."""
    connections = Connections(postgres_server.url, most=1, patience_s=0.05)
    message = KNOWN.format("all connections to the database are in use")
    with (
        closing(connections),
        connections.lend(),
        pytest.raises(StoreUnavailable, match=message),
        connections.lend(),
    ):
        pass


def test_tables_that_were_removed_are_told(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """A store that somebody emptied is no store now, and no traceback of ours."""
    url = postgres_server.schema()
    with closing(open_store(url)) as store:
        store.publish(HEALTH)
        execute(url, f"DROP TABLE {TABLE}")
        with pytest.raises(StoreUnavailable, match="UndefinedTable, SQLSTATE 42P01"):
            add_reports(store, make_reports(1, read_bytes))
        execute(url, "DROP TABLE surveys")
        with pytest.raises(StoreUnavailable, match="UndefinedTable"):
            store.check()
