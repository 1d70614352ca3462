"""A workplace: one SQLite file, apart from every store with reports.

It has times and names of people who run surveys. A store with reports never has times.
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from deniable_collector.errors import UnreadableStore
from deniable_collector.store.connections import (
    connect,
    make_file,
    patient,
    transaction,
    turn,
    unavailable_if_failing,
)
from deniable_collector.store.file_kinds import FileKind, lay_out
from deniable_collector.store.locations import scheme_of, sqlite_path
from deniable_storage.closed_at_exit import ClosedAtExit

_DRAFTS_SQL: Final = """
CREATE TABLE drafts (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    created TEXT NOT NULL,
    created_by TEXT NOT NULL
);
CREATE TABLE versions (
    draft TEXT NOT NULL,
    version INTEGER NOT NULL,
    began TEXT NOT NULL,
    changed TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    title TEXT NOT NULL,
    slug TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (draft, version)
) WITHOUT ROWID;
CREATE TABLE present (
    draft TEXT NOT NULL,
    name TEXT NOT NULL,
    seen TEXT NOT NULL,
    PRIMARY KEY (draft, name)
) WITHOUT ROWID;
"""
_ACCOUNTS_SQL: Final = """
CREATE TABLE accounts (
    name TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    surveys TEXT,
    UNIQUE (provider, subject)
) WITHOUT ROWID;
CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    token TEXT,
    began TEXT NOT NULL,
    used TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE session_tokens (
    digest TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    until TEXT NOT NULL
) WITHOUT ROWID;
"""
_TRAIL_SQL: Final = """
CREATE TABLE trail (
    number INTEGER PRIMARY KEY,
    day TEXT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    about TEXT NOT NULL
);
CREATE TRIGGER trail_is_not_changed BEFORE UPDATE ON trail
BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER trail_is_not_shortened BEFORE DELETE ON trail
BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END
"""
# The number is "work" in ASCII.
KIND: Final = FileKind("a workplace", 0x776F726B, 1, _DRAFTS_SQL + _ACCOUNTS_SQL + _TRAIL_SQL)
BUSY_TIMEOUT_S: Final = 10.0


class Workplace(ClosedAtExit):
    """An open workplace. Several processes may have the same file open.

    Args:
        path: of the file, which is created when something is written first.
        busy_timeout_s: how long to wait for other processes that write.
    Raises:
        UnreadableStore: the path has something else, or cannot have a file.
        StoreUnavailable: the file cannot be opened or written now. So can every method.
    """

    def __init__(self, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        if not path.parent.is_dir():
            raise UnreadableStore(f"{path} is in a folder that does not exist; make it first")
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        if path.exists():
            with unavailable_if_failing():
                self._connection = _open(path, busy_timeout_s)

    @property
    def exists(self) -> bool:
        """Whether something was ever written."""
        return self._path.exists()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for short reading; it makes the file."""
        with turn(self._lock), unavailable_if_failing():
            yield self._opened()

    def rows(self, question: str, values: Sequence[str] = ()) -> list[tuple[Any, ...]]:
        """The rows that a query finds; none if nothing was ever written."""
        if not self.exists:
            return []
        with self.reading() as connection:
            return connection.execute(question, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A block that is on disk as a whole when it ends, or leaves nothing."""
        with turn(self._lock), unavailable_if_failing():
            connection = self._opened()
            with transaction(connection, self._busy_timeout_s, before_commit=lambda: None):
                yield connection

    def close(self) -> None:
        """Close the file; calling this again is harmless."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = _open(self._path, self._busy_timeout_s)
        return patient(self._connection, self._busy_timeout_s)


def workplace_beside(store: str) -> Path | None:
    """The workplace beside a store of reports in an SQLite file; None for other stores."""
    if scheme_of(store) not in ("", "sqlite"):
        return None
    path = sqlite_path(store)
    return path.with_name(f"{path.stem}-workplace.sqlite")


def open_workplace(location: str | Path) -> Workplace:
    """The workplace at a path.

    Raises:
        UnreadableStore, StoreUnavailable: as for Workplace.
    """
    if scheme_of(location):
        raise UnreadableStore(
            "got the URL of a database; a workplace has times, and the log of a database that "
            "also has reports would date these; it needs a file of its own: give a path"
        )
    return Workplace(Path(location))


def _open(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    make_file(path, must_exist=False, missing="")
    connection = connect(path, busy_timeout_s)
    try:
        lay_out(connection, path, KIND, busy_timeout_s)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def to_text(moment: datetime) -> str:
    """A moment as it is stored: in UTC, to the second. The order of texts is that of time."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def to_moment(text: str) -> datetime:
    """The moment in a stored text."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
