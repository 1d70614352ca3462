"""What a client works with: its options, checked before anything is opened, and the time."""

from __future__ import annotations

import threading
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from deniable_sdk.canonical import kind
from deniable_sdk.client.errors import ConsentRequired
from deniable_sdk.client.storage.contract import Storage
from deniable_sdk.client.transport import Transport
from deniable_sdk.errors import quote
from deniable_sdk.records import Record
from deniable_sdk.weights import EPSILON_RANGE, MAX_EPSILON, MIN_EPSILON, read_epsilon

if TYPE_CHECKING:
    from deniable_sdk.randomness import ReadBytes


class Options(Record):
    """What a client works with; open_client says what each of them is."""

    collector: str
    storage: Storage
    transport: Transport
    clock: Clock
    read_bytes: ReadBytes
    epsilon_cap: Fraction | None = None
    yearly_cap: Fraction | None = None
    sends_at_once: bool = False
    log_key: str | None = None


def require_consent(consent: object) -> None:
    """Fail unless the person has agreed.

    Raises:
        ConsentRequired: consent is anything but True.
    """
    if consent is not True:
        raise ConsentRequired(
            f"consent: got {kind(consent)}{' that is not True' * isinstance(consent, bool)}; "
            "allowed is True, once the person has agreed"
        )


def read_cap(cap: Fraction | float | str | None) -> Fraction | None:
    """A cap as an exact fraction; None for none.

    Raises:
        ValueError: it is not from 0.01 to 10.
    """
    if cap is None:
        return None
    if isinstance(cap, int | float | str):
        return read_epsilon(cap)
    # e to a negative power, or to a huge one, would never finish.
    if Fraction(MIN_EPSILON) <= cap <= MAX_EPSILON:
        return cap
    raise ValueError(f"got {quote(str(cap))}; allowed is {EPSILON_RANGE}")


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
