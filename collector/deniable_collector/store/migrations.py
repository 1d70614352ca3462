"""Brings a store from any earlier layout to the present one, or refuses clearly."""

from collections.abc import Set as AbstractSet
from sqlite3 import Connection

from deniable_collector.errors import UnreadableStore
from deniable_storage.sqlite_tables import STEPS_SQL, TABLES_SQL
from deniable_storage.tables import STEPS

NAME = "deniable_collector"


def migrate(connection: Connection, location: str) -> None:
    """Bring the file to the present layout, in one transaction.

    Raises:
        UnreadableStore: the file contains something else, or a newer layout.
    """
    # This is read before the tables, because another process may create the whole store in
    # between. It is read before the transaction, because that gives an empty file its first
    # page.
    is_empty = connection.execute("PRAGMA page_count").fetchone() == (0,)
    if is_present(connection, location, is_empty=is_empty):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not is_present(connection, location, is_empty=is_empty):
            _apply_steps(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _apply_steps(connection: Connection) -> None:
    # This imports pandas, which takes longer than everything else at the start.
    from sqlite_utils import Database, Migrations  # noqa: PLC0415 - see above

    migrations = Migrations(NAME)
    for name in STEPS:

        @migrations(name=name)
        def step(database: Database, name: str = name) -> None:
            for statement in STEPS_SQL[name]:
                database.execute(statement)

    migrations.apply(Database(connection, execute_plugins=False))
    # The tool records the time of each migration; a store contains no times.
    connection.execute("UPDATE _sqlite_migrations SET applied_at = '' WHERE applied_at <> ''")


def is_present(connection: Connection, location: str, *, is_empty: bool) -> bool:
    """Whether the layout is the present one; `is_empty` says that the file had no page before.

    Raises:
        UnreadableStore: it is a foreign or a newer one.
    """
    schemas = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    if not schemas and is_empty:
        return False
    applied: set[str] = set()
    if "_sqlite_migrations" in schemas:
        statement = "SELECT name FROM _sqlite_migrations WHERE migration_set = ?"
        applied = {str(name) for (name,) in connection.execute(statement, (NAME,))}
    if not applied:
        raise UnreadableStore(
            f"{location} is an SQLite file without the tables of a store; choose another path (a "
            "new file is created if there is none)"
        )
    refuse_newer(applied, location, "file")
    if applied != set(STEPS):
        return False
    for table in sorted(TABLES_SQL):
        if schemas.get(table) != TABLES_SQL[table]:
            raise UnreadableStore(
                f"{location} is marked as a store, but its table of {table} is missing or was "
                "changed; restore it from a backup, or choose another file"
            )
    return True


def refuse_newer(applied: AbstractSet[str], location: str, kind: str) -> None:
    """Raise UnreadableStore if a store (`kind` is its noun) has steps that this version lacks."""
    unknown = applied - set(STEPS)
    if unknown:
        raise UnreadableStore(
            f"{location} was made by a newer version (it has {', '.join(sorted(unknown))}); "
            f"update deniable, or choose another {kind}"
        )
