"""The migrations from one layout of a store's file to the next."""

import sqlite3

import sqlite_utils
from sqlite_utils import Migrations

from deniable_collector.store.layout import NAME, STEPS
from deniable_storage.sqlite_tables import FILL_LOG_SQL

MIGRATIONS = Migrations(NAME)


def apply_steps(connection: sqlite3.Connection) -> None:
    """Apply all migrations that are missing; call it in a transaction."""
    MIGRATIONS.apply(sqlite_utils.Database(connection, execute_plugins=False))
    # The tool records the time of each migration; a store contains no times.
    connection.execute("UPDATE _sqlite_migrations SET applied_at = '' WHERE applied_at <> ''")


@MIGRATIONS()
def create_surveys(database: sqlite_utils.Database) -> None:
    """The table of published surveys."""
    database.execute(STEPS["create_surveys"][1])


@MIGRATIONS()
def create_tokens(database: sqlite_utils.Database) -> None:
    """The table of tokens."""
    database.execute(STEPS["create_tokens"][1])


@MIGRATIONS()
def create_purged(database: sqlite_utils.Database) -> None:
    """The table of surveys whose reports were removed."""
    database.execute(STEPS["create_purged"][1])


@MIGRATIONS()
def create_token_surveys(database: sqlite_utils.Database) -> None:
    """The table of the surveys that tokens are for."""
    database.execute(STEPS["create_token_surveys"][1])


@MIGRATIONS()
def create_log(database: sqlite_utils.Database) -> None:
    """The table of the public log, with the surveys that are published already."""
    database.execute(STEPS["create_log"][1])
    database.execute(FILL_LOG_SQL)
