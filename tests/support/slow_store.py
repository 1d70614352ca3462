"""A real store whose transactions wait until they may go on, as a slow disk's do."""

import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from deniable_collector.clock import Moment
from deniable_collector.errors import StoreUnavailable
from deniable_collector.intake.commits import IntakeObserver
from deniable_collector.store.base import ReportOutcome, Row
from deniable_collector.store.sqlite import SqliteStore
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no())
DIGEST = PUBLISHED.digest
# What waits for a test to let it go on; no sound test waits so long.
PATIENCE_S = 60


class Waiting(IntakeObserver):
    """Counts the reports that wait to be stored; `was_busy` is set once one was refused."""

    def __init__(self) -> None:
        self.count = 0
        self.was_busy = threading.Event()

    def waits(self, more: int) -> None:
        self.count += more

    def too_busy(self) -> None:
        self.was_busy.set()


class SlowStore(SqliteStore):
    """A store with one survey, which tells what each transaction took.

    Its transactions go on one by one as they are let, and fail while `fails`.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.began = threading.Event()
        self.taken: list[Mapping[str, Sequence[Row]]] = []
        self.fails = False
        self._turns = threading.Semaphore(0)
        self._waits = True

    def add_rows(
        self, rows: Mapping[str, Sequence[Row]], now: Moment | None = None
    ) -> Mapping[str, Sequence[ReportOutcome]]:
        self.taken.append(rows)
        self.began.set()
        if self._waits:
            assert self._turns.acquire(timeout=PATIENCE_S)
        if self.fails:
            raise StoreUnavailable("SQLITE_FULL")
        return super().add_rows(rows, now)

    @property
    def sizes(self) -> list[int]:
        """How many rows each transaction took."""
        return [sum(map(len, rows.values())) for rows in self.taken]

    def let(self, count: int) -> None:
        """Let so many transactions go on."""
        self._turns.release(count)

    def go_on(self) -> None:
        """Let all of them go on from now."""
        self._waits = False
        self._turns.release()


@contextmanager
def slow_store(path: Path) -> Iterator[SlowStore]:
    """A new one; whatever still waits goes on in the end."""
    with closing(SlowStore(path)) as opened:
        opened.publish(PUBLISHED)
        yield opened
        opened.go_on()


def rows(count: int, source: random.Random) -> dict[str, list[Row]]:
    """Rows of new reports."""
    return {DIGEST: [(source.randbytes(16), source.randrange(2)) for _ in range(count)]}
