"""Storage in memory, if no file is possible: it ends with the process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from deniable_sdk.client.entry import Entry
from deniable_sdk.client.storage.alone import alone
from deniable_sdk.client.storage.contract import Lease

CHOSEN = "the app has chosen to keep reports in memory only"


class MemoryStorage:
    """A storage without a file.

    Args:
        problem: why there is none.
        entries: what it begins with.
    """

    def __init__(self, problem: str = CHOSEN, entries: Iterable[Entry] = ()) -> None:
        self.problem = problem
        self._entries = {entry.key: entry for entry in entries}
        self._lease: Lease | None = None

    @contextmanager
    def transaction(self) -> Iterator[MemoryTransaction]:
        """Exclusive access to the entries; if the block raises, nothing changes."""
        with alone():
            at_work = MemoryTransaction(self._entries, self._lease)
            yield at_work
            self._entries, self._lease = at_work.kept, at_work.kept_lease

    def clear(self) -> None:
        """Forget all of it."""
        with alone():
            self._entries, self._lease = {}, None


class MemoryTransaction:
    """A copy of the entries, to be committed or discarded."""

    def __init__(self, entries: dict[str, Entry], lease: Lease | None) -> None:
        self.kept = dict(entries)
        self.kept_lease = lease

    def entries(self) -> list[Entry]:
        return sorted(self.kept.values(), key=lambda entry: entry.number)

    def put(self, entry: Entry) -> None:
        self.kept[entry.key] = entry

    def lease(self) -> Lease | None:
        return self.kept_lease

    def put_lease(self, lease: Lease | None) -> None:
        self.kept_lease = lease
