"""Reads and writes bytes of SQLite's files that SQLite itself does not expose.

Before SQLite opens an incomplete store, it is refused. If a file was never finished, SQLite
would empty it because of the journal beside it. If the log of a store is missing, SQLite
would open the store in an earlier state.

When a survey is closed, the numbers in the header that count changes are reset. Their value
depends on how often processes took turns in making the file longer, and so on how many
commits reports came in. SQLite uses them only with a rollback journal, which a store does
not have.
"""

import sqlite3
import subprocess
import sys
from pathlib import Path

from deniable_collector.errors import UnreadableStore
from deniable_collector.logs import LOGGER

# The end of a backup's name until it is whole.
UNFINISHED = ".partial"
_JOURNAL = bytes.fromhex("d9d505f920a163d7")
# The place of the number of pages that the file had before, and its value for a new file.
_PAGES_BEFORE = slice(16, 20)
_NONE = bytes(4)
# A new store has 13 pages. If its creation was interrupted, it is simply created again.
_MOST_OF_A_NEW_STORE = 1 << 16
# Places in the index of a log: whether it is used, how many pages the log has, and how many
# of them are already in the file; https://www.sqlite.org/walformat.html, section 2.1.
_IS_USED, _PAGES, _PAGES_MOVED = 12, slice(16, 20), slice(96, 100)

# The file change counter, and the counter for which the version number is valid:
# https://www.sqlite.org/fileformat.html, section 1.3.
_PLACES = (24, 92)
_FIRST = 1
# A process of its own: if this one opened and closed the file, it would lose all locks that
# it has on the file.
_PROGRAM = f"""
import os, sys
with open(sys.stdin.buffer.read(), "r+b", buffering=0) as file:
    for place in {_PLACES}:
        file.seek(place)
        file.write(({_FIRST}).to_bytes(4, "big"))
    os.fsync(file)
"""
_TIMEOUT_S = 10.0


def refuse_leftover(path: Path) -> None:
    """Raise UnreadableStore if the file is an unfinished backup, or an unfinished transaction.

    A backup that was killed at once is an empty file, which only its name tells from a new one.
    A file of 1 byte is also refused, because SQLite treats it as empty. Only the journal is
    read: opening and closing the file itself would release all locks that this process has
    on it.
    """
    if path.name.endswith(UNFINISHED):
        raise UnreadableStore(
            f"{path} was never finished: only an unfinished backup has a name that ends in "
            f"{UNFINISHED}; make the backup again, or choose another file"
        )
    try:
        size = path.stat().st_size
        if size == 1:
            raise UnreadableStore(f"{path} is a file of 1 byte and no store; choose another file")
        if size <= _MOST_OF_A_NEW_STORE:
            return
        with path.with_name(f"{path.name}-journal").open("rb") as journal:
            begin = journal.read(_PAGES_BEFORE.stop)
    except OSError:
        # The file is missing or unreadable: opening the store will report why.
        return
    if begin.startswith(_JOURNAL) and begin[_PAGES_BEFORE] == _NONE:
        raise UnreadableStore(
            f"{path} was never finished, like a backup that was interrupted; remove it and "
            f"{path.name}-journal, and restore a whole copy"
        )


def refuse_lost_log(path: Path) -> None:
    """Raise UnreadableStore if the log is missing and contained data that is not in the file."""
    index = path.with_name(f"{path.name}-shm")
    log = path.with_name(f"{path.name}-wal")
    if log.exists() or not index.exists():
        return
    try:
        with index.open("rb") as file:
            begin = file.read(_PAGES_MOVED.stop)
    except OSError:
        return
    if len(begin) < _PAGES_MOVED.stop or not begin[_IS_USED]:
        return
    pages, moved = (int.from_bytes(begin[at], sys.byteorder) for at in (_PAGES, _PAGES_MOVED))
    if pages > moved:
        raise UnreadableStore(
            f"{log} is missing, and it held reports that are not in {path.name}; put it back, "
            f"or, if it is lost, remove {index.name} to open the store without them"
        )


def reset_counters(connection: sqlite3.Connection, path: Path) -> None:
    """Give the counters their first value, if the whole store is in the file.

    Nothing changes if another process is writing: then the counters go on anyway.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        return
    try:
        if not path.with_name(f"{path.name}-wal").stat().st_size:
            _write(path)
    finally:
        connection.execute("ROLLBACK")


def forget_pages(connection: sqlite3.Connection) -> None:
    """Let a connection read the header again: it adds to the counters that it remembers."""
    connection.execute("PRAGMA shrink_memory")


def _write(path: Path) -> None:
    try:
        subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-I", "-S", "-c", _PROGRAM],
            input=bytes(path),
            check=True,
            capture_output=True,
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.SubprocessError) as error:
        LOGGER.warning("the file's counters were not reset: %s", type(error).__name__)
