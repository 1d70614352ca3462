"""Refusing a file that somebody began to write as a store and did not finish.

SQLite would empty it on opening, by the journal beside it, and a store that
nobody has used looks the same.
"""

from pathlib import Path

from deniable_collector.errors import UnreadableStore

_JOURNAL = bytes.fromhex("d9d505f920a163d7")
# Where a journal says how many pages the file had before, and what it says of a new file.
_PAGES_BEFORE = slice(16, 20)
_NONE = bytes(4)
# A new store has 10 pages. One whose making was stopped is simply made again.
_MOST_OF_A_NEW_STORE = 1 << 16


def refuse_leftover(path: Path) -> None:
    """Nothing, unless all of the file at a path is of one unfinished transaction.

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
        # There is no such file, or none can be read: whoever opens the store learns why.
        return
    if begin.startswith(_JOURNAL) and begin[_PAGES_BEFORE] == _NONE:
        raise UnreadableStore(
            f"{path} was never finished, as a backup that was stopped; remove it and "
            f"{path.name}-journal, and restore a whole copy"
        )
