"""Several reports on their way to the store; receipts keep the order of the reports."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from threading import Lock
from typing import Final

from deniable_collector.clock import Clock
from deniable_collector.intake.commits import GroupCommit
from deniable_collector.intake.reading import Readers
from deniable_collector.intake.receipts import (
    UNKNOWN_SURVEY,
    ReportReceipt,
    explanation,
    illegal,
    receipt_of,
    refusal_of,
    unreadable,
)
from deniable_collector.intake.waiting import RowSubmission
from deniable_collector.problems import Problem
from deniable_collector.store.base import ReportOutcome, Row
from deniable_sdk import InvalidReport, Report
from deniable_sdk.canonical import JSON, NotCanonical, parse

# The memory of a row or a refusal besides its text: references, an id, an entry in a sweep.
_BESIDE_BYTES: Final = 200
_PLACE_BYTES: Final = 8
# No device writes such long reports. They are parsed one at a time.
_LONG_BYTES: Final = 1 << 14
_LONG: Final = Lock()


class ReportBatch:
    """Reports that were read, in the order in which they were sent."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self.rows: dict[str, list[Row]] = {}
        # For each report, its refusal, or the digest of the survey that its row belongs to.
        self._receipts: list[str | ReportReceipt] = []
        self._refusals: list[Problem] = []
        self._text_bytes = 0

    def __len__(self) -> int:
        return len(self._receipts)

    @property
    def size_bytes(self) -> int:
        """Roughly how much memory the reports use that were added as texts."""
        # A row has an entry for each block, asked or not.
        places = sum(len(rows) * len(rows[0]) for rows in self.rows.values())
        return self._text_bytes + _PLACE_BYTES * places + _BESIDE_BYTES * len(self._receipts)

    def add_row(self, digest: str, row: Row) -> None:
        """Add a report that was already checked."""
        self.rows.setdefault(digest, []).append(row)
        self._receipts.append(digest)

    def add_line(self, line: bytes) -> None:
        """Add a report as the bytes that were sent, or its refusal if it cannot be read."""
        try:
            self.add_text(line)
        except NotCanonical as error:
            self._refuse(refusal_of(unreadable(error)))

    def add_text(self, text: bytes) -> None:
        """Take a report as the bytes that were sent.

        Raises:
            NotCanonical: they are not JSON that can be read.
        """
        self._text_bytes += len(text)
        known = self._readers.read_known_form(text)
        if known:
            self.add_row(*known)
            return
        # Objects may use thirty times as much memory as their text.
        with _LONG if len(text) > _LONG_BYTES else nullcontext():
            self.add_document(parse(text))

    def add_document(self, document: JSON) -> None:
        """Add a report as a JSON value."""
        try:
            report = Report.from_document(document)
        except InvalidReport as error:
            self._refuse(refusal_of(illegal(error)))
            return
        reader = self._readers.find(report.survey)
        if reader is None:
            self._refuse(refusal_of(UNKNOWN_SURVEY, report.id))
            return
        try:
            self.add_row(report.survey, reader.read(report))
        except InvalidReport as error:
            self._refuse(refusal_of(illegal(error), report.id))

    def submit(
        self, commits: GroupCommit, *, is_batch: bool = False, patience_s: float = 0
    ) -> "Submitted":
        """Submit the reports to be stored; the result waits for their outcomes.

        Args:
            commits: stores the reports.
            is_batch: whether one sender sent them together.
            patience_s: how long to wait for room; see GroupCommit.submit.
        Raises:
            TooBusy: too many reports are waiting; none of these will be stored.
        """
        submission = None
        if self.rows:
            submission = commits.submit(
                self.rows, is_batch=is_batch, patience_s=patience_s, size_bytes=self.size_bytes
            )
        for refusal in self._refusals:
            commits.observer.refused(refusal.name)
        explain = partial(self._explain, commits.clock)
        return Submitted(self.rows, self._receipts, submission, explain)

    def _explain(self, clock: Clock, digest: str, outcome: ReportOutcome) -> Problem:
        reader = self._readers.find(digest)
        return explanation(outcome, reader.survey if reader else None, clock)

    def _refuse(self, receipt: ReportReceipt) -> None:
        self._receipts.append(receipt)
        if receipt.problem:
            self._refusals.append(receipt.problem)


class Submitted:
    """Reports that are being stored."""

    def __init__(
        self,
        rows: dict[str, list[Row]],
        receipts: list[str | ReportReceipt],
        submission: RowSubmission | None,
        explain: Callable[[str, ReportOutcome], Problem],
    ) -> None:
        self.rows = rows
        self._receipts = receipts
        self._submission = submission
        self._explain = explain

    @property
    def is_done(self) -> bool:
        """Whether the receipts are ready, so that nobody has to wait for them."""
        return self._submission is None or self._submission.is_done

    @property
    def refused(self) -> int:
        """How many reports were refused without being submitted."""
        return len(self._receipts) - sum(map(len, self.rows.values()))

    def receipts(self) -> list[ReportReceipt]:
        """The outcome of each report; stored reports are durable once this returns.

        Raises:
            StoreUnavailable: none of them was stored.
        """
        outcomes = self._submission.outcomes() if self._submission else {}
        ids = {digest: iter(rows) for digest, rows in self.rows.items()}
        following = {digest: iter(found) for digest, found in outcomes.items()}
        explain = {digest: partial(self._explain, digest) for digest in self.rows}
        return [
            receipt_of(next(ids[each])[0].hex(), next(following[each]), explain[each])
            if isinstance(each, str)
            else each
            for each in self._receipts
        ]
