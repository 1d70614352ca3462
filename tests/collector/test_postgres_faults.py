"""The store in PostgreSQL where the server is gone, busy, wrong, or another's."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import psycopg
import pytest

from deniable_collector.errors import (
    ClosingUnfinished,
    PsycopgMissing,
    StoreUnavailable,
    UnreadableStore,
    UnsupportedStore,
)
from deniable_collector.store import Store, add_reports, open_store, shown
from deniable_collector.store.base import Outcome
from deniable_collector.store.postgres.connections import Connections
from deniable_collector.store.postgres.tables import ReportsTable
from deniable_sdk import Report, randomize
from postgres_server import PASSWORD, PostgresServer
from sample_definitions import survey, yes_no

HEALTH = survey(yes_no())
TABLE = ReportsTable.of(HEALTH).name
KNOWN = r"^the store cannot be used now \({}\); nothing of this request was stored; try again"


def make_reports(count: int, read_bytes: Callable[[int], bytes]) -> list[Report]:
    """Reports of respondents who did not answer."""
    return [randomize(HEALTH, {}, read_bytes=read_bytes) for _ in range(count)]


def run(url: str, *statements: str) -> None:
    """Let the database do something beside the store."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@contextmanager
def setting(server: PostgresServer, name: str, value: str) -> Iterator[None]:
    """A block in which the server runs with another setting."""
    server.stop()
    server.start(f"{name}={value}")
    try:
        yield
    finally:
        server.stop()
        server.start()


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_server_that_comes_back_is_used_again_and_has_all_that_was_stored(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes], mode: str
) -> None:
    """While it is gone every call says so; afterwards all work, without opening anew."""
    reports = make_reports(30, read_bytes)
    with closing(open_store(postgres_server.schema())) as store:
        stored = store.publish(HEALTH).stored
        assert add_reports(store, reports[:20]) == (Outcome.STORED,) * 20
        uses: list[Callable[[], object]] = [
            store.check,
            lambda: add_reports(store, reports),
            lambda: store.publish(HEALTH),
            lambda: store.close_survey("health"),
            lambda: store.count_values(stored, ["asthma"]),
        ]
        postgres_server.stop(mode)
        try:
            for use in uses:
                with pytest.raises(StoreUnavailable, match="cannot be reached, or the connection"):
                    use()
        finally:
            postgres_server.start()
        store.check()
        outcomes = (Outcome.ALREADY_STORED,) * 20 + (Outcome.STORED,) * 10
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
            assert add_reports(store, make_reports(1, read_bytes)) == (Outcome.STORED,)


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
        assert add_reports(store, [report]) == (Outcome.STORED,)


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
        assert add_reports(store, reports) == (Outcome.STORED,) * 3


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
            with pytest.raises(ClosingUnfinished, match="close the survey again once it has fin"):
                store.close_survey("health")
            assert add_reports(store, [known, late]) == (Outcome.ALREADY_STORED, Outcome.CLOSED)
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
        run(url, f"DROP TABLE {TABLE}")
        with pytest.raises(StoreUnavailable, match="UndefinedTable, SQLSTATE 42P01"):
            add_reports(store, make_reports(1, read_bytes))
        run(url, "DROP TABLE surveys")
        with pytest.raises(StoreUnavailable, match="UndefinedTable"):
            store.check()


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ((PASSWORD, "secret5309"), "the server refuses the user or the password"),
        ((f":{PASSWORD}@", "@"), "the server asks for a password"),
        (("/postgres?", "/nowhere?"), "the server has no such database or user"),
        (("127.0.0.1:", "127.0.0.1:1"), "OperationalError: the database cannot be reached, or"),
    ],
)
def test_a_database_that_lets_nobody_in_is_told_without_the_password(
    postgres_server: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
    change: tuple[str, str],
    cause: str,
) -> None:
    """The reason is named in our words; no secret is in the message or its causes."""
    monkeypatch.delenv("PGPASSWORD", raising=False)
    url = postgres_server.schema().replace(*change)
    if change[1].endswith(":1"):
        url = url.replace(str(postgres_server.port), "")  # port 1, where nobody listens
    with pytest.raises(StoreUnavailable, match="cannot be used now") as raised:
        open_store(url)
    assert cause in raised.value.cause
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__
    assert PASSWORD not in str(raised.value)
    assert "secret5309" not in str(raised.value)


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (["CREATE TABLE notes (text text)"], "has other tables than a store's; choose an empty"),
        (["INSERT INTO deniable_migrations VALUES ('from_tomorrow')"], r"it has from_tomorrow\)"),
        (["ALTER TABLE surveys ADD COLUMN created_at text"], "is missing or was changed; restore"),
        (["DROP TABLE surveys"], "one of its tables is missing or was changed"),
        (["DROP TABLE tokens"], "one of its tables is missing or was changed"),
    ],
)
def test_a_store_of_another_layout_is_refused_and_left_alone(
    postgres_server: PostgresServer, statements: list[str], message: str
) -> None:
    """A newer, a damaged or another program's database is not written to by guesswork."""
    url = postgres_server.schema()
    if "notes" not in statements[0]:
        open_store(url).close()
    run(url, *statements)
    with pytest.raises(UnreadableStore, match=message) as raised:
        open_store(url)
    assert PASSWORD not in str(raised.value)
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
    with psycopg.connect(url) as connection:
        counted = connection.execute(tables.encode()).fetchone()
    assert counted == ({"CREATE": 1, "DROP T": 3}.get(statements[0][:6], 4),)


