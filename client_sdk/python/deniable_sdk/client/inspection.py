"""The content of a report, for people to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms.values import SupportKind
from deniable_sdk.records import Record
from deniable_sdk.report import Report
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.text import in_language


class Inspected(Record):
    """A report as it is sent.

    Args:
        bytes: exactly what is sent.
        text: the same, as text.
        words: a line for each block; none if the survey is not known here.
    """

    bytes: bytes
    text: str
    words: tuple[str, ...]


def inspected(report: Report, survey: PublishedSurvey | None, language: str) -> Inspected:
    """A report in words and in bytes."""
    sent = report.to_bytes()
    words = [
        _line(survey.block(block), value, language)
        for block, value in (report.answers.items() if survey else ())
        if survey
    ]
    return Inspected(sent, sent.decode(), tuple(words))


def _line(block: Block, value: JSON, language: str) -> str:
    asked = " / ".join(in_language(question.text, language) for question in block.questions)
    support = block.mechanism.support(value)
    names = [_name(block, answer) for answer in support.answers]
    return f"{asked} Reported: {_LEADS[support.kind](names, support.bits)}"


def _name(block: Block, answer: int) -> str:
    """The name of an answer of a block; with several questions the last varies fastest."""
    parts = []
    for question in reversed(block.questions[1:]):
        answer, own = divmod(answer, len(question.names))
        parts.append(question.names[own])
    first = block.questions[0].names
    # PrivSet adds indexes beyond the options.
    parts.append(first[answer] if answer < len(first) else "a blank")
    return " / ".join(reversed(parts))


_LEADS: Mapping[SupportKind, Callable[[Sequence[str], Sequence[int]], str]] = {
    SupportKind.ONE_OF: lambda names, _: f"one of: {', '.join(names)}",
    SupportKind.SOME_OF: lambda names, _: f"some of: {', '.join(names)}",
    SupportKind.RANGE: lambda names, _: f"from {' to '.join(names)}",
    SupportKind.BITS: lambda names, bits: ", ".join(
        f"{name}: {'yes' if bit else 'no'}" for name, bit in zip(names, bits, strict=True)
    ),
}
