"""Network work in a thread of its own, with a time limit for the caller.

Looking up a host's name has no time limit, and a collector may send single
bytes without end; the caller here stops waiting in time.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

T = TypeVar("T")

_BEAT_S = 1.0


class TookTooLong(TimeoutError):
    """The work has not ended in time; its thread is left to itself."""


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
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it goes to the waiting caller
            result.set_exception(error)

    threading.Thread(target=run, name="deniable-request", daemon=True).start()
    latest = time.monotonic() + timeout_s
    while not wait([result], max(0.0, min(_BEAT_S, latest - time.monotonic()))).done:
        if time.monotonic() >= latest or not beat():
            raise TookTooLong
    return result.result()