def test_a_store_that_must_exist_is_not_made(postgres_server: PostgresServer) -> None:
    """An empty database is an error where nothing is to be made."""
    url = postgres_server.schema()
    shown_url = f"postgresql://postgres@127.0.0.1:{postgres_server.port}/postgres"
    with pytest.raises(UnreadableStore, match=f"there is no store at {shown_url}; publish a"):
        open_store(url, must_exist=True)
    open_store(url).close()
    open_store(url, must_exist=True).close()


def test_collectors_that_start_at_once_make_one_layout(postgres_server: PostgresServer) -> None:
    """Each waits for who makes the tables, and all are open in the end."""
    url = postgres_server.schema()
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store(url))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 6
    opened[0].publish(HEALTH)
    for store in opened:
        assert len(store.list_surveys()) == 1
        store.close()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("fsync", "off", "with fsync off, which loses reports when power fails; set fsync = on"),
        ("full_page_writes", "off", "with full_page_writes off, which may break what is stored"),
        ("track_commit_timestamp", "on", "that keeps the time of every commit, and so of every"),
    ],
)
def test_a_server_that_would_lose_or_date_reports_is_refused(
    postgres_server: PostgresServer, name: str, value: str, message: str
) -> None:
    """What the server is set to is looked at before anything is stored."""
    url = postgres_server.schema()
    with setting(postgres_server, name, value), pytest.raises(UnreadableStore, match=message):
        open_store(url)
    open_store(url).close()


def test_a_database_that_cannot_hold_every_text_or_has_no_schema_is_refused(
    postgres_server: PostgresServer,
) -> None:
    """Documents are in UTF-8, and tables need a schema."""
    run(
        postgres_server.url,
        "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'",
    )
    with pytest.raises(UnreadableStore, match="is not in UTF-8; make the database with ENCODING"):
        open_store(postgres_server.url.removesuffix("postgres") + "latin")
    with pytest.raises(UnreadableStore, match="has no schema to put tables in; create one"):
        open_store(f"{postgres_server.url}?options=-csearch_path%3Dmissing")


@pytest.mark.parametrize("url", ["postgresql:health", "postgresql://u:p@h/d?pass5309=x"])
def test_a_url_that_cannot_be_read_is_refused_without_being_repeated(url: str) -> None:
    """The message says what a URL looks like, and none of what was given."""
    with pytest.raises(UnsupportedStore, match="allowed is postgresql://USER@HOST:PORT") as raised:
        open_store(url)
    assert "5309" not in str(raised.value)
    assert raised.value.__suppress_context__


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who installed no psycopg learns the command that does."""
    monkeypatch.setattr("deniable_collector.store.find_spec", lambda _name: None)
    with pytest.raises(PsycopgMissing, match=r"run: pip install 'deniable\[postgres\]'"):
        open_store("postgresql://localhost/health")


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("store.sqlite", "store.sqlite"),
        ("sqlite:///a@b", "sqlite:///a@b"),
        ("postgresql://db/health", "postgresql://db/health"),
        ("postgresql://ann@db:5432/health", "postgresql://ann@db:5432/health"),
        ("postgres://ann:5309@a:1,b:2/health", "postgres://ann@a:1,b:2/health"),
        ("postgresql://ann:5309@db/health?password=5309", "postgresql://ann@db/health"),
        ("postgresql://db/health?password=a@5309", "postgresql://..."),
        ("postgresql://ann:53@09@db/health", "postgresql://..."),
        ("postgresql://ann:53/09@db/health", "postgresql://..."),
        ("postgresql://ann:53?09@db/health", "postgresql://..."),
        ("postgresql://ann:53#09@db/health", "postgresql://..."),
        ("postgresql:ann:5309", "postgresql://..."),
        ("POSTGRESQL://ann:5309@db/health", "POSTGRESQL://ann@db/health"),
    ],
)
def test_a_location_is_shown_without_its_password(location: str, expected: str) -> None:
    """Where it cannot be told for certain what is the password, nothing is shown."""
    assert shown(location) == expected
