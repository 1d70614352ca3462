"""What a client needs of a storage; an app may bring its own.

A storage may be used from several threads, and a durable one from several
processes. tests/client_sdk/python/client/test_storage_contract.py runs on
every storage.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from deniable_sdk.client.entry import Entry
from deniable_sdk.records import Record

# Long enough for another program's write; nobody notices the wait.
BUSY_TIMEOUT_S = 2.0


class Lease(Record):
    """The client that sends the reports now, and the time limit of its claim.

    Args:
        holder: drawn at random for each pass over the queue.
        until: in seconds since 1970.
    """

    holder: str
    until: float


class Transaction(Protocol):
    """The stored entries, while nobody else reads or writes them."""

    def entries(self) -> list[Entry]:
        """All of them, the first one first."""
        ...

    def put(self, entry: Entry) -> None:
        """Store an entry, replacing the one with the same key."""
        ...

    def lease(self) -> Lease | None:
        """The stored lease."""
        ...

    def put_lease(self, lease: Lease | None) -> None:
        """Replace the lease, or remove it."""
        ...


class Storage(Protocol):
    """Entries and a lease, changed in transactions."""

    @property
    def problem(self) -> str:
        """Why the entries do not outlive the process; "" if they do."""
        ...

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Exclusive access to the entries, until the block ends.

        All that was put is durable afterwards; if the block raises, nothing
        was put.

        Raises:
            StorageUnavailable: what is stored cannot be read or written.
        """
        ...

    def clear(self) -> None:
        """Wipe all that is stored.

        Raises:
            StorageUnavailable: it could not be wiped.
        """
        ...
