"""When to try again: full jitter between 1 second and 1 hour."""

import math

from deniable_sdk.client.entry import Entry
from deniable_sdk.randomness import ReadBytes
from deniable_sdk.survey.window import Window

_FIRST_S = 1
_LONGEST_S = 3_600
_LONGEST_ASKED_S = 24 * _LONGEST_S
# The longest wait for a survey to open, and for the spread after it.
_LONGEST_FIRST_S = 32 * _LONGEST_ASKED_S
_DOUBLINGS = 12
_DRAWN_BYTES = 4


def postponed(entry: Entry, now: float, asked_s: float | None, read_bytes: ReadBytes) -> Entry:
    """The entry after a failed try, at `now` in seconds since 1970.

    `asked_s` is how long the collector wants to be left alone, if it said so.
    """
    jitter = _part_of(min(_FIRST_S << min(entry.tries, _DOUBLINGS), _LONGEST_S), read_bytes)
    wait = jitter if asked_s is None else min(asked_s + jitter, _LONGEST_ASKED_S)
    return entry.replace(tries=entry.tries + 1, next_try=now + wait, is_asked=asked_s is not None)


def spread(entry: Entry, window: Window | None, now: float, read_bytes: ReadBytes) -> Entry:
    """The entry of an invited person's report, which waits before its first try.

    The wait is random, so that the moment of sending says nothing about the
    moment at which the token was collected: up to a day, and at most half of
    the time until the survey closes. `now` is in seconds since 1970.
    """
    opens = window.opens.timestamp() if window and window.opens else now
    begin = max(now, opens)
    left = window.closes.timestamp() - begin if window and window.closes else math.inf
    wait = _part_of(max(0.0, min(_LONGEST_ASKED_S, left / 2)), read_bytes)
    return entry.replace(next_try=begin + wait, is_asked=True)


def _part_of(most: float, read_bytes: ReadBytes) -> float:
    """A random part of a time in seconds, above 0 and up to all of it."""
    drawn = int.from_bytes(read_bytes(_DRAWN_BYTES), "big")
    return most * (drawn + 1) / (1 << 8 * _DRAWN_BYTES)


def wait_of(entry: Entry, now: float) -> float:
    """How many seconds an entry still waits; at most 0 if it is due.

    A wait that is longer than any that we set means that the clock was set
    back, and holds nothing up.
    """
    wait = entry.next_try - now
    longest = _LONGEST_FIRST_S if entry.is_asked else _LONGEST_S
    return 0.0 if wait > longest else wait
