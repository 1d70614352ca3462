"""Refusing a file that is not all of a store, before SQLite opens it.

One that somebody began to write and did not finish SQLite would empty, by the
journal beside it; without its log a store would be what it was a while ago.
"""

import sys
from pathlib import Path

from deniable_collector.errors import UnreadableStore

_JOURNAL = bytes.fromhex("d9d505f920a163d7")
# Where a journal says how many pages the file had before, and what it says of a new file.
_PAGES_BEFORE = slice(16, 20)
_NONE = bytes(4)
# A new store has 10 pages. One whose making was stopped is simply made again.
_MOST_OF_A_NEW_STORE = 1 << 16
# The index of a log: whether it is used, how many pages the log has, and how many of
# them are in the file already; https://www.sqlite.org/walformat.html, section 2.1.
_IS_USED, _PAGES, _PAGES_MOVED = 12, slice(16, 20), slice(96, 100)


def refuse_leftover(path: Path) -> None:
    """Raise UnreadableStore if the whole file belongs to an unfinished transaction.

    Nor may it be of 1 byte, which SQLite takes for an empty one. Only the
    journal is read: to close the file itself would end the locks of everybody
    in this process who has it open.

    Raises:
        UnreadableStore: it is what a command left that was stopped.
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
        # There is no such file, or it is unreadable: opening the store reports why.
        return
    if begin.startswith(_JOURNAL) and begin[_PAGES_BEFORE] == _NONE:
        raise UnreadableStore(
            f"{path} was never finished, like a backup that was interrupted; remove it and "
            f"{path.name}-journal, and restore a whole copy"
        )


def refuse_lost_log(path: Path) -> None:
    """Raise UnreadableStore if a log is missing that held data not in the file.

    Raises:
        UnreadableStore: it is, and its index is there to tell.
    """
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
