"""Ends a survey once its estimates are as precise as its published rule asks.

Whoever runs the collector passes the rule, because only the analysis can estimate. One
thread of each process applies it, after commits, whenever a survey has 5 percent more
reports than when this process last looked. Several processes may look at the same time: the
store records an end only once.
"""

import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from deniable_collector.clock import Clock
from deniable_collector.errors import StoreUnavailable
from deniable_collector.logs import tell_failure
from deniable_collector.store import Store
from deniable_sdk import PublishedSurvey

if TYPE_CHECKING:
    from deniable_storage.counts import SurveyCounts

# A survey is looked at again once it has 21 reports for every 20 that it had.
_GROWN: Final = (21, 20)
_PAUSE_S: Final = 0.5
_LAST_LOOK_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class StopRule:
    """The rule that ends surveys by their margin.

    Args:
        applies: whether a survey has such a rule.
        is_reached: whether the estimates from the counts of all blocks are precise enough.
    """

    applies: Callable[[PublishedSurvey], bool]
    is_reached: Callable[[PublishedSurvey, "SurveyCounts"], bool]


class MarginWatch:
    """Applies a rule to the surveys of a store, in its own thread.

    The clock decides whether the window of a survey is over already.
    """

    def __init__(self, store: Store, rule: StopRule, clock: Clock) -> None:
        self._store = store
        self._rule = rule
        self._clock = clock
        # How many reports each survey had at the last look.
        self._looked_at: dict[str, int] = {}
        self._without_rule: set[str] = set()
        self._waiting: set[str] = set()
        self._changed = threading.Condition()
        self._is_closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="margins", daemon=True)
        self._thread.start()

    def note(self, digests: Iterable[str]) -> None:
        """Look soon at these surveys, of which reports were stored; never fails."""
        wanted = [digest for digest in digests if digest not in self._without_rule]
        if wanted:
            with self._changed:
                self._waiting.update(wanted)
                self._changed.notify()

    def close(self) -> None:
        """Finish the present look, and look no more; calling it again is harmless."""
        self._is_closing.set()
        with self._changed:
            self._changed.notify()
        self._thread.join(_LAST_LOOK_S)

    def _work(self) -> None:
        while not self._is_closing.is_set():
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closing.is_set())
                waiting, self._waiting = self._waiting, set()
            for digest in waiting:
                self._try_to_look(digest)
            self._is_closing.wait(_PAUSE_S)

    def _try_to_look(self, digest: str) -> None:
        try:
            self._look(digest)
        except StoreUnavailable:
            # The next commit is another chance.
            return
        except Exception as error:  # noqa: BLE001  a fault in the rule must not end the thread
            tell_failure(type(error), sys.exc_info()[2])

    def _look(self, digest: str) -> None:
        stored = self._store.find_edition(digest)
        if stored is None or not self._rule.applies(stored.survey):
            self._without_rule.add(digest)
            return
        if self._store.fieldwork(stored, self._clock()).end:
            return
        reports = self._store.count_reports(digest)
        grown, before = _GROWN
        if before * reports < grown * self._looked_at.get(digest, 0) or not reports:
            return
        self._looked_at[digest] = reports
        counts = self._store.look(stored, stored.survey.blocks)
        if self._rule.is_reached(stored.survey, counts):
            self._store.end_by_margin(digest, self._clock())
