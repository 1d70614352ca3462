"""From a definition to a published survey: every choice made for the author.

Which mechanism a block gets, with which parameters, and how many blocks each
respondent is asked, are chosen by the smallest exact worst-case error.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache

from deniable_sdk import theory
from deniable_sdk.canonical import JSON
from deniable_sdk.errors import DefinitionProblem, InvalidDefinition, quote
from deniable_sdk.mechanisms import MECHANISMS, Domain, Mechanism
from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.records import Record
from deniable_sdk.survey.block import MOST_FIXED_OUTPUTS, PEOPLE_FOR_AN_OUTPUT, linkage
from deniable_sdk.survey.definition import Definition, PlannedBlock
from deniable_sdk.survey.published import FORMAT, PublishedSurvey
from deniable_sdk.survey.reading import Path
from deniable_sdk.weights import (
    LOW_WEIGHT,
    Weights,
    closest_weights,
    format_epsilon,
    integer_weights,
)

_REPEATED = (
    "devices repeat the values of fixed questions, so reports of one person could be matched by "
    "them"
)
# What one 48-bit draw leaves beyond a low weight of 2^32.
_SPARE_BITS = 16


def compile_survey(document: object) -> PublishedSurvey:
    """The published survey of a definition, as read from JSON or YAML.

    Raises:
        InvalidDefinition: with every problem and its place.
    """
    definition = Definition.from_document(document)
    return publish(definition, choose_asked(definition))


def publish(definition: Definition, asked: int) -> PublishedSurvey:
    """The published survey that asks each respondent this number of blocks."""
    blocks: list[JSON] = [
        {
            "id": block.id,
            "questions": [question.id for question in block.questions],
            "mechanism": choose_mechanism(
                definition, block, definition.epsilon, asked
            ).to_document(),
        }
        for block in definition.blocks
    ]
    privacy: dict[str, JSON] = {
        "epsilon": format_epsilon(definition.epsilon),
        "asked": asked,
        "blocks": blocks,
    }
    if definition.waves > 1:
        privacy.update(waves=definition.waves, wave=definition.wave)
    document = definition.to_document()
    return PublishedSurvey.from_document({"format": FORMAT, "privacy": privacy, **document})


def choose_asked(definition: Definition) -> int:
    """How many blocks each respondent is asked."""
    if definition.ask == "all":
        return len(definition.blocks)
    return best_asked(definition) if definition.ask == "auto" else definition.ask


def best_asked(definition: Definition) -> int:
    """The number of blocks with the smallest plan_error.

    Numbers far above epsilon are not compared: a block that spends less than
    1 loses more by spending less than is won by asking it more often. The
    largest one if none can be asked: with it, fixed blocks need the fewest people.
    """
    most = min(len(definition.blocks), int(definition.epsilon) + 2)
    errors = {}
    for asked in range(1, most + 1):
        with suppress(InvalidDefinition):
            errors[asked] = plan_error(definition, asked)
    return min(errors, key=lambda asked: errors[asked], default=most)


def plan_error(definition: Definition, asked: int) -> Fraction:
    """The error of all blocks if each respondent is asked this number of them.

    A respondent answers s of d blocks and spends epsilon / s on each, so a
    block's error is d / s times its error at epsilon / s. It is taken as a
    multiple of its error at the whole epsilon, because a mean and shares have
    no common unit, and counts with the block's weight.
    """
    share = Fraction(len(definition.blocks), asked)
    return share * sum(
        block.preferences.weight
        * _choose(definition, block, definition.epsilon, asked).error
        / _choose_alone(block, definition.epsilon, 1).error
        for block in definition.blocks
    )


def choose_mechanism(
    definition: Definition, block: PlannedBlock, epsilon: Fraction, asked: int
) -> Mechanism:
    """The mechanism of a block, if each respondent is asked this number of blocks."""
    return _choose(definition, block, epsilon, asked).mechanism


class _Use(Record):
    """The use of a mechanism."""

    domain: Domain
    scale: Scale
    target: Target


class _Choice(Record):
    """A mechanism and its error for a use."""

    mechanism: Mechanism
    error: Fraction


def _choose(definition: Definition, block: PlannedBlock, epsilon: Fraction, asked: int) -> _Choice:
    chosen = _choose_alone(block, epsilon, asked)
    if not _is_fixed(block):
        return chosen
    return _choose_fixed(definition, epsilon, asked)[block.id]


def _is_fixed(block: PlannedBlock) -> bool:
    return block.questions[0].fixed


def _choose_fixed(definition: Definition, epsilon: Fraction, asked: int) -> dict[str, _Choice]:
    """The choice for each fixed block: together the smallest error with few enough outputs.

    At most 4 blocks can have so few, so there are not many choices.
    """
    blocks = [block for block in definition.blocks if _is_fixed(block)]
    offers = [list(_with_fewer_outputs(block, epsilon, asked)) for block in blocks]
    fewest = [min((choice.mechanism.outputs for choice in offer), default=0) for offer in offers]
    if not all(fewest) or math.prod(fewest) > MOST_FIXED_OUTPUTS:
        raise InvalidDefinition([_too_many_outputs(blocks, fewest)])
    if not _has_people(definition, fewest, asked):
        raise InvalidDefinition([_too_few_people(definition, blocks, fewest, asked)])
    least = math.prod(fewest)
    fitting = [
        [
            choice
            for choice in offer
            if choice.mechanism.outputs * least <= MOST_FIXED_OUTPUTS * own
        ]
        for offer, own in zip(offers, fewest, strict=True)
    ]
    joint = (
        (choices, [choice.mechanism.outputs for choice in choices])
        for choices in itertools.product(*fitting)
    )
    return min(
        (
            dict(zip((block.id for block in blocks), choices, strict=True))
            for choices, outputs in joint
            if math.prod(outputs) <= MOST_FIXED_OUTPUTS and _has_people(definition, outputs, asked)
        ),
        key=lambda choices: sum(
            block.preferences.weight * choices[block.id].error / offer[0].error
            for block, offer in zip(blocks, offers, strict=True)
        ),
    )


def _has_people(definition: Definition, outputs: Sequence[int], asked: int) -> bool:
    """Whether every group is large enough for fixed blocks with so many outputs."""
    smallest = definition.smallest_group
    return smallest is None or smallest >= _needed_people(definition, outputs, asked)


def _needed_people(definition: Definition, outputs: Sequence[int], asked: int) -> Fraction:
    return PEOPLE_FOR_AN_OUTPUT * linkage(outputs, asked, len(definition.blocks))


def _with_fewer_outputs(block: PlannedBlock, epsilon: Fraction, asked: int) -> Iterator[_Choice]:
    """The best choices for a fixed block, each with fewer outputs than the one before."""
    most = MOST_FIXED_OUTPUTS
    while choice := _best(_use(block), block.preferences.mechanism, epsilon, asked, most):
        yield choice
        most = choice.mechanism.outputs - 1


def _too_many_outputs(blocks: Sequence[PlannedBlock], fewest: Sequence[int]) -> DefinitionProblem:
    most = MOST_FIXED_OUTPUTS
    named = ", ".join(
        f"{block.id} {count or f'more than {most}'}"
        for block, count in zip(blocks, fewest, strict=True)
    )
    return DefinitionProblem(
        _place_of_fixed(blocks, fewest),
        f"{_REPEATED}; the numbers of values of all fixed questions, multiplied, may be {most} at "
        f"most, and are at least: {named}; offer fewer options (ranges of years, not years), ask "
        "for the mean alone of a number, or leave out fixed",
    )


def _too_few_people(
    definition: Definition, blocks: Sequence[PlannedBlock], fewest: Sequence[int], asked: int
) -> DefinitionProblem:
    named = ", ".join(f"{block.id} {count}" for block, count in zip(blocks, fewest, strict=True))
    needed = math.ceil(_needed_people(definition, fewest, asked))
    return DefinitionProblem(
        _place_of_fixed(blocks, fewest),
        f"{_REPEATED}; reports carry the group, and the smallest group has "
        f"{definition.smallest_group} invited people; needed are at least {needed:,}, which is "
        f"{PEOPLE_FOR_AN_OUTPUT} for each value among those who are asked {asked} of "
        f"{len(definition.blocks)} blocks, with at least these numbers of values: {named}; merge "
        "groups, offer fewer options, ask more blocks, or leave out fixed",
    )


def _place_of_fixed(blocks: Sequence[PlannedBlock], fewest: Sequence[int]) -> Path:
    """Where the fixed block with the most outputs is in the document."""
    worst = max(zip(fewest, blocks, strict=True), key=lambda found: found[0] or math.inf)[1]
    return worst.path if len(worst.questions) > 1 else (*worst.path, "fixed")


def _choose_alone(block: PlannedBlock, epsilon: Fraction, asked: int) -> _Choice:
    use, name = _use(block), block.preferences.mechanism
    chosen = _best(use, name, epsilon, asked)
    if chosen is None:
        serving = [other for other in MECHANISMS if _best(use, other, epsilon, asked)]
        problem = (
            f"got {quote(name)}, which cannot serve this question with the target "
            f"{use.target.value!r}; allowed: {', '.join(serving)}"
        )
        raise InvalidDefinition([DefinitionProblem((*block.path, "mechanism"), problem)])
    return chosen


def _use(block: PlannedBlock) -> _Use:
    first, *others = block.questions
    # A joint answer has no order.
    scale = Scale.NOMINAL if others else first.scale
    return _Use(block.domain, scale, block.preferences.target)


_weights = cache(integer_weights)
_closest = cache(closest_weights)


@cache
def _best(
    use: _Use, name: str | None, epsilon: Fraction, asked: int, most_outputs: int | None = None
) -> _Choice | None:
    """The choice with the smallest error; None where none can serve, or a named one cannot."""

    def weights(parts: int, units: int) -> Weights:
        # Shortfalls add up over all that is spent: one bit for every doubling
        # beyond 4 keeps the sum below 1e-9. Where one draw cannot hold as many,
        # the closest fraction of what it holds is closer still.
        wanted_bits = max(0, (asked * parts - 1).bit_length() - 2)
        spare_bits = max(0, _SPARE_BITS - (units - 1).bit_length())
        part = epsilon / (asked * parts)
        if wanted_bits <= spare_bits:
            return _weights(part, wanted_bits)
        return _closest(part, LOW_WEIGHT << spare_bits)

    need = theory.Need(
        *(use.domain, use.scale, use.target, weights),
        is_named=name is not None,
        most_outputs=most_outputs,
    )
    candidates = [
        _Choice(candidate, theory.error(candidate, use.target, use.domain))
        for compared in ([name] if name else MECHANISMS)
        for candidate in theory.candidates(compared, need)
        if most_outputs is None or candidate.outputs <= most_outputs
    ]
    return min(candidates, key=lambda candidate: candidate.error, default=None)
