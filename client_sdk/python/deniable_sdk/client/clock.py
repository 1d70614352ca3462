"""Time, as tests can replace it."""

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """The time as a client uses it."""

    def now(self) -> float:
        """Seconds since 1970; the clock may be set forward and back."""
        ...

    def wait(self, event: threading.Event, timeout_s: float) -> None:
        """Return when the event is set, or after so long."""
        ...


class SystemClock:
    """The device's own clock."""

    def now(self) -> float:
        """Seconds since 1970, as the device has them."""
        return time.time()

    def wait(self, event: threading.Event, timeout_s: float) -> None:
        """Wait on a clock that nobody sets."""
        event.wait(timeout_s)
