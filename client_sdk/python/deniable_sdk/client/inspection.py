"""The content of a report, for people to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

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


# What an answer of a block is called, by its place.
Name = Callable[[int], str]


def inspected(report: Report, survey: PublishedSurvey | None, language: str) -> Inspected:
    """A report in words and in bytes."""
    sent = report.to_bytes()
    words = [
        _line(survey.block(block), value, language)
        for block, value in (report.answers.items() if survey else ())
        if survey
    ]
    return Inspected(sent, sent.decode(), tuple(words))


def _line(block: Block, value: Any, language: str) -> str:
    asked = " / ".join(in_language(question.text, language) for question in block.questions)
    names = _names(block)
    say = _WORDS.get(block.mechanism.name)
    said = say(names, value, block) if say else "see the text"
    return f"{asked} Reported: {said}"


def _names(block: Block) -> Name:
    """The names of a block's answers; with several questions the last varies fastest."""

    def name(place: int) -> str:
        parts = []
        for question in reversed(block.questions[1:]):
            place, own = divmod(place, len(question.names))
            parts.append(question.names[own])
        first = block.questions[0].names
        parts.append(first[place] if place < len(first) else "a blank")
        return " / ".join(reversed(parts))

    return name


def _subset(name: Name, value: Any, _: Block) -> str:
    places = value if isinstance(value, list) else [value]
    return f"one of: {', '.join(map(name, places))}"


def _sampled_bits(name: Name, value: Any, _: Block) -> str:
    return ", ".join(f"{name(option)}: {'yes' if bit else 'no'}" for option, bit in value)


def _privset(name: Name, value: Any, _: Block) -> str:
    return f"some of: {', '.join(map(name, value))}"


def _piecewise(name: Name, value: Any, block: Block) -> str:
    mechanism: Any = block.mechanism
    if value == mechanism.places:
        return name(mechanism.cells)
    low, high = mechanism.near(value)
    return f"from {name(low)} to {name(high)}"


_WORDS: Mapping[str, Callable[[Name, Any, Block], str]] = {
    "subset": _subset,
    "sampled_bits": _sampled_bits,
    "privset": _privset,
    "piecewise": _piecewise,
}
