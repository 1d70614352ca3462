"""SQLite files of ours that are not a collector's store, and their tables."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deniable_collector.errors import UnreadableStore
from deniable_collector.store.connections import transaction


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of SQLite file that is not a collector's store.

    Args:
        name: what errors call such a file, like "an issuer's store".
        application: the number by which a file is known to be of this kind.
        layout: the number of these tables.
        tables_sql: the statements that make the tables, with semicolons between them.
    """

    name: str
    application: int
    layout: int
    tables_sql: str


def lay_out(
    connection: sqlite3.Connection, path: Path, kind: FileKind, busy_timeout_s: float
) -> None:
    """Make the tables of a new file of a kind.

    Raises:
        UnreadableStore: the file has other tables, or is not an SQLite file.
    """
    try:
        with transaction(connection, busy_timeout_s, before_commit=lambda: None):
            _make_tables(connection, path, kind)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        raise UnreadableStore(f"{path} is not an SQLite file; choose another path") from None


def _make_tables(connection: sqlite3.Connection, path: Path, kind: FileKind) -> None:
    found = [
        connection.execute(question).fetchone()[0]
        for question in (
            "PRAGMA application_id",
            "PRAGMA user_version",
            "SELECT count(*) FROM sqlite_master",
        )
    ]
    if not any(found):
        for statement in _statements(kind.tables_sql):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {kind.application}")
        connection.execute(f"PRAGMA user_version = {kind.layout}")
    elif found[0] != kind.application:
        raise UnreadableStore(
            f"{path} is not {kind.name}, which needs a file of its own, not that of a "
            "collector; choose another path (a new file is created if there is none)"
        )
    elif found[1] != kind.layout:
        raise UnreadableStore(
            f"{path} was made by a newer version; update deniable, or choose another file"
        )


def _statements(text: str) -> Iterator[str]:
    """The statements in a text; one that makes a trigger has semicolons inside."""
    statement = ""
    for piece in text.split(";"):
        statement += f"{piece};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
