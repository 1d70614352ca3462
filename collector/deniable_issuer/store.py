"""The issuer's store: one SQLite file, apart from the collector's.

It has who may collect a token, and who has. It has no times, no counts and no order: rows
are in the order of random digests, the log is emptied after every commit, and the file is
rewritten in the order of its keys when it is closed and when collecting is over.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from deniable_collector.errors import StoreUnavailable, UnreadableStore
from deniable_collector.logs import LOGGER
from deniable_collector.store.connections import (
    connect,
    empty_log,
    keep_safely,
    make_file,
    patient,
    transaction,
    turn,
    unavailable_if_failing,
)
from deniable_collector.store.file_kinds import FileKind, lay_out
from deniable_collector.store.health import PATIENCE_S, Files, check_storing
from deniable_collector.store.locations import is_postgres
from deniable_storage.closed_at_exit import ClosedAtExit

BUSY_TIMEOUT_S = 10.0

_TABLES_SQL = """
CREATE TABLE codes (
    code_digest BLOB PRIMARY KEY,
    survey TEXT NOT NULL,
    group_id TEXT NOT NULL,
    contact TEXT,
    mail TEXT,
    blinded BLOB
) WITHOUT ROWID;
CREATE TABLE keys (modulus BLOB PRIMARY KEY, private BLOB NOT NULL, survey TEXT) WITHOUT ROWID;
CREATE TABLE surveys (digest TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID
"""
# The number is "deni" in ASCII: no store of a collector has it.
_KIND = FileKind("an issuer's store", 0x64656E69, 1, _TABLES_SQL)


class IssuerStore(ClosedAtExit):
    """An open store. Several processes may have the same file open.

    Args:
        path: of the file, which is created if it does not exist.
        must_exist: refuse a path without a store.
        busy_timeout_s: how long to wait for other processes that write.
    Raises:
        UnreadableStore: the path has something else, or cannot have a file.
        StoreUnavailable: the file cannot be opened or written now.
    """

    def __init__(
        self, path: Path, *, must_exist: bool = False, busy_timeout_s: float = BUSY_TIMEOUT_S
    ) -> None:
        make_file(
            path,
            must_exist=must_exist,
            missing=f"issuer's store at {path}; make keys first: deniable issuer keys",
        )
        self._path = path.absolute()
        self._busy_timeout_s = busy_timeout_s
        # The last process that closes the file removes its log, unless it was killed.
        self._has_written = path.with_name(f"{path.name}-wal").exists()
        with unavailable_if_failing():
            self._connection = _open(self._path, busy_timeout_s)
        self._files = Files(self._path)
        self._lock = threading.Lock()
        self._is_open = True

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A block that reads; one at a time.

        Raises:
            StoreUnavailable: the store cannot be read now.
        """
        with turn(self._lock), unavailable_if_failing():
            yield self._required()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A block that is on disk as a whole when it ends, or leaves nothing.

        Raises:
            StoreUnavailable: the store cannot be written now; nothing was changed.
        """
        with turn(self._lock), unavailable_if_failing():
            connection = self._required()
            with transaction(connection, self._busy_timeout_s, self._files.check):
                yield connection
            self._has_written = True
            # The log would contain the order in which people collected. If another process
            # reads now, the next commit empties it.
            empty_log(connection)

    def forget_order(self) -> None:
        """Rewrite the file in the order of its keys.

        Without this, the places of rows within a page depend on the order of the changes.

        Raises:
            StoreUnavailable: another process is writing all the time.
        """
        with turn(self._lock), unavailable_if_failing():
            _rewrite(self._required())

    def check(self) -> None:
        """Raise StoreUnavailable unless a token could be recorded now."""
        self._require_open()
        self._files.check()
        check_storing(self._path, patience_s=PATIENCE_S, must_commit=False)

    def close(self) -> None:
        """Rewrite the file if anything was written, also before a kill, and close it."""
        with self._lock, closing(self._connection):
            is_first, self._is_open = self._is_open, False
            if is_first and self._has_written and self._files.are_there():
                try:
                    _rewrite(self._connection)
                except sqlite3.Error as error:
                    LOGGER.warning(
                        "the issuer's store was not put in order (%s)", error.sqlite_errorname
                    )

    def _required(self) -> sqlite3.Connection:
        self._require_open()
        return patient(self._connection, self._busy_timeout_s)

    def _require_open(self) -> None:
        if not self._is_open:
            raise StoreUnavailable("it was closed")


def open_issuer_store(location: str | Path, *, must_exist: bool = False) -> IssuerStore:
    """The issuer's store at a path.

    Raises:
        UnreadableStore, StoreUnavailable: as for IssuerStore.
    """
    if is_postgres(location) or "://" in str(location):
        raise UnreadableStore(
            "got the URL of a database; the issuer's store is a file of its own, so that it "
            "shares nothing with a collector; give a path"
        )
    return IssuerStore(Path(location), must_exist=must_exist)


def _rewrite(connection: sqlite3.Connection) -> None:
    connection.execute("VACUUM")
    empty_log(connection)


def _open(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    connection = connect(path, busy_timeout_s)
    try:
        lay_out(connection, path, _KIND, busy_timeout_s)
        keep_safely(connection)
        # The first read creates the log file, which then stays the same file.
        connection.execute("SELECT 1 FROM codes LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
