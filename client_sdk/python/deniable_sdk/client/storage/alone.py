"""One thread of this process at a time in any storage, and none during a fork.

A process that is forked while another thread writes to SQLite would go on
with half of what SQLite knows of its locks. So a fork waits for the write
under way, which takes milliseconds.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from deniable_sdk.client.errors import StorageBusy
from deniable_sdk.client.storage.contract import BUSY_TIMEOUT_S


class _Turn:
    """The lock, which a forked child replaces."""

    lock = threading.Lock()
    forking = threading.local()


def _hold() -> None:
    # A thread that forks during its own write must not wait for itself forever.
    _Turn.forking.has_lock = _Turn.lock.acquire(timeout=BUSY_TIMEOUT_S)


def _release() -> None:
    if _Turn.forking.has_lock:
        _Turn.lock.release()


def _renew() -> None:
    _Turn.lock = threading.Lock()


# Windows has no fork.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold, after_in_parent=_release, after_in_child=_renew)


@contextmanager
def alone() -> Iterator[None]:
    """A block that only one thread runs at a time.

    Raises:
        StorageBusy: the other one takes too long.
    """
    lock = _Turn.lock
    if not lock.acquire(timeout=BUSY_TIMEOUT_S):
        raise StorageBusy("another thread is writing; nothing was kept, try again")
    try:
        yield
    finally:
        lock.release()
