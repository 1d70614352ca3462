"""Brings a store from any earlier layout to the present one, or refuses clearly."""

import sqlite3
from collections.abc import Set as AbstractSet

from deniable_collector.errors import UnreadableStore
from deniable_collector.store.layout import NAME, STEPS


def migrate(connection: sqlite3.Connection, location: str) -> None:
    """Bring the file to the present layout, in one transaction.

    Raises:
        UnreadableStore: the file contains something else, or a newer layout.
    """
    # This is read before the tables, because another process may create the whole store in
    # between. It is read before the transaction, because that gives an empty file its first
    # page.
    is_empty = connection.execute("PRAGMA page_count").fetchone() == (0,)
    if _is_present(connection, location, is_empty=is_empty):
        return
    # This imports pandas, which takes longer than everything else at the start.
    from deniable_collector.store.steps import apply_steps  # noqa: PLC0415 - see above

    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _is_present(connection, location, is_empty=is_empty):
            apply_steps(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _is_present(connection: sqlite3.Connection, location: str, *, is_empty: bool) -> bool:
    """Whether the layout is the present one; raises UnreadableStore for a foreign or newer one."""
    schemas = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    if not schemas and is_empty:
        return False
    applied = _applied(connection) if "_sqlite_migrations" in schemas else set()
    if not applied:
        raise UnreadableStore(
            f"{location} is an SQLite file without the tables of a store; choose another path (a "
            "new file is created if there is none)"
        )
    unknown = applied - STEPS.keys()
    if unknown:
        raise UnreadableStore(
            f"{location} was made by a newer version (it has {', '.join(sorted(unknown))}); "
            "update deniable, or choose another file"
        )
    for table, statement in map(STEPS.__getitem__, sorted(applied)):
        if schemas.get(table) != statement:
            raise UnreadableStore(
                f"{location} is marked as a store, but its table of {table} is missing or was "
                "changed; restore it from a backup, or choose another file"
            )
    return applied == STEPS.keys()


def _applied(connection: sqlite3.Connection) -> AbstractSet[str]:
    statement = "SELECT name FROM _sqlite_migrations WHERE migration_set = ?"
    return {str(name) for (name,) in connection.execute(statement, (NAME,))}
