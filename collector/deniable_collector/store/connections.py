"""Opens an SQLite file with the settings that a store needs."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock

from deniable_collector.deadlines import left_s
from deniable_collector.errors import StoreUnavailable, UnreadableStore
from deniable_collector.store.migrations import migrate
from deniable_collector.store.raw_files import refuse_leftover, refuse_lost_log
from deniable_collector.system import may_use, user_number

# Each report belongs on a random page. If several belong on one page, as with the lines of
# a long body (intake/waiting.py), the page is written only once; smaller pages have fewer
# reports to share them.
_PAGE_BYTES = 4_096
_CACHE_KIB = 65_536
# A page that changes often is moved from the log to the file only once. For 5 million
# reports, a log of 128 MiB writes 40 percent less to disk than a log of 32 MiB.
_LOG_PAGES = 32_768

# How long threads of one process wait for each other.
_LONGEST_TURN_S = 10.0
_RETRY_S = 0.02
_TURN_S = 0.0005
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def open_connections(
    path: Path, *, must_exist: bool, busy_timeout_s: float
) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """One connection for writing and one for reading; the file is brought to the present layout.

    Raises:
        UnreadableStore: the path cannot be a store, or the file is something else.
        StoreUnavailable: the file cannot be opened or written now.
    """
    missing = f"store at {path}; publish a survey to make one"
    make_file(path, must_exist=must_exist, missing=missing)
    refuse_lost_log(path)
    deadline = time.monotonic() + left_s(busy_timeout_s)
    while True:
        try:
            return _open_both(path, busy_timeout_s)
        except sqlite3.OperationalError as error:
            # Turning on the write-ahead log does not wait for other processes by itself.
            if error.sqlite_errorcode not in _BUSY or time.monotonic() >= deadline:
                raise StoreUnavailable(error.sqlite_errorname) from None
            time.sleep(_RETRY_S)
        except sqlite3.DatabaseError:
            raise UnreadableStore(
                f"{path} is not an SQLite file; choose another path (a new file is created if "
                "there is none)"
            ) from None


@contextmanager
def open_snapshot(path: Path, busy_timeout_s: float) -> Iterator[sqlite3.Connection]:
    """A separate connection that sees a single moment, for long reading."""
    with closing(connect(path, busy_timeout_s)) as connection:
        # A text that is not UTF-8 must not appear in an error message.
        connection.text_factory = lambda text: text.decode(errors="replace")
        # So that sorting writes no copy of stored data to other files.
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("BEGIN")
        yield connection


def empty_log(connection: sqlite3.Connection) -> bool:
    """Whether the write-ahead log could be moved into the file and emptied.

    It does not work while another program writes, or reads pages in the log.
    """
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


@contextmanager
def turn(lock: Lock) -> Iterator[None]:
    """A block in which no other thread has the lock.

    Raises:
        StoreUnavailable: another thread had it for longer than the present request may wait.
    """
    if not lock.acquire(timeout=left_s(_LONGEST_TURN_S)):
        raise StoreUnavailable("it is in use for longer than a request may wait")
    try:
        yield
    finally:
        lock.release()


def begin_writing(connection: sqlite3.Connection, busy_timeout_s: float) -> None:
    """Begin a transaction that writes, once no other process is writing.

    It waits no longer than the present request may, but always tries once.
    SQLite's own waiting sleeps longer and longer, so the worker that has just written
    nearly always writes next. Measured with 4 workers that commit all the time: the longest
    wait was 0.9 s with SQLite's waiting, and is 0.1 s with this function.

    Raises:
        sqlite3.OperationalError: another process is writing all the time.
    """
    deadline = time.monotonic() + left_s(busy_timeout_s)
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode not in _BUSY or time.monotonic() >= deadline:
                    raise
                time.sleep(_TURN_S)
            else:
                return
    finally:
        patient(connection, busy_timeout_s)


def patient(connection: sqlite3.Connection, busy_timeout_s: float) -> sqlite3.Connection:
    """The connection, whose statements wait for other processes as the present request may."""
    connection.execute(f"PRAGMA busy_timeout = {int(1_000 * left_s(busy_timeout_s))}")
    return connection


@contextmanager
def transaction(
    connection: sqlite3.Connection, busy_timeout_s: float, before_commit: Callable[[], None]
) -> Iterator[None]:
    """A block that is committed as a whole, or leaves nothing."""
    begin_writing(connection, busy_timeout_s)
    try:
        yield
        before_commit()
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def unavailable_if_failing() -> Iterator[None]:
    """A block in which the engine's failures become StoreUnavailable.

    Our own errors (wrong SQL, a broken constraint, a wrong type) are not changed. The
    engine's message is left out, because it may quote stored data.

    Raises:
        StoreUnavailable: the file is busy, full, broken, read-only or gone.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        if isinstance(error, sqlite3.IntegrityError) or code == sqlite3.SQLITE_ERROR:
            raise
        raise StoreUnavailable(error.sqlite_errorname) from None


def make_file(path: Path, *, must_exist: bool, missing: str) -> None:
    """Make a store's file if there is none, for its owner alone.

    Args:
        path: of the file.
        must_exist: refuse a path without a store.
        missing: what to say then, after "there is no".
    Raises:
        UnreadableStore: there is no store, the path is not one of a file, or the file is
            another user's, or was never finished.
        StoreUnavailable: no file can be created.
    """
    refuse_leftover(path)
    if must_exist and not (path.is_file() and path.stat().st_size):
        raise UnreadableStore(f"there is no {missing}")
    if path.is_dir() or not path.parent.is_dir():
        raise UnreadableStore(
            f"{path} is a folder, or in a folder that does not exist; give the path of a file in "
            "an existing folder"
        )
    # SQLite gives its log files the same mode.
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        _check_access(path)
    except OSError as error:
        raise StoreUnavailable(f"no file can be created at {path}: {error.strerror}") from None


def _check_access(path: Path) -> None:
    if path.exists() and not may_use(path):
        raise UnreadableStore(
            f"{path} belongs to user {path.stat().st_uid}, and user {user_number()} may not read "
            f"and write it; run the command as its owner, or as root: "
            f"chown {user_number()} {path} && chmod 600 {path}"
        )


def _open_both(path: Path, busy_timeout_s: float) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    writer = connect(path, busy_timeout_s)
    try:
        writer.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        migrate(writer, str(path))
        keep_safely(writer)
        writer.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        writer.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        reader = connect(path, busy_timeout_s)
        for connection in (writer, reader):
            # The first read creates the log file, which then stays the same file.
            connection.execute("SELECT 1 FROM surveys LIMIT 1").fetchone()
    except BaseException:
        writer.close()
        raise
    return writer, reader


def keep_safely(connection: sqlite3.Connection) -> None:
    """Let commits be on disk when they return, and leave no copies of removed data."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    # So that rewriting the file writes no copy to other files.
    connection.execute("PRAGMA temp_store = MEMORY")


def connect(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """A new connection, for a short look at the file."""
    # Absolute, because some relative names (:memory:, file:x) do not mean files to SQLite.
    return sqlite3.connect(
        path.absolute(),
        timeout=left_s(busy_timeout_s),
        isolation_level=None,
        check_same_thread=False,
    )
