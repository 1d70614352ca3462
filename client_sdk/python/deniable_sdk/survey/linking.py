"""How far reports of one person can be matched by what a device repeats.

The value of a fixed block is drawn once and repeated in later reports, so
whoever holds two reports can match those that agree. Where the fixed blocks
have m outputs together, a match is right with a chance of m / n at most, on
average over n respondents, whatever they answer: each output brings together
all who share it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from deniable_sdk import canonical
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.routing import questions_to_show

if TYPE_CHECKING:
    from deniable_sdk.survey.published import PublishedSurvey

MOST_FIXED_OUTPUTS = 16
PEOPLE_PER_OUTPUT = 20


def most_fixed_outputs(smallest_group: int | None = None) -> int:
    """How many outputs all fixed blocks may have together.

    Args:
        smallest_group: how many people it has, where the respondents are in
            groups that everybody sees; None where they are in none.
    """
    if smallest_group is None:
        return MOST_FIXED_OUTPUTS
    return min(MOST_FIXED_OUTPUTS, smallest_group // PEOPLE_PER_OUTPUT)


def fixed_outputs(blocks: Iterable[Block]) -> int:
    """How many outputs the fixed ones of these blocks have together; 1 without any."""
    return math.prod(block.mechanism.outputs for block in blocks if block.fixed)


def fixed_signatures(survey: PublishedSurvey) -> Mapping[str, str]:
    """For the id of each fixed block how many outputs it has, and a digest.

    The digest is of all that the block's value depends on, as it is published:
    the block, its questions, and those that decide whether these are reached.
    A later edition repeats the value where the signature is the same.
    """
    fixed = [(place, block) for place, block in enumerate(survey.blocks) if block.fixed]
    if not fixed:
        return {}
    document: Any = canonical.parse(survey.document)
    published = {question["id"]: question for question in document["questions"]}
    signatures = {}
    for place, block in fixed:
        shown = [published[question.id] for question in questions_to_show(survey, [block.id])]
        signed = canonical.digest(canonical.encode([document["privacy"]["blocks"][place], *shown]))
        signatures[block.id] = f"{block.mechanism.outputs} {signed}"
    return signatures


def count_for_readers(count: int) -> str:
    """A number of outputs as a message says it: not the digits of 2^80."""
    bits = count.bit_length() - 1
    return f"{count:,}" if bits < 20 else f"more than 2^{bits}"
