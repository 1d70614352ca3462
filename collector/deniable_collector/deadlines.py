"""How long the work for a request may wait for others, counted from the request's arrival.

The deadline travels with the request: into the thread that answers it, and into the group
in which its reports are stored. Whatever waits for a lock, a connection or a thread asks
here how long it may. A command waits for nobody's answer, and has no deadline.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from typing import Final

# Every request is answered within 15 seconds: the rest is for what follows the wait.
MOST_WAIT_S: Final = 12.0

_present: ContextVar[float] = ContextVar("deadline", default=inf)


def deadline_from_now() -> float:
    """The deadline of a request that arrives now, by the clock time.monotonic."""
    return time.monotonic() + MOST_WAIT_S


@contextmanager
def waiting_until(deadline: float) -> Iterator[None]:
    """A block that waits for others until this deadline at most."""
    token = _present.set(deadline)
    try:
        yield
    finally:
        _present.reset(token)


def renew_deadline() -> None:
    """Count from now: a part of the present request is done. Without one there is no deadline."""
    if _present.get() < inf:
        _present.set(deadline_from_now())


def extend_deadline(by_s: float) -> None:
    """Do not count this time, for which the sender of the present request was waited for."""
    _present.set(_present.get() + by_s)


def present_deadline() -> float:
    """The deadline of the present request; infinite without one."""
    return _present.get()


def left_s(most_s: float) -> float:
    """How many seconds may be waited now, at most `most_s`; 0 if the deadline is over."""
    return max(0.0, min(most_s, _present.get() - time.monotonic()))
