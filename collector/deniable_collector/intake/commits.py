"""Reports of many requests, made durable together.

Each commit waits some milliseconds for the disk. One thread commits all waiting reports in
one transaction, and only then passes the outcomes to their requests; reports that arrive
meanwhile form the next transaction. The lines of a long body can wait longer than a person
would: they are stored between the other reports, some thousands at a time.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice
from queue import Empty, SimpleQueue

from deniable_collector.clock import Clock, utc_now
from deniable_collector.deadlines import waiting_until
from deniable_collector.errors import StoreUnavailable, TooBusy
from deniable_collector.intake.waiting import IdOrderedBuffer, Kind, RowSlice, RowSubmission
from deniable_collector.store import Intake
from deniable_collector.store.base import ReportOutcome, Row, Rows, StoredSurvey

MOST_WAITING = 20_000
# Room for 260,000 lines of reports with two short values. One sweep stores twice as many:
# other lines arrive during the sweep, and half of them are for ids still ahead.
MOST_PATIENT_BYTES = 100 << 20
_MOST_AT_ONCE = 8_192


class IntakeObserver:
    """An observer that does nothing; subclasses count."""

    def waits(self, more: int) -> None:
        """The queue of reports to be stored grew by `more`, which may be negative."""

    def committed(self, outcomes: Mapping[ReportOutcome, int], seconds: float) -> None:
        """One transaction is durable after so long; its reports are counted by outcome."""

    def refused(self, problem: str) -> None:
        """A report, or something sent as a report, was refused before it reached the store."""

    def lines_refused(self, count: int) -> None:
        """So many lines of a body were refused, for whatever reason."""

    def too_busy(self) -> None:
        """A request was refused because too many reports wait."""

    def store_failed(self, cause: str) -> None:
        """A request failed because of the store."""


class GroupCommit:
    """Stores submissions together in shared transactions, in its own thread.

    Args:
        intake: where reports are stored.
        most_waiting: how many single reports may wait; further ones are refused. Reports of
            batches have a separate limit of the same size.
        most_patient_bytes: how much memory patient rows may use, in addition.
        observer: receives changes in the number of waiting reports, and their outcomes.
        clock: decides whether the windows of surveys are open; it is read once for each
            transaction.
        on_stored: receives the digests of each durable transaction's surveys; must not fail.
    """

    def __init__(  # noqa: PLR0913 - an intake; the rest are keywords
        self,
        intake: Intake,
        *,
        most_waiting: int = MOST_WAITING,
        most_patient_bytes: int = MOST_PATIENT_BYTES,
        observer: IntakeObserver | None = None,
        clock: Clock = utc_now,
        on_stored: Callable[[Iterable[str]], None] | None = None,
    ) -> None:
        self._intake = intake
        self._on_stored = on_stored
        self.clock = clock
        self.observer = observer or IntakeObserver()
        self._quotas = {
            Kind.SINGLE: _Quota(most_waiting),
            Kind.BATCH: _Quota(most_waiting),
            Kind.PATIENT: _Quota(most_patient_bytes),
        }
        self._quotas_changed = threading.Condition()
        self._queue: SimpleQueue[RowSubmission | None] = SimpleQueue()
        self._is_open = True
        self._thread = threading.Thread(target=self._work, name="commits", daemon=True)
        self._thread.start()

    def submit(
        self, rows: Rows, *, is_batch: bool = False, patience_s: float = 0, size_bytes: int = 0
    ) -> RowSubmission:
        """A submission that will be stored.

        Args:
            rows: the rows to store, by the digests of surveys.
            is_batch: whether one sender sent them together.
            patience_s: how long to wait for room. If it is above 0, the rows are patient:
                they are stored in several transactions, and other rows are stored first.
            size_bytes: roughly how much memory the rows use, if they are patient.
        Raises:
            TooBusy: too many reports are waiting; none of these will be stored.
            StoreUnavailable: this was closed.
        """
        if patience_s > 0:
            submission = RowSubmission(rows, kind=Kind.PATIENT, room=size_bytes)
        else:
            submission = RowSubmission(rows, kind=Kind.BATCH if is_batch else Kind.SINGLE)
        room = self._quotas[submission.kind]
        with self._quotas_changed:
            is_let_in = self._quotas_changed.wait_for(
                lambda: room.admits(submission) or not self._is_open, patience_s
            )
            if not is_let_in:
                raise TooBusy
            if not self._is_open:
                raise StoreUnavailable("it was closed")
            room.take(submission, submission.size)
            self._queue.put(submission)
            self.observer.waits(submission.size)
        return submission

    def has_room(self, reports: int) -> bool:
        """Whether so many more single reports may wait."""
        return self._quotas[Kind.SINGLE].has_room(reports)

    def latest(self, digest: str) -> StoredSurvey | None:
        """A survey as the last transaction with its reports found it."""
        return self._intake.latest(digest)

    def close(self) -> None:
        """Store waiting rows, and accept no more; calling it again is harmless."""
        with self._quotas_changed:
            if self._is_open:
                self._is_open = False
                self._queue.put(None)
                self._quotas_changed.notify_all()
        self._thread.join()

    def _work(self) -> None:
        sweep = IdOrderedBuffer()
        is_last = False
        while not is_last or sweep:
            parts, is_last = self._next_parts(sweep, is_last)
            failure = self._commit(parts) if parts else None
            # One range at a time, so that rows that arrive meanwhile do not wait for all ranges.
            if sweep and failure is None:
                failure = self._commit(sweep.take(_MOST_AT_ONCE))
            # Whoever waits behind a transaction that waited in vain fails with it.
            if failure:
                self._fail(sweep.take(len(sweep)), failure)

    def _next_parts(self, sweep: IdOrderedBuffer, is_last: bool) -> tuple[list[RowSlice], bool]:
        """The parts to store next, and whether the queue was closed after them.

        Waits until there is something to store, and adds patient submissions to the sweep.
        """
        parts: list[RowSlice] = []
        size = 0
        while size < _MOST_AT_ONCE and not is_last:
            try:
                submission = self._queue.get(block=not parts and not sweep)
            except Empty:
                break
            if submission is None:
                is_last = True
            elif submission.kind is Kind.PATIENT:
                sweep.add(submission)
            else:
                parts += submission.parts()
                size += submission.size
        return parts, is_last

    def _commit(self, parts: Sequence[RowSlice]) -> BaseException | None:
        """Store the rows in one transaction and settle their outcomes; return any failure.

        The transaction waits for others until the first deadline of its rows.
        """
        begun = time.monotonic()
        try:
            with waiting_until(min(part.submission.deadline for part in parts)):
                stored = self._intake.add_rows(_joined(parts), self.clock())
            outcomes = Counter(chain.from_iterable(stored.values()))
            self.observer.committed(outcomes, time.monotonic() - begun)
        except BaseException as failure:  # noqa: BLE001  waiting requests get it and stop waiting
            self._fail(parts, failure)
            return failure
        following = {digest: iter(outcomes) for digest, outcomes in stored.items()}
        for part in parts:
            part.submission.settle(part, islice(following[part.digest], len(part.rows)))
        self._make_room(parts)
        if self._on_stored:
            self._on_stored(stored)
        return None

    def _fail(self, parts: Sequence[RowSlice], failure: BaseException) -> None:
        for part in parts:
            part.submission.fail(failure)
        self._make_room(parts)

    def _make_room(self, parts: Sequence[RowSlice]) -> None:
        with self._quotas_changed:
            for part in parts:
                self._quotas[part.submission.kind].take(part.submission, -len(part.rows))
            self.observer.waits(-sum(len(part.rows) for part in parts))
            self._quotas_changed.notify_all()


class _Quota:
    """The quota of waiting reports and its use; one batch may exceed the quota."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = 0

    def has_room(self, wanted: int) -> bool:
        """Whether so much more fits."""
        return self._taken + wanted <= self._most

    def admits(self, submission: RowSubmission) -> bool:
        """Whether there is room for a submission."""
        return not self._taken or self.has_room(submission.size * submission.room_of_each)

    def take(self, submission: RowSubmission, rows: int) -> None:
        """Count rows of a submission as waiting; a negative number gives their room back."""
        self._taken += rows * submission.room_of_each


def _joined(parts: Sequence[RowSlice]) -> Rows:
    rows: dict[str, list[Row]] = {}
    for part in parts:
        rows.setdefault(part.digest, []).extend(part.rows)
    return rows
