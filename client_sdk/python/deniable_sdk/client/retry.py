"""When to try again: full jitter between 1 second and 1 hour."""

from deniable_sdk.client.entry import Entry
from deniable_sdk.randomness import ReadBytes

_FIRST_S = 1
_LONGEST_S = 3_600
_LONGEST_ASKED_S = 24 * _LONGEST_S
_DOUBLINGS = 12
_DRAWN_BYTES = 4


def postponed(entry: Entry, now: float, asked_s: float | None, read_bytes: ReadBytes) -> Entry:
    """The entry after a failed try.

    Args:
        entry: as it was.
        now: seconds since 1970.
        asked_s: how long the collector wants to be left alone, if it said so.
        read_bytes: source of random bytes.
    """
    most = min(_FIRST_S << min(entry.tries, _DOUBLINGS), _LONGEST_S)
    drawn = int.from_bytes(read_bytes(_DRAWN_BYTES), "big")
    jitter = most * (drawn + 1) / (1 << 8 * _DRAWN_BYTES)
    wait = jitter if asked_s is None else min(asked_s + jitter, _LONGEST_ASKED_S)
    return entry.replace(tries=entry.tries + 1, next_try=now + wait, is_asked=asked_s is not None)


def wait_of(entry: Entry, now: float) -> float:
    """How many seconds an entry still waits; at most 0 if it is due.

    A wait that is longer than any that we set means that the clock was set
    back, and holds nothing up.
    """
    wait = entry.next_try - now
    longest = _LONGEST_ASKED_S if entry.is_asked else _LONGEST_S
    return 0.0 if wait > longest else wait
