"""A cache of the values requested last, shared by all callers."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(slots=True)
class Slot(Generic[Value]):
    """A place for one value, and the lock of whoever computes it."""

    lock: Lock = field(default_factory=Lock)
    value: Value | None = None


class ComputeOnceCache(Generic[Value]):
    """Values that are slow to compute, each computed once; may be used from any thread.

    Args:
        most: how many are kept: those of the keys used last.
    """

    def __init__(self, most: int) -> None:
        self._lock = Lock()
        self._slots = lru_cache(most)(lambda _key: Slot[Value]())

    def slot(self, key: Hashable) -> Slot[Value]:
        """The place of a key's value, the same for all callers."""
        # Without the lock, two callers with a new key could get different ones.
        with self._lock:
            return self._slots(key)

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """The value of a key, computed by the first caller; a failure is not kept."""
        place = self.slot(key)
        with place.lock:
            if place.value is None:
                place.value = compute()
            return place.value
