"""The outcome of a report, as its sender receives it."""

import json
import sys
from dataclasses import dataclass
from io import SEEK_CUR, BytesIO
from math import ceil

from deniable_collector.clock import Clock
from deniable_collector.problems import Problem, problem
from deniable_collector.store.base import ReportOutcome, StoredSurvey
from deniable_sdk import InvalidReport
from deniable_sdk.canonical import NotCanonical
from deniable_sdk.survey.writing import moment_text

# The receipts come first: the totals are known only after the last of them.
_BEGIN = b'{"results":['
STATUSES = {ReportOutcome.STORED: 201, ReportOutcome.ALREADY_STORED: 200}
_LONGEST_WAIT_S = 86_400
UNKNOWN_SURVEY = problem(
    "unknown-survey",
    "The report names a survey that this collector does not have; "
    "send it to the collector that published the survey.",
)
_REFUSALS = {
    ReportOutcome.CONFLICT: problem(
        "report-conflict",
        "The survey has a report with this id and other values; the stored one was kept; "
        "draw a new report id for every new report, and resend the same bytes on a retry.",
    ),
    ReportOutcome.CLOSED: problem(
        "survey-closed",
        "The survey accepts no more reports, and does not have this one; discard it.",
    ),
    ReportOutcome.PRECISE: problem(
        "survey-closed",
        "The survey ended because its results are precise enough, and does not have this "
        "report; discard it.",
    ),
    ReportOutcome.UNKNOWN_SURVEY: UNKNOWN_SURVEY,
}
_USED_BEFORE = problem(
    "report-conflict",
    "This invitation was used already, for a report with other values; the stored one was kept; "
    "each invitation is good for one report, so discard this one.",
)


@dataclass(frozen=True, slots=True)
class ReportReceipt:
    """The outcome of one report.

    Args:
        status: 201 if it was stored now, 200 if it was stored before, otherwise the problem's.
        report: the report's id, or None if it had no legal id.
        problem: why it was refused, or None.
    """

    status: int
    report: str | None
    problem: Problem | None = None

    def to_document(self) -> dict[str, str | int | None]:
        """The receipt as its sender receives it, including the problem's members."""
        members = self.problem.to_document() if self.problem else {}
        return {"status": self.status, "report": self.report, **members}


class BatchReceipt:
    """The outcomes of many reports.

    Each receipt is written at once into a buffer, which becomes the response. Thousands of
    receipts as objects, or as one document, would need several times as much memory.

    Args:
        most_receipts: how many receipts are kept. If there are more reports, only receipts
            of refused ones are kept.
        most_bytes: how long all receipts may be together; further ones are left out.
    """

    def __init__(self, most_receipts: int, most_bytes: int = sys.maxsize) -> None:
        self.lines = self.stored = self.already_stored = self.refused = 0
        # Why the last one was refused.
        self.latest_problem: Problem | None = None
        self._most_receipts = most_receipts
        self._most_bytes = most_bytes
        self._written = BytesIO()
        self._written.write(_BEGIN)
        # Where the receipts of stored reports begin and end; adjacent receipts form one range.
        self._of_stored: list[tuple[int, int]] = []

    @classmethod
    def of(cls, receipts: list[ReportReceipt]) -> "BatchReceipt":
        """The outcomes of reports, with all their receipts."""
        taken = cls(len(receipts))
        taken.add(receipts)
        return taken

    def to_json(self) -> bytes:
        """The receipt as its sender receives it; nothing can be added afterwards."""
        # After the last receipt there is no comma.
        if self._written.tell() > len(_BEGIN):
            self._written.seek(-1, SEEK_CUR)
        self._written.write(
            b'],"stored":%d,"already_stored":%d,"refused":%d}\n'
            % (self.stored, self.already_stored, self.refused)
        )
        return self._written.getvalue()

    def add(self, receipts: list[ReportReceipt]) -> None:
        """Count the next reports and write their receipts."""
        following = self.lines + len(receipts)
        if self.lines <= self._most_receipts < following:
            self._forget_stored()
        for index, receipt in enumerate(receipts, self.lines):
            self.stored += receipt.status == 201
            self.already_stored += receipt.status == 200
            self.refused += receipt.problem is not None
            self.latest_problem = receipt.problem or self.latest_problem
            is_one_of_few = receipt.problem and self.refused <= self._most_receipts
            if following <= self._most_receipts or is_one_of_few:
                self._write(index, receipt)
        self.lines = following

    def _write(self, index: int, receipt: ReportReceipt) -> None:
        document = {"index": index, **receipt.to_document()}
        text = json.dumps(document, separators=(",", ":")) + ","
        begin = self._written.tell()
        if begin + len(text) > self._most_bytes:
            return
        end = begin + self._written.write(text.encode("ascii"))
        if receipt.problem is None:
            if self._of_stored and self._of_stored[-1][1] == begin:
                begin, _ = self._of_stored.pop()
            self._of_stored.append((begin, end))

    def _forget_stored(self) -> None:
        written, self._written = self._written.getbuffer(), BytesIO()
        kept_from = 0
        for begin, end in self._of_stored:
            self._written.write(written[kept_from:begin])
            kept_from = end
        self._written.write(written[kept_from:])
        self._of_stored.clear()


def explanation(outcome: ReportOutcome, stored: StoredSurvey | None, clock: Clock) -> Problem:
    """Why a legal report was not stored.

    Args:
        outcome: any but those of stored reports.
        stored: the report's survey; None if it is unknown.
        clock: the one that decided.
    """
    window = stored.window if stored else None
    if outcome is ReportOutcome.NOT_OPEN and window and window.opens:
        wait_s = ceil((window.opens - clock()).total_seconds())
        return problem(
            "survey-not-open",
            f"The survey opens at {moment_text(window.opens)} and accepts no reports before; "
            "send the same bytes again then.",
            min(max(1, wait_s), _LONGEST_WAIT_S),
        )
    if outcome is ReportOutcome.OVER and window and window.closes:
        return problem(
            "survey-closed",
            f"The survey closed at {moment_text(window.closes)}, and does not have this report; "
            "discard it.",
        )
    if outcome is ReportOutcome.FULL and window:
        return problem(
            "survey-closed",
            f"The survey closed with its {window.at_most_reports} reports, the most that it "
            "accepts, and does not have this one; discard it.",
        )
    if outcome is ReportOutcome.CONFLICT and stored and stored.survey.invited:
        return _USED_BEFORE
    return _REFUSALS[outcome]


def refusal_of(refusal: Problem, report: str | None = None) -> ReportReceipt:
    """The receipt of something that cannot be stored."""
    return ReportReceipt(refusal.status, report, refusal)


def illegal(error: InvalidReport) -> Problem:
    """Why a value is not a report of its survey."""
    return problem(
        "invalid-report",
        f"Not stored: {error}. Send reports as the SDK makes them for this survey.",
    )


def at_other_site(site: str, own: str) -> Problem:
    """Why a legal report of a group of another site is not stored here."""
    return problem(
        "other-site",
        f"Not stored: the report's group belongs to the site {site!r}, and this is {own!r}; send "
        "the same bytes to the collector of that site. The invitation has its link.",
    )


def unreadable(error: NotCanonical) -> Problem:
    """Why bytes cannot be read as JSON."""
    return problem(
        "not-json",
        f"Nothing of it was stored: {error}. Send UTF-8 JSON without decimals.",
    )
