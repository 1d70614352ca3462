"""One SQLite file, opened again for each transaction.

So that no connection is ever shared with a forked child, and so that the file
can be on a disk that comes and goes. A file is never empty: it gets its name
once its tables are in it. SQLite keeps what it is given, and has no sums of its
own: each row has a digest of its content, as a flipped bit would be another
report, or less that was spent.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, get_args

from deniable_sdk import canonical
from deniable_sdk.client.entry import Entry, State
from deniable_sdk.client.errors import StorageBusy, StorageDamaged, StorageUnavailable
from deniable_sdk.client.storage.alone import alone
from deniable_sdk.client.storage.contract import BUSY_TIMEOUT_S, Lease

_LAYOUT = 5
_TABLES = """
CREATE TABLE entries (
  key TEXT PRIMARY KEY, number INTEGER NOT NULL, collector TEXT NOT NULL, slug TEXT NOT NULL,
  survey TEXT NOT NULL, report TEXT NOT NULL, weights TEXT NOT NULL, body BLOB,
  state TEXT NOT NULL, status INTEGER NOT NULL, reason TEXT NOT NULL, tries INTEGER NOT NULL,
  next_try REAL NOT NULL, is_asked INTEGER NOT NULL, panel TEXT NOT NULL, fixed TEXT NOT NULL,
  blocks TEXT NOT NULL, day INTEGER NOT NULL, invitation TEXT NOT NULL, digest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE lease (holder TEXT NOT NULL, until REAL NOT NULL);
"""
_FIELDS = Entry.__match_args__
_PLACES = ", ".join("?" * (len(_FIELDS) + 1))
_SELECT = f"SELECT {', '.join(_FIELDS)}, digest FROM entries ORDER BY number"  # noqa: S608 - our names
_PUT = f"INSERT OR REPLACE INTO entries ({', '.join(_FIELDS)}, digest) VALUES ({_PLACES})"  # noqa: S608 - our names
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_TYPES = [str, int, str, str, str, str, str, bytes, str, int, str, int, float, int]
_TYPES += [str, str, str, int, str]
_TYPES_WITHOUT_BODY = [kind if kind is not bytes else type(None) for kind in _TYPES]
_WEIGHTS = re.compile(r"([1-9][0-9]*/[1-9][0-9]*( [1-9][0-9]*/[1-9][0-9]*)*)?", re.ASCII)
_PANEL = re.compile(r"([1-9][0-9]{0,2}/[1-9][0-9]{0,2} [0-9]{1,2}(\.[0-9]{1,30})?)?", re.ASCII)


class SqliteStorage:
    """A storage in one file, which only its owner can read."""

    problem = ""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def transaction(self) -> Iterator[SqliteTransaction]:
        """Exclusive access to the entries over all processes; durable when the block ends."""
        with alone(), _told(), closing(self._open()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                _check_layout(connection)
                yield SqliteTransaction(connection)
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def clear(self) -> None:
        """Overwrite all of it with zeros; a damaged file is removed.

        Raises:
            StorageUnavailable: there is something that cannot be overwritten.
        """
        with suppress(OSError):
            if not self._path.exists():
                return
        try:
            with self.transaction() as stored:
                stored.wipe()
        except StorageDamaged:
            with alone(), _told():
                self._path.unlink(missing_ok=True)
                self._path.with_name(f"{self._path.name}-journal").unlink(missing_ok=True)

    def read_only(self) -> list[Entry]:
        """The entries of a file that cannot be written."""
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        with alone(), _told(), closing(sqlite3.connect(address, uri=True)) as connection:
            _check_layout(connection)
            return [_entry_of_row(row) for row in connection.execute(_SELECT)]

    def _open(self) -> sqlite3.Connection:
        if not self._path.exists():
            self._make()
        # Without permission to write, the system raises an error here.
        os.close(os.open(self._path, os.O_RDWR))
        return _connect(self._path)

    def _make(self) -> None:
        """Give the file its name once it has tables, unless there is one by now."""
        # Made for its owner, as SQLite would let everybody read it.
        descriptor, name = tempfile.mkstemp(".new", f"{self._path.name}.", self._path.parent)
        os.close(descriptor)
        new = Path(name)
        try:
            with closing(_connect(new)) as connection:
                connection.executescript(
                    f"BEGIN; {_TABLES} PRAGMA user_version = {_LAYOUT}; COMMIT"
                )
            _name(new, self._path)
        finally:
            new.unlink(missing_ok=True)
            new.with_name(f"{new.name}-journal").unlink(missing_ok=True)


class SqliteTransaction:
    """The stored entries, while nobody else reads or writes them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def entries(self) -> list[Entry]:
        return [_entry_of_row(row) for row in self._connection.execute(_SELECT)]

    def put(self, entry: Entry) -> None:
        row = [getattr(entry, field) for field in _FIELDS]
        self._connection.execute(_PUT, [*row, _digest_of(entry)])

    def lease(self) -> Lease | None:
        row = self._connection.execute("SELECT holder, until FROM lease").fetchone()
        return Lease(*row) if row else None

    def put_lease(self, lease: Lease | None) -> None:
        self._connection.execute("DELETE FROM lease")
        if lease:
            self._connection.execute(
                "INSERT INTO lease VALUES (?, ?)", (lease.holder, lease.until)
            )

    def wipe(self) -> None:
        """Remove all that is stored."""
        self._connection.execute("DELETE FROM entries")
        self._connection.execute("DELETE FROM lease")


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    connection.execute("PRAGMA secure_delete = ON")
    # A report that was sent must not be forgotten by a power cut.
    connection.execute("PRAGMA synchronous = EXTRA")
    return connection


def _name(new: Path, path: Path) -> None:
    """Give a new file its path, if there is none; replace nothing."""
    with suppress(FileExistsError):
        try:
            os.link(new, path)
        except FileExistsError:
            raise
        except (OSError, AttributeError):
            # Some file systems know one name for a file only.
            with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as to:
                to.write(new.read_bytes())


def _check_layout(connection: sqlite3.Connection) -> None:
    """Refuse a file of another version, and one without tables."""
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if layout == 0:
        raise StorageDamaged(
            "the file of reports was emptied, and with it the record of what was answered; "
            "restore it, or opt out, which removes it"
        )
    if layout != _LAYOUT:
        raise StorageDamaged(
            f"the file of reports has the layout {layout}; this version reads {_LAYOUT}; "
            "use the version of deniable that wrote it, or opt out, which removes the file"
        )


@contextmanager
def _told() -> Iterator[None]:
    """Failures of the file as errors of ours, without their texts."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", type(error).__name__)
        code = getattr(error, "sqlite_errorcode", 0)
    except StorageUnavailable:
        raise
    except OSError as error:
        name, code = type(error).__name__, 0
    else:
        return
    # Only the first byte tells the kind of failure.
    if code & 0xFF in _DAMAGED:
        raise StorageDamaged(
            f"the file of reports is damaged ({name}), and so is the record of what was answered; "
            "restore it, or opt out, which removes it"
        )
    if code & 0xFF in _BUSY:
        raise StorageBusy("another process is writing; nothing was kept, try again")
    raise StorageUnavailable(
        f"the file of reports cannot be used ({name}); nothing was kept; "
        "make room or allow writing, and try again"
    )


def _digest_of(entry: Entry) -> str:
    """A digest that changes with any bit of an entry."""
    row = [getattr(entry, field) for field in _FIELDS]
    # As SQLite returns them.
    values = [
        kind(value) if kind in (int, float) else value
        for kind, value in zip(_TYPES, row, strict=True)
    ]
    return hashlib.sha256(repr(values).encode()).hexdigest()


def _entry_of_row(row: tuple[Any, ...]) -> Entry:
    """The entry of a row that ends with its digest.

    Raises:
        StorageDamaged: it is none of ours, or not as it was kept.
    """
    *values, digest = row
    entry = Entry(*values)
    # An SQLite file accepts any value in any column from anybody who edits it.
    if [*map(type, values)] not in (_TYPES, _TYPES_WITHOUT_BODY) or not _is_ours(entry):
        raise StorageDamaged(
            "an entry in the file of reports is none of ours; restore the file, or opt out, "
            "which wipes it"
        )
    entry = entry.replace(is_asked=bool(entry.is_asked))
    if digest != _digest_of(entry):
        raise StorageDamaged(
            "an entry in the file of reports is not as it was kept, so that what it says is not "
            "used; restore the file, or opt out, which wipes it"
        )
    return entry


def _is_ours(entry: Entry) -> bool:
    is_known = entry.state in get_args(State)
    if not (is_known and _WEIGHTS.fullmatch(entry.weights) and _PANEL.fullmatch(entry.panel)):
        return False
    try:
        return isinstance(canonical.parse(entry.fixed.encode()), dict)
    except (canonical.NotCanonical, UnicodeEncodeError):
        return False
