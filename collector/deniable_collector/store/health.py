"""Checks whether reports could be stored in an SQLite file now, and whether its files exist.

The check writes nothing: a frame in the log every few seconds would be a clock beside the
reports. Only after a commit has failed, the check tries a real commit.
"""

import errno
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from deniable_collector.errors import StoreUnavailable
from deniable_collector.store.connections import (
    begin_writing,
    connect,
    unavailable_if_failing,
)

PATIENCE_S: Final = 1.0
# How much a commit of a few reports adds to the log.
_ROOM_BYTES = 1 << 16
_LOG = "-wal"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
# The files of an open store: their endings, and their names in messages.
_FILES: Final = {
    "": "its file",
    _LOG: "its write-ahead log (-wal)",
    "-shm": "the index of its log (-shm)",
}


class Files:
    """The files of an open store, as they were when it was opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = {ending: _identity(path, ending) for ending in _FILES}

    def check(self) -> None:
        """Raise StoreUnavailable if the open files are no longer those at the path."""
        for ending, name in _FILES.items():
            if self._known[ending] is None or not self._is_there(ending):
                raise StoreUnavailable(f"{name} was removed or replaced while it was open")

    def are_there(self) -> bool:
        """Whether none of the files was removed or replaced."""
        return all(map(self._is_there, _FILES))

    def save_log(self, connection: sqlite3.Connection) -> None:
        """Move the log's pages into the file if only the log or its index was removed.

        A removed log is still open here, and is lost when the process ends. Nobody else may
        write now. Pages that others are reading stay in the log.
        """
        if self._is_there("") and not self.are_there():
            with suppress(sqlite3.Error):
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def _is_there(self, ending: str) -> bool:
        return _identity(self._path, ending) == self._known[ending]


def check_storing(path: Path, *, patience_s: float, must_commit: bool) -> None:
    """Raise StoreUnavailable unless a report would be stored now."""
    _check_room(path)
    with unavailable_if_failing(), closing(connect(path, patience_s)) as connection:
        connection.execute("SELECT 1 FROM surveys LIMIT 1").fetchone()
        begin_writing(connection, patience_s)
        if must_commit:
            # This rewrites a number in the file's header unchanged.
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT" if must_commit else "ROLLBACK")


def _check_room(path: Path) -> None:
    """Check whether the log could grow, with an unnamed file that disappears at once."""
    if not hasattr(os, "O_TMPFILE"):
        return
    try:
        length = path.with_name(path.name + _LOG).stat().st_size
        descriptor = os.open(path.parent, os.O_TMPFILE | os.O_RDWR, 0o600)
    except OSError as error:
        if error.errno in _FULL:
            raise _no_room(error) from None
        # Some file systems cannot do this, and some folders do not allow new files.
        return
    try:
        os.posix_fallocate(descriptor, length, _ROOM_BYTES)
    except OSError as error:
        raise _no_room(error) from None
    finally:
        os.close(descriptor)


def _no_room(error: OSError) -> StoreUnavailable:
    return StoreUnavailable(f"there is no room for its log: {error.strerror}")


def _identity(path: Path, ending: str) -> tuple[int, int] | None:
    """The numbers that identify a file; None if there is no file.

    An open file keeps its inode, so no other file can get the same numbers.
    """
    try:
        found = path.with_name(path.name + ending).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
