"""Refuses an incomplete store before SQLite opens it.

If a file was never finished, SQLite would empty it because of the journal beside it. If the
log of a store is missing, SQLite would open the store in an earlier state.
"""

import sys
from pathlib import Path

from deniable_collector.errors import UnreadableStore

_JOURNAL = bytes.fromhex("d9d505f920a163d7")
# The place of the number of pages that the file had before, and its value for a new file.
_PAGES_BEFORE = slice(16, 20)
_NONE = bytes(4)
# A new store has 13 pages. If its creation was interrupted, it is simply created again.
_MOST_OF_A_NEW_STORE = 1 << 16
# Places in the index of a log: whether it is used, how many pages the log has, and how many
# of them are already in the file; https://www.sqlite.org/walformat.html, section 2.1.
_IS_USED, _PAGES, _PAGES_MOVED = 12, slice(16, 20), slice(96, 100)


def refuse_leftover(path: Path) -> None:
    """Raise UnreadableStore if the whole file belongs to an unfinished transaction.

    A file of 1 byte is also refused, because SQLite treats it as empty. Only the journal is
    read: opening and closing the file itself would release all locks that this process has
    on it.
    """
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
