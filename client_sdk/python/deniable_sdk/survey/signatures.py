"""What the value of a fixed block depends on, as a digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deniable_sdk import canonical
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.routing import needed_questions


def fixed_signatures(survey: PublishedSurvey) -> Mapping[str, str]:
    """For the id of each fixed block how many outputs it has, and a digest.

    The digest is of all that the block's value depends on, as it is published:
    the block, its questions, and those that decide whether these are reached.
    A later edition repeats the value where the signature is the same.
    """
    fixed = [(index, block) for index, block in enumerate(survey.blocks) if block.fixed]
    if not fixed:
        return {}
    document: Any = canonical.parse(survey.document)
    published = {question["id"]: question for question in document["questions"]}
    signatures = {}
    for index, block in fixed:
        shown = [published[question.id] for question in needed_questions(survey, [block.id])]
        signed = canonical.digest(canonical.encode([document["privacy"]["blocks"][index], *shown]))
        signatures[block.id] = f"{block.mechanism.outputs} {signed}"
    return signatures
