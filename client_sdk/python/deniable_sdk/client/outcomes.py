"""The results that a client returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable_sdk.records import Record

if TYPE_CHECKING:
    from deniable_sdk.client.entry import Entry, State
    from deniable_sdk.survey.questions import Question


class Asked(Record):
    """What one respondent is asked: pass the blocks to `submit` with the answers.

    Args:
        blocks: those that the device drew, the same each time.
        questions: those to show.
    """

    blocks: tuple[str, ...]
    questions: tuple[Question, ...]


class Pending(Record):
    """The state of a report.

    Args:
        report: its id.
        survey: the survey's digest.
        slug: the survey's.
        state: held until the person decides, waiting, sent, refused, declined,
            or dropped for want of room.
        status: the HTTP status it was refused with; 0 otherwise.
        reason: why it was refused.
    """

    report: str
    survey: str
    slug: str
    state: State
    status: int = 0
    reason: str = ""


def pending_of(entry: Entry) -> Pending:
    """The state of an entry's report."""
    return Pending(
        report=entry.report,
        survey=entry.survey,
        slug=entry.slug,
        state=entry.state,
        status=entry.status if entry.state == "refused" else 0,
        reason=entry.reason,
    )


class Flushed(Record):
    """How many reports were sent and refused now, still wait, or were ever dropped."""

    sent: int
    waiting: int
    refused: int
    dropped: int
