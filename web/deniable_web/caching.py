"""A cache of the values requested last, shared by all callers."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

Kept = TypeVar("Kept")
Value = TypeVar("Value")


class LruCache(Generic[Kept]):
    """One value for each of the keys used last; may be used from any thread.

    Args:
        most: how many are kept.
        make: makes the value of a new key; it must be fast.
    """

    def __init__(self, most: int, make: Callable[[], Kept]) -> None:
        self._most = most
        self._make = make
        self._kept: dict[Hashable, Kept] = {}
        self._lock = Lock()

    def of(self, key: Hashable) -> Kept:
        """The value of a key, the same for all callers."""
        with self._lock:
            # Removed and inserted again, so that the first key is the one unused for longest.
            kept = self._kept.pop(key) if key in self._kept else self._make()
            self._kept[key] = kept
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
            return kept


@dataclass(slots=True)
class Slot(Generic[Value]):
    """A place for one value, and the lock of whoever computes it."""

    lock: Lock = field(default_factory=Lock)
    value: Value | None = None


class ComputeOnceCache(Generic[Value]):
    """Values that are slow to compute, each computed once; may be used from any thread.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int) -> None:
        self._slots: LruCache[Slot[Value]] = LruCache(most, Slot)

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """The value of a key, computed by the first caller; a failure is not kept."""
        place = self._slots.of(key)
        with place.lock:
            if place.value is None:
                place.value = compute()
            return place.value
