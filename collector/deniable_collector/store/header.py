"""Resets the numbers in the header of an SQLite file that count its changes.

Their value depends on how often processes took turns in making the file longer, and so on
how many commits reports came in. SQLite uses them only with a rollback journal, which a
store does not have.
"""

import sqlite3
import subprocess
import sys
from pathlib import Path

from deniable_collector.logs import LOGGER

# The file change counter, and the counter for which the version number is valid:
# https://www.sqlite.org/fileformat.html, section 1.3.
_PLACES = (24, 92)
_FIRST = 1
# A process of its own: if this one opened and closed the file, it would lose all locks that
# it has on the file.
_PROGRAM = f"""
import os, sys
file = os.open(sys.stdin.buffer.read(), os.O_RDWR)
for place in {_PLACES}:
    os.pwrite(file, ({_FIRST}).to_bytes(4, "big"), place)
os.fsync(file)
"""
_TIMEOUT_S = 10.0


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
