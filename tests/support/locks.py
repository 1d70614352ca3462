"""Whether the locks of this process on an SQLite file are in force."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

# Another process, because locks are those of a process.
_BEGIN = """
import sqlite3, sys
try:
    sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None).execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    sys.exit(error.sqlite_errorname)
"""
_LOOK = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM kept')"


def can_be_written(path: Path) -> bool:
    """Whether another process could begin to write now."""
    done = subprocess.run(
        [sys.executable, "-c", _BEGIN, str(path)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0 or done.stderr.strip() == "SQLITE_BUSY", done.stderr
    return done.returncode == 0


def is_log_kept(path: Path) -> bool:
    """Whether the log is still there once another process has opened and closed the file.

    The last process that closes a file removes its log. It recognises by the locks of the
    others that it is not the last.
    """
    subprocess.run([sys.executable, "-c", _LOOK, str(path)], check=True, capture_output=True)
    return path.with_name(f"{path.name}-wal").exists()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """A block in which this process is writing, so that no other process may begin to."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE IF NOT EXISTS kept (number)")
        assert can_be_written(path)
        connection.execute("BEGIN IMMEDIATE")
        assert not can_be_written(path)
        yield
    assert can_be_written(path)
