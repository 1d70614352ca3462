"""Brings a database from any earlier layout to the present one, or refuses clearly."""

from collections.abc import Mapping
from typing import cast

from deniable_collector.errors import UnreadableStore
from deniable_collector.store.migrations import refuse_newer
from deniable_collector.store.postgres.connections import Connection, transaction
from deniable_storage.postgres_tables import CREATE_MIGRATIONS_SQL, STEPS_SQL
from deniable_storage.tables import STEPS, TABLES

# A number that other programs are unlikely to lock: the bytes of "deniable".
_LOCK = int.from_bytes(b"deniable", "big")
_TABLES = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
_COLUMNS = (
    "SELECT table_name::text, array_agg(column_name::text ORDER BY ordinal_position) "
    "FROM information_schema.columns WHERE table_schema = current_schema() "
    "AND table_name = ANY(%s) GROUP BY table_name ORDER BY table_name"
)
# The tables in the order of their names, with their columns; keys are in capitals.
_LAYOUT = [
    (name, [line.split()[0] for line in lines if line[0].islower()])
    for name, lines in sorted(TABLES.items())
]
# Conditions that a server must meet, and the message if it does not.
_RULES: Mapping[str, str] = {
    "current_setting('server_version_num')::integer >= 140000": (
        "is on a server older than PostgreSQL 14; use a newer one"
    ),
    "current_setting('server_encoding') = 'UTF8'": (
        "is not in UTF-8; make the database with ENCODING 'UTF8'"
    ),
    "current_setting('fsync') = 'on'": (
        "is on a server with fsync off, which loses reports when power fails; set fsync = on"
    ),
    "current_setting('full_page_writes') = 'on'": (
        "is on a server with full_page_writes off, which may damage stored reports when power "
        "fails; set full_page_writes = on"
    ),
    "current_setting('track_commit_timestamp') = 'off'": (
        "is on a server that records the time of every commit, and so of every report; "
        "set track_commit_timestamp = off"
    ),
    "current_schema() IS NOT NULL": (
        "has no schema to put tables in; create one, and name it in the URL: "
        "?options=-csearch_path%3DNAME"
    ),
}


def check_server(connection: Connection, location: str) -> None:
    """Raise UnreadableStore unless the server stores data durably and without times."""
    are_met = connection.execute(f"SELECT {', '.join(_RULES)}".encode()).fetchone() or ()
    for is_met, text in zip(are_met, _RULES.values(), strict=True):
        if not is_met:
            raise UnreadableStore(f"the database at {location} {text}")


def migrate(connection: Connection, location: str, *, must_exist: bool) -> None:
    """Bring the database to the present layout, in one transaction.

    Collectors that start at the same time wait for each other.

    Raises:
        UnreadableStore: the database contains something else or a newer layout, or is empty
            although it must exist.
    """
    with transaction(connection, f"BEGIN; SELECT pg_advisory_xact_lock({_LOCK})"):
        applied = _applied(connection, location, must_exist=must_exist)
        if not applied:
            connection.execute(CREATE_MIGRATIONS_SQL.encode())
        for name in STEPS:
            if name in applied:
                continue
            for statement in STEPS_SQL[name]:
                connection.execute(statement.encode())
            connection.execute("INSERT INTO deniable_migrations VALUES (%s)", (name,))
        columns = connection.execute(_COLUMNS, ([name for name, _ in _LAYOUT],)).fetchall()
        if cast("list[tuple[str, list[str]]]", columns) != _LAYOUT:
            raise UnreadableStore(
                f"{location} is marked as a store, but one of its tables is missing or was "
                "changed; restore it from a backup, or choose another database"
            )


def is_present(connection: Connection, location: str) -> bool:
    """Whether the layout is the present one; raises UnreadableStore as migrate does."""
    check_server(connection, location)
    return _applied(connection, location, must_exist=True) == set(STEPS)


def _applied(connection: Connection, location: str, *, must_exist: bool) -> set[str]:
    """The steps that were applied; none in an empty database. Raises as migrate does."""
    tables = {str(name) for (name,) in connection.execute(_TABLES)}
    if not tables and must_exist:
        raise UnreadableStore(f"there is no store at {location}; publish a survey to make one")
    applied: set[str] = set()
    if "deniable_migrations" in tables:
        rows = connection.execute("SELECT name FROM deniable_migrations")
        applied = {str(name) for (name,) in rows}
    if tables and not applied:
        raise UnreadableStore(
            f"{location} contains tables that are not a store's; choose an empty database, or an "
            "empty schema of it with ?options=-csearch_path%3DNAME"
        )
    refuse_newer(applied, location, "database")
    return applied
