"""The results that a client returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Self

from deniable_sdk.mechanisms.values import SupportKind
from deniable_sdk.records import Record
from deniable_sdk.report import Report
from deniable_sdk.survey.block import Block, in_names
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.text import in_language

if TYPE_CHECKING:
    from deniable_sdk.client.entry import Entry, State
    from deniable_sdk.survey.questions import Question


class DrawnBlocks(Record):
    """What one respondent is asked: pass the blocks to `submit` with the answers.

    Args:
        blocks: those that the device drew, the same each time.
        questions: those to show.
    """

    blocks: tuple[str, ...]
    questions: tuple[Question, ...]


class ReportStatus(Record):
    """The state of a report.

    Args:
        report: its id.
        survey: the survey's digest.
        slug: the survey's.
        state: held until the person decides, waiting, sent, refused, declined,
            or dropped for want of room.
        status: the HTTP status it was refused with, or why it still waits: 425 if the
            survey is not open yet; 0 if no answer came, and otherwise.
        reason: why it was refused.
    """

    report: str
    survey: str
    slug: str
    state: State
    status: int = 0
    reason: str = ""

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """The state of an entry's report."""
        return cls(
            report=entry.report,
            survey=entry.survey,
            slug=entry.slug,
            state=entry.state,
            status=entry.status if entry.state in {"refused", "waiting"} else 0,
            reason=entry.reason,
        )


class FlushResult(Record):
    """How many reports were sent and refused now, still wait, or were ever dropped."""

    sent: int
    waiting: int
    refused: int
    dropped: int


class ReportPreview(Record):
    """A report as it is sent.

    Args:
        bytes: exactly what is sent.
        text: the same, as text.
        words: a line for each block; none if the survey is not known here.
    """

    bytes: bytes
    text: str
    words: tuple[str, ...]

    @classmethod
    def of(cls, report: Report, survey: PublishedSurvey | None, language: str) -> Self:
        """A report in words and in bytes."""
        sent, words = report.to_bytes(), []
        if survey is None:
            return cls(sent, sent.decode(), ())
        for block_id, value in report.values.items():
            block = survey.block(block_id)
            asked = " / ".join(in_language(each.text, language) for each in block.questions)
            support = block.mechanism.support(value)
            names = [_name(block, answer) for answer in support.answers]
            words.append(f"{asked} Reported: {_LEADS[support.kind](names, support.bits)}")
        return cls(sent, sent.decode(), tuple(words))


def _name(block: Block, answer: int) -> str:
    """The name of an answer of a block."""
    if not block.cells and answer >= len(block.questions[0].names):
        # PrivSet adds indexes beyond the options.
        return "a blank"
    parts = zip(block.questions, block.separated(answer), strict=True)
    return " / ".join(in_names(own, question.names) for question, own in parts)


_LEADS: Mapping[SupportKind, Callable[[Sequence[str], Sequence[int]], str]] = {
    SupportKind.ONE_OF: lambda names, _: f"one of: {', '.join(names)}",
    SupportKind.SOME_OF: lambda names, _: f"some of: {', '.join(names)}",
    SupportKind.RANGE: lambda names, _: f"from {' to '.join(names)}",
    SupportKind.BITS: lambda names, bits: ", ".join(
        f"{name}: {'yes' if bit else 'no'}" for name, bit in zip(names, bits, strict=True)
    ),
}
