"""Copying an SQLite store while it is used."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from deniable_collector.errors import BackupExists, StoreUnavailable, UnreadableStore
from deniable_collector.store.locations import is_postgres, shown

_SQLITE = "sqlite:///"


def back_up(location: str, target: Path) -> None:
    """Nothing, once a whole copy of the store is durable at the target.

    It holds every report that was acknowledged before this was called. It is
    written in the order of the keys, without a log, and so tells nothing of
    the order of arrival, which the store itself tells while a survey is open.

    Raises:
        BackupExists: something is at the target already.
        UnreadableStore: there is no SQLite store at the location, or no
            folder for the target.
        StoreUnavailable: the store cannot be read or the copy not be written
            now; nothing is left at the target.
    """
    if is_postgres(location):
        raise UnreadableStore(
            f"{shown(location)} is a PostgreSQL database; back it up with pg_dump, as "
            "docs/POSTGRES.md says"
        )
    source = Path(location.removeprefix(_SQLITE))
    if not source.is_file():
        raise UnreadableStore(f"there is no store at {source}; give the file that is served")
    _make(target)
    try:
        _copy(source, target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _make(target: Path) -> None:
    """An empty file that only the operator may read; the copy keeps its mode."""
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        raise BackupExists(
            f"{target} is there already; move it away, or name another file"
        ) from None
    except OSError as error:
        raise UnreadableStore(
            f"no file can be made at {target} ({error.strerror}); give the path of a new file in "
            "a folder that exists"
        ) from None


def _copy(source: Path, target: Path) -> None:
    uri = f"{source.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        try:
            connection.execute("SELECT 1 FROM surveys LIMIT 1")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("VACUUM INTO ?", (str(target.absolute()),))
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise StoreUnavailable(error.sqlite_errorname) from None
            raise _not_a_store(source) from None
        except sqlite3.DatabaseError:
            raise _not_a_store(source) from None
    for path in (target, target.absolute().parent):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _not_a_store(source: Path) -> UnreadableStore:
    return UnreadableStore(f"{source} is not a store; give the file that is served")
