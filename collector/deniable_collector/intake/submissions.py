"""Several reports on their way to the store; receipts keep the order of the reports."""

from contextlib import nullcontext
from typing import Final

from deniable_collector.clock import utc_now
from deniable_collector.errors import Refused
from deniable_collector.intake.commits import GroupCommit
from deniable_collector.intake.reading import Readers
from deniable_collector.intake.receipts import (
    STATUSES,
    UNKNOWN_SURVEY,
    ReportReceipt,
    explanation,
    illegal,
    refusal_of,
    unreadable,
)
from deniable_collector.intake.refusals import Refusals
from deniable_collector.intake.waiting import RowSubmission
from deniable_collector.problems import Problem
from deniable_collector.store.base import ReportOutcome, Row
from deniable_sdk import InvalidReport, Report
from deniable_sdk.canonical import NotCanonical, parse

# The memory of a row or a refusal besides its text: references, an id, an entry in a sweep.
_BESIDE_BYTES: Final = 200
_PLACE_BYTES: Final = 8
# No device writes such long reports.
_LONG_BYTES: Final = 1 << 14


class ReportBatch:
    """Reports that were read, in the order in which they were sent.

    Args:
        readers: the surveys' readers.
        refusals: those of the body that has the reports.
    """

    def __init__(self, readers: Readers, refusals: Refusals | None = None) -> None:
        self._readers = readers
        self._refusals = refusals or Refusals()
        self.rows: dict[str, list[Row]] = {}
        # For each report, its refusal, or the digest of the survey that its row belongs to.
        self._receipts: list[str | ReportReceipt] = []
        self._text_bytes = 0
        self._commits: GroupCommit | None = None
        self.submission: RowSubmission | None = None

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
        """Add a report as the bytes that were sent, or its refusal if it cannot be read.

        Raises:
            TooManyRefused, TooBusy: as for add_text.
        """
        try:
            self.add_text(line)
        except NotCanonical as error:
            self._refuse(unreadable(error))

    def add_text(self, text: bytes) -> None:
        """Take a report as the bytes that were sent.

        Raises:
            NotCanonical: they are not JSON that can be read.
            TooManyRefused: the report is refused, and is one too many.
            TooBusy: they take long to parse, and others wait.
        """
        self._text_bytes += len(text)
        known = self._readers.read_known_form(text)
        if known:
            self.add_row(*known)
            return
        # Objects may use thirty times as much memory as their text.
        is_suspect = len(text) > _LONG_BYTES or self._refusals.are_many
        try:
            with self._refusals.parsing_alone() if is_suspect else nullcontext():
                report = Report.from_document(parse(text))
        except InvalidReport as error:
            self._refuse(illegal(error))
        else:
            self._add_report(report)

    def _add_report(self, report: Report) -> None:
        reader = self._readers.find(report.survey)
        if reader is None:
            self._refuse(UNKNOWN_SURVEY, report.id)
            return
        try:
            self.add_row(report.survey, reader.read(report))
        except InvalidReport as error:
            self._refuse(illegal(error), report.id)
        except Refused as error:
            self._refuse(error.problem, report.id)

    def _refuse(self, problem: Problem, report: str | None = None) -> None:
        self._receipts.append(refusal_of(problem, report))
        self._refusals.add(problem)

    def submit(
        self, commits: GroupCommit, *, is_batch: bool = False, patience_s: float = 0
    ) -> None:
        """Submit the reports to be stored; `receipts` waits for their outcomes.

        Raises:
            TooBusy: too many reports are waiting; none of these will be stored.
        """
        if self.rows:
            self.submission = commits.submit(
                self.rows, is_batch=is_batch, patience_s=patience_s, size_bytes=self.size_bytes
            )
        self._commits = commits

    @property
    def is_done(self) -> bool:
        """Whether the receipts are ready, so that nobody has to wait for them."""
        return self.submission is None or self.submission.done()

    def receipts(self) -> list[ReportReceipt]:
        """The outcome of each report; stored reports are durable once this returns.

        Raises:
            StoreUnavailable: none of them was stored.
        """
        outcomes = self.submission.outcomes() if self.submission else {}
        following = {
            digest: zip(rows, outcomes[digest], strict=True) for digest, rows in self.rows.items()
        }
        receipts = []
        for each in self._receipts:
            if isinstance(each, str):
                row, outcome = next(following[each])
                receipts.append(self._receipt(each, row[0].hex(), outcome))
            else:
                receipts.append(each)
        return receipts

    def _receipt(self, digest: str, report: str, outcome: ReportOutcome) -> ReportReceipt:
        status = STATUSES.get(outcome)
        if status:
            return ReportReceipt(status, report)
        stored = self._commits.latest(digest) if self._commits else None
        clock = self._commits.clock if self._commits else utc_now
        return refusal_of(explanation(outcome, stored, clock), report)
