"""Copies an SQLite store while it is in use, and checks stores and copies without a change."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from deniable_collector.errors import BackupExists, StoreUnavailable, UnreadableStore
from deniable_collector.store import migrations
from deniable_collector.store.connections import unavailable_if_failing
from deniable_collector.store.locations import is_postgres, shown, sqlite_path
from deniable_collector.store.raw_files import UNFINISHED, refuse_leftover, refuse_lost_log
from deniable_collector.system import CAN_LOCK, NO_LINKS, lock_now, make_durable

_PATIENCE_S = 5.0


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
    if not CAN_LOCK:
        raise UnreadableStore(
            "this system cannot copy a store in use; stop the collector and copy its file, and "
            "those beside it with -wal and -shm at the end"
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
    partial = target.with_name(f"{target.name}{UNFINISHED}")
    descriptor = _open(partial)
    try:
        try:
            lock_now(descriptor)
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
        return os.open(partial, os.O_CREAT | NO_LINKS | os.O_RDWR, 0o600)
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


def has_present_layout(location: str) -> bool:
    """Whether opening the store would migrate nothing.

    Args:
        location: of a store in SQLite or PostgreSQL.
    Raises:
        UnreadableStore: it has something else, a newer layout, or is not there.
        StoreUnavailable: it cannot be read now.
    """
    if is_postgres(location):
        # Imported here, so that an SQLite store needs no package for PostgreSQL.
        from deniable_collector.store.postgres.connections import Connections  # noqa: PLC0415 - see above
        from deniable_collector.store.postgres.migrations import is_present  # noqa: PLC0415 - see above

        with (
            closing(Connections(location, most=1, patience_s=_PATIENCE_S)) as pool,
            pool.lend() as connection,
        ):
            return is_present(connection, shown(location))
    path = sqlite_path(location)
    if not path.is_file():
        raise UnreadableStore(f"there is no store at {path}")
    refuse_leftover(path)
    refuse_lost_log(path)
    return _look(path, "mode=ro", ())


def check_backup(path: Path) -> bool:
    """Read a copy of a store completely; whether it has the present layout.

    Raises:
        UnreadableStore: it is not a store, was never finished, or a page of it is damaged.
        StoreUnavailable: it cannot be read now.
    """
    refuse_leftover(path)
    return _look(path, "mode=ro&immutable=1", ("PRAGMA integrity_check(1)",))


def _look(path: Path, options: str, checks: Sequence[str]) -> bool:
    uri = f"{path.absolute().as_uri()}?{options}"
    try:
        with unavailable_if_failing(), closing(sqlite3.connect(uri, uri=True)) as connection:
            for check in checks:
                if connection.execute(check).fetchall() != [("ok",)]:
                    raise UnreadableStore(f"{path} is damaged")
            return migrations.is_present(connection, str(path), is_empty=False)
    except sqlite3.DatabaseError:
        raise UnreadableStore(f"{path} is not an SQLite file") from None
