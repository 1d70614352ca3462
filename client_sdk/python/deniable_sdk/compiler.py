"""From a definition to a published survey: every choice made for the author.

Which parameters a block's mechanism gets, and how many blocks each respondent
is asked, are chosen by the smallest exact worst-case error.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from deniable_sdk.canonical import JSON
from deniable_sdk.exact import fraction
from deniable_sdk.mechanisms import Mechanism, Subset
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.published import FORMAT, PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.text import text_document
from deniable_sdk.weights import format_epsilon, integer_weights

if TYPE_CHECKING:
    from fractions import Fraction


def compile_survey(document: object) -> PublishedSurvey:
    """The published survey of a definition, as read from JSON or YAML.

    Raises:
        InvalidDefinition: with every problem and its place.
    """
    definition = Definition.from_document(document)
    asked = choose_asked(definition)
    return PublishedSurvey.from_document(_publish(definition, asked))


def choose_asked(definition: Definition) -> int:
    """How many blocks each respondent is asked.

    The smallest error over all numbers s of blocks: each respondent answers s
    of d blocks and spends epsilon / s on each, so a block's error is d / s
    times its error at epsilon / s.
    """
    block_count = len(definition.questions)
    if definition.ask == "all":
        return block_count
    if definition.ask != "auto":
        return definition.ask
    return min(range(1, block_count + 1), key=lambda asked: plan_error(definition, asked))


def plan_error(definition: Definition, asked: int) -> Fraction:
    """Worst-case total variance of all blocks, times the respondents."""
    block_count = len(definition.questions)
    blocks = (_mechanism(question, definition.epsilon, asked) for question in definition.questions)
    return fraction(block_count, asked) * sum(block.worst_total_error() for block in blocks)


def _mechanism(question: Question, epsilon: Fraction, asked: int) -> Subset:
    return _best_subset(len(question.domain), epsilon / asked, asked)


@cache
def _best_subset(domain_size: int, epsilon: Fraction, asked: int) -> Subset:
    # Shortfalls add up over the asked blocks: one bit for every doubling
    # beyond 4 keeps the sum below 1e-9, within what one 48-bit draw can hold.
    wanted_bits = max(0, (asked - 1).bit_length() - 2)
    spare_bits = 15 - (domain_size - 1).bit_length()
    weights = integer_weights(epsilon, min(wanted_bits, spare_bits))
    return Subset.best(domain_size, weights)


def _publish(definition: Definition, asked: int) -> JSON:
    document: dict[str, JSON] = {
        "format": FORMAT,
        "slug": definition.slug,
        "title": text_document(definition.title),
        "questions": [question.to_document() for question in definition.questions],
        "privacy": {
            "epsilon": format_epsilon(definition.epsilon),
            "asked": asked,
            "blocks": [
                _publish_block(question, _mechanism(question, definition.epsilon, asked))
                for question in definition.questions
            ],
        },
    }
    for key, text in (("introduction", definition.introduction), ("thanks", definition.thanks)):
        if text is not None:
            document[key] = text_document(text)
    return document


def _publish_block(question: Question, mechanism: Mechanism) -> JSON:
    return {
        "id": question.id,
        "questions": [question.id],
        "mechanism": mechanism.to_document(),
    }
