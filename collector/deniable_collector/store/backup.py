"""Copies an SQLite store while it is in use."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from deniable_collector.errors import BackupExists, StoreUnavailable, UnreadableStore
from deniable_collector.store.locations import is_postgres, shown, sqlite_path
from deniable_collector.store.raw_files import refuse_leftover, refuse_lost_log


def back_up(location: str, target: Path) -> None:
    """Write a complete, durable copy of the store to the target.

    While it is written, the copy has the target's name with .partial at the end. So a
    command that is killed leaves nothing under the target's own name.

    The copy contains every report that was acknowledged before the call. It is written in
    the order of the keys, without a log. So it does not reveal the order of arrival, which
    the store itself does while a survey is open.

    Raises:
        BackupExists: the target already exists.
        UnreadableStore: there is no SQLite store at the location, or no
            folder for the target.
        StoreUnavailable: the store cannot be read now, or the copy cannot be written;
            nothing is left at the target.
    """
    if is_postgres(location):
        raise UnreadableStore(
            f"{shown(location)} is a PostgreSQL database; back it up with pg_dump, as "
            "docs/POSTGRES.md says"
        )
    source = sqlite_path(location)
    if not source.is_file():
        raise UnreadableStore(f"there is no store at {source}; give the file that is served")
    refuse_leftover(source)
    refuse_lost_log(source)
    with _partial(target) as partial:
        _copy(source, partial)
        _refuse_to_replace(target)
        partial.rename(target)
        make_durable(target.absolute().parent)


@contextmanager
def _partial(target: Path) -> Iterator[Path]:
    """An empty file that only the operator may read, and that no other command writes now.

    A file left by a killed command is used again. The file is removed if the block fails.
    """
    _refuse_to_replace(target)
    partial = target.with_name(f"{target.name}.partial")
    descriptor = _open(partial)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BackupExists(
                f"another command is writing {partial} now; wait for it, or name another file"
            ) from None
        # Another command may have finished after the file was opened and before it was locked.
        _refuse_to_replace(target)
        os.truncate(descriptor, 0)
        _journal_of(partial).unlink(missing_ok=True)
        try:
            yield partial
        except BaseException:
            partial.unlink(missing_ok=True)
            _journal_of(partial).unlink(missing_ok=True)
            raise
    finally:
        os.close(descriptor)


def _refuse_to_replace(target: Path) -> None:
    if os.path.lexists(target):
        raise BackupExists(f"{target} already exists; move it, or name another file")


def _open(partial: Path) -> int:
    try:
        return os.open(partial, os.O_CREAT | os.O_NOFOLLOW | os.O_RDWR, 0o600)
    except OSError as error:
        raise UnreadableStore(
            f"no file can be created at {partial} ({error.strerror}); give the path of a new "
            "file in an existing folder"
        ) from None


def _journal_of(partial: Path) -> Path:
    return partial.with_name(f"{partial.name}-journal")


def _copy(source: Path, target: Path) -> None:
    uri = f"{source.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        try:
            connection.execute("SELECT 1 FROM surveys LIMIT 1")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("VACUUM INTO ?", (str(target.absolute()),))
        except sqlite3.DatabaseError as error:
            is_operational = isinstance(error, sqlite3.OperationalError)
            if is_operational and error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise StoreUnavailable(error.sqlite_errorname) from None
            raise UnreadableStore(
                f"{source} is not a store; give the file that is served"
            ) from None
    make_durable(target)


def make_durable(path: Path) -> None:
    """Let a file or folder be on disk when this returns."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
