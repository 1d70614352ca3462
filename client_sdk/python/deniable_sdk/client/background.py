"""Network work in a thread of its own, with a time limit for the caller.

Looking up a host's name has no time limit, and a collector may send single
bytes without end; the caller here stops waiting in time.
"""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

_BEAT_S = 1.0


class TookTooLong(TimeoutError):
    """The work has not ended in time; its thread is left to itself."""


class _Job(Generic[T]):
    """One piece of work, and its result."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self.done = threading.Event()
        self.result: list[T] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        """Do it; an exception goes to the waiting caller."""
        try:
            self.result.append(self._work())
        except BaseException as error:  # noqa: BLE001 - nothing may reach the thread's end
            self.error = error
        self.done.set()


def in_background(
    work: Callable[[], T], timeout_s: float, beat: Callable[[], bool] = lambda: True
) -> T:
    """What the work gives, or raises.

    Args:
        work: what may take long.
        timeout_s: after which nobody waits any more.
        beat: called about every second meanwhile; if it gives False, nobody
            waits any more either.
    Raises:
        TookTooLong: see above.
    """
    job = _Job(work)
    threading.Thread(target=job.run, name="deniable-request", daemon=True).start()
    latest = time.monotonic() + timeout_s
    while not job.done.wait(max(0.0, min(_BEAT_S, latest - time.monotonic()))):
        if time.monotonic() >= latest or not beat():
            raise TookTooLong
    if job.error is not None:
        raise job.error
    return job.result[0]
