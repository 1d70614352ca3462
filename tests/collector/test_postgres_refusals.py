"""Databases and servers that the store in PostgreSQL refuses, each with a clear message."""

import threading

import psycopg
import pytest

from deniable_collector.errors import (
    PackageMissing,
    StoreUnavailable,
    UnreadableStore,
    UnsupportedStore,
)
from deniable_collector.store import Store, open_store, shown
from postgres_server import PASSWORD, PostgresServer, execute
from sample_definitions import survey, yes_no

HEALTH = survey(yes_no())


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
        (
            ["CREATE TABLE notes (text text)"],
            "contains tables that are not a store's; choose an empty",
        ),
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
    execute(url, *statements)
    with pytest.raises(UnreadableStore, match=message) as raised:
        open_store(url)
    assert PASSWORD not in str(raised.value)
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
    with psycopg.connect(url) as connection:
        counted = connection.execute(tables.encode()).fetchone()
    assert counted == ({"CREATE": 1, "DROP T": 9}.get(statements[0][:6], 10),)


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
        ("full_page_writes", "off", "with full_page_writes off, which may damage stored reports"),
        ("track_commit_timestamp", "on", "that records the time of every commit, and so of every"),
    ],
)
def test_a_server_that_would_lose_or_date_reports_is_refused(
    postgres_server: PostgresServer, name: str, value: str, message: str
) -> None:
    """What the server is set to is looked at before anything is stored."""
    url = postgres_server.schema()
    with postgres_server.setting(name, value), pytest.raises(UnreadableStore, match=message):
        open_store(url)
    open_store(url).close()


def test_a_database_that_cannot_hold_every_text_or_has_no_schema_is_refused(
    postgres_server: PostgresServer,
) -> None:
    """Documents are in UTF-8, and tables need a schema."""
    execute(
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
    monkeypatch.setattr("deniable_collector.store.engines.find_spec", lambda _name: None)
    with pytest.raises(PackageMissing, match=r"run: pip install 'deniable\[postgres\]'"):
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
