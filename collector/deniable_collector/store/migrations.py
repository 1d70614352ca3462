"""From any earlier layout of a store to the present one, or a clear refusal."""

import sqlite3

import sqlite_utils
from sqlite_utils import Migrations

from deniable_collector.errors import UnreadableStore
from deniable_collector.store.tables import PURGED_SQL, SURVEYS_SQL, TOKENS_SQL

MIGRATIONS = Migrations("deniable_collector")


@MIGRATIONS()
def create_surveys(database: sqlite_utils.Database) -> None:
    """The table of published surveys."""
    database.execute(SURVEYS_SQL)


@MIGRATIONS()
def create_tokens(database: sqlite_utils.Database) -> None:
    """The table of tokens."""
    database.execute(TOKENS_SQL)


@MIGRATIONS()
def create_purged(database: sqlite_utils.Database) -> None:
    """The table of surveys whose reports were removed."""
    database.execute(PURGED_SQL)


# The tables that every store has once these migrations were applied.
_TABLES = {
    "create_surveys": ("surveys", SURVEYS_SQL),
    "create_tokens": ("tokens", TOKENS_SQL),
    "create_purged": ("purged", PURGED_SQL),
}


def migrate(connection: sqlite3.Connection, location: str) -> None:
    """Bring the file to the present layout, in one transaction.

    Raises:
        UnreadableStore: it holds something else, or a newer layout.
    """
    database = sqlite_utils.Database(connection, execute_plugins=False)
    connection.execute("BEGIN IMMEDIATE")
    try:
        _check(database, location)
        MIGRATIONS.apply(database)
        # The tool notes when it migrated; a store tells no times.
        connection.execute("UPDATE _sqlite_migrations SET applied_at = '' WHERE applied_at <> ''")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _check(database: sqlite_utils.Database, location: str) -> None:
    if not database.table_names():
        return
    applied = {migration.name for migration in MIGRATIONS.applied(database)}
    if not applied:
        raise UnreadableStore(
            f"{location} is an SQLite file with other tables than a store's; "
            "choose another file, a new one is made where none is"
        )
    unknown = applied - _known_names()
    if unknown:
        raise UnreadableStore(
            f"{location} was made by a newer version (it has {', '.join(sorted(unknown))}); "
            "update deniable, or choose another file"
        )
    schemas = {table.name: table.schema for table in database.tables}
    for table, statement in map(_TABLES.__getitem__, sorted(applied)):
        if schemas.get(table) != statement:
            raise UnreadableStore(
                f"{location} says it is a store, and its table of {table} is missing or was "
                "changed; restore it from a backup, or choose another file"
            )


def _known_names() -> set[str]:
    with sqlite_utils.Database(memory=True, execute_plugins=False) as empty:
        return {migration.name for migration in MIGRATIONS.pending(empty)}
