"""Stops waiting for a PostgreSQL server that no longer responds.

A frozen server keeps its connections open, so neither the system nor libpq ever reports a
failure. So a waiting request checks after a while whether the server accepts new
connections, and stops waiting if it does not.
"""

import time
from collections.abc import Generator
from math import inf
from typing import Any, TypeVar

import psycopg

from deniable_collector.deadlines import left_s
from deniable_collector.errors import StoreUnavailable

Found = TypeVar("Found")

# After so much silence, a waiting request checks whether the server accepts connections.
QUIET_S = 2.0
# How long the server has to accept a connection; libpq allows no less than 2.
LOOK_TIMEOUT_S = 3
# For so long after a failed check, nobody tries again: waiting requests fail at once.
HOLD_S = 2.0
# The limit for locks is told to the server again if it has changed by as much.
_STEP_S = 0.5
_SILENT = "the server does not answer"


class Presence:
    """Whether the server answers, according to the latest check.

    Args:
        conninfo: how to reach it; may contain a password.
    """

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._silent_until = 0.0

    def require(self) -> None:
        """Raise StoreUnavailable if the server did not answer a moment ago."""
        if time.monotonic() < self._silent_until:
            raise StoreUnavailable(_SILENT)

    def note_silence(self) -> None:
        """Make every request fail at once for a moment."""
        self._silent_until = time.monotonic() + HOLD_S

    def look(self) -> bool:
        """Whether the server answers a new connection, even with a refusal."""
        try:
            psycopg.connect(self._conninfo, connect_timeout=LOOK_TIMEOUT_S).close()
        except psycopg.errors.ConnectionTimeout:
            self.note_silence()
            return False
        except psycopg.Error:
            return True
        return True


class Watched(psycopg.Connection[tuple[object, ...]]):
    """A connection that waits no longer than its deadline, or than a silent server allows.

    `patience_s` is how long its statements may wait for locks of others.
    """

    presence: Presence | None = None
    deadline: float | None = None
    patience_s = 0.0
    _locks_s = -inf

    def limit_locks(self) -> None:
        """Let the next statements wait for locks no longer than the present request may."""
        most_s = left_s(self.patience_s)
        if abs(most_s - self._locks_s) >= _STEP_S:
            self._locks_s = most_s
            # 0 would be no limit.
            limit = f"{max(1, round(1000 * most_s))}ms"
            self.execute("SELECT set_config('lock_timeout', %s, false)", (limit,))

    def wait(self, gen: Generator[Any, Any, Found], *arguments: Any, **named: Any) -> Found:
        """What the generator returns.

        Raises:
            psycopg.OperationalError: waiting was given up. The connection is closed,
                because ending its transaction would have to wait again.
        """
        try:
            return super().wait(self._limited(gen), *arguments, **named)
        except _GivenUp as failure:
            self.close()
            raise psycopg.OperationalError(str(failure)) from None

    def _limited(self, gen: Generator[Any, Any, Found]) -> Generator[Any, Any, Found]:
        heard = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                heard = now if ready else self._look(heard, now)
                wanted = gen.send(ready)
        except StopIteration as end:
            found: Found = end.value
            return found

    def _look(self, heard: float, now: float) -> float:
        """The time at which the server was last known to answer."""
        left = float("inf") if self.deadline is None else self.deadline - now
        if left <= 0:
            raise _GivenUp("timeout: the time for this use has expired")
        # If less time is left than a check takes, the deadline ends the wait soon enough.
        if self.presence is None or now < heard + QUIET_S or left < LOOK_TIMEOUT_S:
            return heard
        if not self.presence.look():
            raise _GivenUp(f"timeout: {_SILENT}")
        return time.monotonic()


class _GivenUp(Exception):
    """The wait was given up."""
