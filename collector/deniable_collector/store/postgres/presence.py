"""Giving up a PostgreSQL server that has fallen silent.

A server that is frozen keeps its connections, so neither the system nor libpq
ever reports that it is gone. So a waiting request checks after a while whether
the server accepts connections, and stops waiting if not.
"""

import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg

from deniable_collector.errors import StoreUnavailable

Found = TypeVar("Found")

# After so long without a word somebody looks whether the server is there.
QUIET_S = 2.0
# How long it has to let somebody in; libpq takes no less than 2.
LOOK_TIMEOUT_S = 3
# For this long nobody tries again: waiting requests fail at once.
HOLD_S = 2.0
_SILENT = "the server does not answer"


class Presence:
    """Whether the server answers, as its users have found.

    Args:
        conninfo: how to reach it; it may hold a password.
    """

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._silent_until = 0.0

    def require(self) -> None:
        """Raise StoreUnavailable if the server was found silent a moment ago.

        Raises:
            StoreUnavailable: it was.
        """
        if time.monotonic() < self._silent_until:
            raise StoreUnavailable(_SILENT)

    def note_silence(self) -> None:
        """Let nobody try for a moment."""
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
    """A connection whose waiting ends: by a deadline, or where the server is silent."""

    presence: Presence | None = None
    deadline: float | None = None

    def wait(self, gen: Generator[Any, Any, Found], *arguments: Any, **named: Any) -> Found:
        """What the generator returns.

        Raises:
            psycopg.OperationalError: the server was given up. The connection
                is closed, since its end would be waited for again.
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
        """When the server was last known to be there."""
        left = float("inf") if self.deadline is None else self.deadline - now
        if left <= 0:
            raise _GivenUp("timeout: the time for this use has expired")
        # Where less is left than a look takes, the end is near enough.
        if self.presence is None or now < heard + QUIET_S or left < LOOK_TIMEOUT_S:
            return heard
        if not self.presence.look():
            raise _GivenUp(f"timeout: {_SILENT}")
        return time.monotonic()


class _GivenUp(Exception):
    """Nobody waits any more."""
