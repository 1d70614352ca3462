"""The storage of this device: a file in its data folder, or memory.

Memory replaces the file where there is none and none can be made. A file that
exists and cannot be read is an error each time it is used: without its ledger
a device would answer a survey again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from deniable_sdk.client.entry import Entry
from deniable_sdk.client.errors import StorageBusy, StorageDamaged, StorageUnavailable
from deniable_sdk.client.storage.alone import alone
from deniable_sdk.client.storage.contract import Lease, Storage
from deniable_sdk.client.storage.sqlite import SqliteStorage

FILE_NAME = "reports.sqlite"
_FOLDER_NAME = "deniable"
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


def open_storage(folder: Path | None) -> Storage:
    """The file in this folder, the device's data folder if left out, or memory."""
    try:
        chosen = data_folder() if folder is None else folder
        chosen.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A device without a home folder is a RuntimeError.
    except (OSError, RuntimeError) as error:
        return MemoryStorage(f"there is no folder for a file ({type(error).__name__})")
    storage = SqliteStorage(chosen / FILE_NAME)
    if _can_write(storage, chosen):
        return storage
    try:
        return _Substitute(storage, _read(storage, chosen))
    except (OSError, StorageUnavailable):
        return storage


class _Substitute(MemoryStorage):
    """Memory in place of a file that cannot be written, with its entries."""

    def __init__(self, file: SqliteStorage, entries: Iterable[Entry]) -> None:
        super().__init__("no file can be written in the data folder", entries)
        self._file = file

    def clear(self) -> None:
        """Forget all of it, in the file too.

        Raises:
            StorageUnavailable: the file holds something, and cannot be wiped.
        """
        super().clear()
        self._file.clear()


def data_folder(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Path:
    """The platform's folder for a person's data.

    Raises:
        RuntimeError: this person has no home folder.
    """
    if platform == "win32" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"]) / _FOLDER_NAME
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _FOLDER_NAME
    named = Path(environment.get("XDG_DATA_HOME", ""))
    # Relative ones are to be ignored, says the XDG specification.
    parent = named if named.is_absolute() else Path.home() / ".local" / "share"
    return parent / _FOLDER_NAME


def _read(storage: SqliteStorage, folder: Path) -> list[Entry]:
    """What is in a file that cannot be written; nothing if there is none."""
    try:
        (folder / FILE_NAME).stat()
    except FileNotFoundError:
        return []
    return storage.read_only()


def _can_write(storage: SqliteStorage, folder: Path) -> bool:
    """Whether there is a file to be used: a damaged or a busy one is, with errors."""
    try:
        with storage.transaction() as stored:
            # Written once now, so that what is read-only or full is known before it is needed.
            stored.put_lease(stored.lease())
    except (StorageDamaged, StorageBusy):
        return True
    except StorageUnavailable:
        # A full disk may have room again; what is read-only stays so.
        return os.access(folder / FILE_NAME, os.W_OK)
    return True
