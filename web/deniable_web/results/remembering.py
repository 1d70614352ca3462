"""Values that are dear to compute, computed once for all who ask."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(slots=True)
class _Place(Generic[Value]):
    """Where one value is kept; who comes first computes it, others wait."""

    lock: Lock = field(default_factory=Lock)
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Memory(Generic[Value]):
    """The values of the newest keys; may be used from any thread.

    Args:
        most: how many are kept.
    """

    most: int
    _places: dict[Hashable, _Place[Value]] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def recall(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """The value of a key, computed if nobody has yet; a failure is not kept."""
        place = self._place(key)
        with place.lock:
            if place.value is None:
                place.value = compute()
            return place.value

    def _place(self, key: Hashable) -> _Place[Value]:
        with self._lock:
            # Taken out and put back, so that the first is the one longest unseen.
            place = self._places.pop(key, None) or _Place()
            self._places[key] = place
            if len(self._places) > self.most:
                del self._places[next(iter(self._places))]
            return place
