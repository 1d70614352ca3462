"""What was reported of facts that do not change, to be reported again.

A later edition of a survey reuses the randomized value of a fixed block: a
fresh draw of the same answer would spend epsilon a second time. The value is
taken only where all that it was drawn for is the same, byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON
from deniable_sdk.client.entry import Entry
from deniable_sdk.report import Report
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.routing import questions_to_show


def kept_values(
    entries: Iterable[Entry], collector: str, survey: PublishedSurvey
) -> Mapping[str, JSON]:
    """What this device has reported before of the survey's fixed blocks, by their ids."""
    wanted = _signatures(survey)
    found: dict[str, JSON] = {}
    for entry in entries if wanted else ():
        if entry.collector == collector and entry.slug == survey.slug:
            reported: Any = canonical.parse(entry.fixed.encode())
            # Only the first value counts, and entries come in their order.
            found = {**reported, **found}
    return {block: found[signed] for block, signed in wanted.items() if signed in found}


def fixed_text(survey: PublishedSurvey, report: Report) -> str:
    """What a report says of fixed blocks, as an entry keeps it."""
    reported: dict[str, JSON] = {
        signed: report.answers[block]
        for block, signed in _signatures(survey).items()
        if block in report.answers
    }
    return canonical.encode(reported).decode()


def _signatures(survey: PublishedSurvey) -> Mapping[str, str]:
    """For each fixed block what it is known by: all that its value depends on.

    That is the block, its questions, and those that decide whether these are
    reached, as they are published.
    """
    fixed = [(place, block.id) for place, block in enumerate(survey.blocks) if block.fixed]
    if not fixed:
        return {}
    document: Any = canonical.parse(survey.document)
    published = {question["id"]: question for question in document["questions"]}
    return {
        block: canonical.digest(
            canonical.encode(
                [
                    document["privacy"]["blocks"][place],
                    *(published[question.id] for question in questions_to_show(survey, [block])),
                ]
            )
        )
        for place, block in fixed
    }
