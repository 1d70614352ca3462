"""Reports of many requests, made durable together.

A commit waits for the disk, some milliseconds each. One thread takes whatever
is waiting, commits it in one transaction, and only then tells each request
what became of its reports; what comes meanwhile is the next transaction.
"""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from queue import Empty, SimpleQueue
from typing import Self

from deniable_collector.errors import StoreUnavailable, TooBusy
from deniable_collector.intake.watching import Watch
from deniable_collector.store.base import Outcome, Row, Store

MOST_WAITING = 20_000
_MOST_AT_ONCE = 10_000

Rows = Mapping[str, Sequence[Row]]
Outcomes = Mapping[str, Sequence[Outcome]]


class Submission:
    """Rows that wait to be stored; `outcomes` waits for what became of them."""

    __slots__ = ("_done", "_failure", "_outcomes", "rows", "size")

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.size = sum(map(len, rows.values()))
        self._outcomes: Outcomes = {}
        self._failure: BaseException | None = None
        self._done = threading.Lock()
        self._done.acquire()

    def outcomes(self) -> Outcomes:
        """What became of each row; the rows are durable once this returns.

        Raises:
            StoreUnavailable: none of them was stored.
        """
        with self._done:
            if self._failure is not None:
                raise self._failure
            return self._outcomes

    def settle(self, outcomes: Outcomes) -> None:
        """Tell whoever waits what became of the rows."""
        self._outcomes = outcomes
        self._done.release()

    def fail(self, failure: BaseException) -> None:
        """Tell whoever waits that none of the rows was stored."""
        self._failure = failure
        self._done.release()


class GroupCommit:
    """Stores submissions in common transactions, in a thread of its own.

    Args:
        store: where reports are stored.
        most_waiting: how many reports may wait; what comes on top is refused.
        watch: is told how many wait, and what became of them.
    """

    def __init__(
        self, store: Store, *, most_waiting: int = MOST_WAITING, watch: Watch | None = None
    ) -> None:
        self._store = store
        self.watch = watch or Watch()
        self._most_waiting = most_waiting
        self._waiting = 0
        self._room = threading.Condition()
        self._queue: SimpleQueue[Submission | None] = SimpleQueue()
        self._is_open = True
        self._thread = threading.Thread(target=self._work, name="commits", daemon=True)
        self._thread.start()

    def submit(self, rows: Rows, *, patience_s: float = 0) -> Submission:
        """A submission that is stored soon; ask it for the outcomes.

        Args:
            rows: what to store, by the digests of surveys.
            patience_s: how long to wait until there is room.
        Raises:
            TooBusy: too many reports are waiting; none of these will be stored.
            StoreUnavailable: this was closed.
        """
        submission = Submission(rows)
        with self._room:
            if not self._room.wait_for(lambda: self._has_room(submission), patience_s):
                raise TooBusy
            if not self._is_open:
                raise StoreUnavailable("it was closed")
            self._waiting += submission.size
            self.watch.waits(self._waiting)
            self._queue.put(submission)
        return submission

    @property
    def waiting(self) -> int:
        """How many reports wait to be stored."""
        return self._waiting

    def close(self) -> None:
        """Store what waits, and take no more; calling it again is harmless."""
        with self._room:
            if self._is_open:
                self._is_open = False
                self._queue.put(None)
                self._room.notify_all()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _has_room(self, submission: Submission) -> bool:
        is_room = not self._waiting or self._waiting + submission.size <= self._most_waiting
        return is_room or not self._is_open

    def _work(self) -> None:
        is_last = False
        while not is_last:
            group, is_last = self._next_group()
            if group:
                self._commit(group)

    def _next_group(self) -> tuple[list[Submission], bool]:
        """Whatever waits, at least one, and whether nothing comes after it."""
        group: list[Submission] = []
        size = 0
        submission = self._queue.get()
        while submission is not None:
            group.append(submission)
            size += submission.size
            if size >= _MOST_AT_ONCE:
                return group, False
            try:
                submission = self._queue.get_nowait()
            except Empty:
                return group, False
        return group, True

    def _commit(self, group: Sequence[Submission]) -> None:
        try:
            stored = self._store.add_rows(_joined(group))
            self.watch.committed(Counter(chain.from_iterable(stored.values())))
        except BaseException as failure:  # noqa: BLE001  whoever waits gets it, and must not wait on
            for submission in group:
                submission.fail(failure)
        else:
            following = {digest: iter(outcomes) for digest, outcomes in stored.items()}
            for submission in group:
                submission.settle(
                    {
                        digest: [next(following[digest]) for _ in rows]
                        for digest, rows in submission.rows.items()
                    }
                )
        with self._room:
            self._waiting -= sum(submission.size for submission in group)
            self.watch.waits(self._waiting)
            self._room.notify_all()


def _joined(group: Sequence[Submission]) -> Rows:
    rows: dict[str, list[Row]] = {}
    for submission in group:
        for digest, found in submission.rows.items():
            rows.setdefault(digest, []).extend(found)
    return rows
