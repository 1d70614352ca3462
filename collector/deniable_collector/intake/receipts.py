"""What became of a report, and in which words its sender is told."""

from dataclasses import dataclass

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
