"""What became of a report, and in which words its sender is told."""

from dataclasses import dataclass, field

from deniable_collector.problems import Problem, problem
from deniable_collector.store.base import Outcome
from deniable_sdk import InvalidReport
from deniable_sdk.canonical import NotCanonical

_STATUS = {Outcome.STORED: 201, Outcome.ALREADY_STORED: 200}
_REFUSALS = {
    Outcome.CONFLICT: problem(
        "report-conflict",
        "The survey has a report with this id and other values; the stored one was kept; "
        "draw a new report id for every new report, and resend the same bytes on a retry.",
    ),
    Outcome.CLOSED: problem(
        "survey-closed",
        "The survey takes no more reports, and does not have this one; discard it.",
    ),
    Outcome.UNKNOWN_SURVEY: problem(
        "unknown-survey",
        "The report names a survey that this collector does not have; "
        "send it to the collector that published the survey.",
    ),
}


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one report.

    Args:
        status: 201 stored now, 200 stored before, otherwise the problem's.
        report: the report's id, or None where it had no legal one.
        problem: why it was refused, or None.
    """

    status: int
    report: str | None
    problem: Problem | None = None

    def to_document(self) -> dict[str, str | int | None]:
        """The receipt as its sender gets it, the problem's members included."""
        members = self.problem.to_document() if self.problem else {}
        return {"status": self.status, "report": self.report, **members}


@dataclass(slots=True)
class Tally:
    """What became of many reports.

    Args:
        most_receipts: how many receipts are kept. Of more reports
            only the refused ones are.
    """

    most_receipts: int
    lines: int = 0
    stored: int = 0
    already_stored: int = 0
    refused: int = 0
    _receipts: dict[int, Receipt] = field(default_factory=dict)

    @classmethod
    def of(cls, receipts: list[Receipt]) -> "Tally":
        """What became of reports of which all receipts are kept."""
        taken = cls(len(receipts))
        taken.add(receipts)
        return taken

    def to_document(self) -> dict[str, object]:
        """The receipt as its sender gets it."""
        return {
            "stored": self.stored,
            "already_stored": self.already_stored,
            "refused": self.refused,
            "results": [
                {"index": index, **receipt.to_document()}
                for index, receipt in self._receipts.items()
            ],
        }

    def add(self, receipts: list[Receipt]) -> None:
        """Count the next lines."""
        if self.lines <= self.most_receipts < self.lines + len(receipts):
            self._receipts = {i: r for i, r in self._receipts.items() if r.problem}
        are_all_kept = self.lines + len(receipts) <= self.most_receipts
        for index, receipt in enumerate(receipts, self.lines):
            self.stored += receipt.status == 201
            self.already_stored += receipt.status == 200
            self.refused += receipt.problem is not None
            has_room = len(self._receipts) < self.most_receipts
            if are_all_kept or (receipt.problem and has_room):
                self._receipts[index] = receipt
        self.lines += len(receipts)


def receipt_of(report: str, outcome: Outcome) -> Receipt:
    """The receipt of a legal report with this id."""
    refusal = _REFUSALS.get(outcome)
    return Receipt(refusal.status if refusal else _STATUS[outcome], report, refusal)


def refusal_of(refusal: Problem, report: str | None = None) -> Receipt:
    """The receipt of what cannot be stored."""
    return Receipt(refusal.status, report, refusal)


def illegal(error: InvalidReport) -> Problem:
    """Why a value is not a report of its survey."""
    return problem(
        "invalid-report",
        f"Not stored: {error}. Send reports as the SDK makes them for this survey.",
    )


def unreadable(error: NotCanonical) -> Problem:
    """Why bytes are not JSON that can be read."""
    return problem(
        "not-json",
        f"Nothing of it was stored: {error}. Send UTF-8 JSON without decimals.",
    )
