"""The mechanism of a block, with the parameters that have the smallest exact worst-case error."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial

from deniable_sdk import theory
from deniable_sdk.compiler.margins import best_size, margins_of, option_variance
from deniable_sdk.errors import Code, DefinitionProblem, InvalidDefinition, quote
from deniable_sdk.mechanisms import MECHANISMS, Domain, Mechanism, Subset
from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.mechanisms.parameters import MAX_DOMAIN_SIZE
from deniable_sdk.records import Record
from deniable_sdk.survey.block import (
    MOST_FIXED_OUTPUTS,
    PEOPLE_FOR_AN_OUTPUT,
    cells_of,
    linkage,
)
from deniable_sdk.survey.definition import Definition, PlannedBlock
from deniable_sdk.survey.reading import Path
from deniable_sdk.weights import LOW_WEIGHT, Weights, closest_weights, integer_weights

_REPEATED = (
    "devices repeat the values of fixed questions, so reports of one person could be matched by "
    "them"
)
# What one 48-bit draw leaves beyond a low weight of 2^32.
_SPARE_BITS = 16
# Shares of an option of a multiple choice.
_RARE, _HARDEST = 0.1, 0.5


class _Use(Record):
    """The use of a mechanism."""

    domain: Domain
    scale: Scale
    target: Target


class MechanismChoice(Record):
    """A mechanism and its error for a use."""

    mechanism: Mechanism
    error: Fraction


class _Part(Record):
    """How many of how many blocks each respondent is asked."""

    asked: int
    blocks: int


def choose_mechanisms(
    definition: Definition, blocks: Sequence[PlannedBlock], epsilon: Fraction, asked: int
) -> dict[str, MechanismChoice]:
    """The choice for each block, by its id, if each respondent is asked this number of blocks.

    Args:
        definition: whose blocks they are.
        blocks: all of the survey.
        epsilon: what a respondent spends.
        asked: how many of the blocks each is asked.
    Raises:
        InvalidDefinition: a block has no mechanism, or fixed blocks can be linked.
    """
    chosen = {block.id: choose_alone(block, epsilon, asked) for block in blocks}
    fixed, part = [block for block in blocks if is_fixed(block)], _Part(asked, len(blocks))
    return chosen | (_choose_fixed(definition, fixed, epsilon, part) if fixed else {})


def choose_mechanism(
    definition: Definition,
    blocks: Sequence[PlannedBlock],
    block: PlannedBlock,
    epsilon: Fraction,
    asked: int,
) -> Mechanism:
    """The mechanism of one of the blocks, as choose_mechanisms finds it."""
    if not is_fixed(block):
        return choose_alone(block, epsilon, asked).mechanism
    return choose_mechanisms(definition, blocks, epsilon, asked)[block.id].mechanism


def is_fixed(block: PlannedBlock) -> bool:
    """Whether its questions ask for facts that do not change."""
    return block.questions[0].fixed


def _choose_fixed(
    definition: Definition, blocks: Sequence[PlannedBlock], epsilon: Fraction, part: _Part
) -> dict[str, MechanismChoice]:
    """The choice for each fixed block: together the smallest error with few enough outputs.

    At most 4 blocks can have so few, so there are not many choices.
    """
    asked = part.asked
    offers = [list(_with_fewer_outputs(block, epsilon, asked)) for block in blocks]
    fewest = [min((choice.mechanism.outputs for choice in offer), default=0) for offer in offers]
    if not all(fewest) or math.prod(fewest) > MOST_FIXED_OUTPUTS:
        raise InvalidDefinition([_too_many_outputs(blocks, fewest)])
    if not _has_people(definition, fewest, part):
        raise InvalidDefinition([_too_few_people(definition, blocks, fewest, part)])
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
            if math.prod(outputs) <= MOST_FIXED_OUTPUTS and _has_people(definition, outputs, part)
        ),
        key=lambda choices: sum(
            block.preferences.weight * choices[block.id].error / offer[0].error
            for block, offer in zip(blocks, offers, strict=True)
        ),
    )


def _has_people(definition: Definition, outputs: Sequence[int], part: _Part) -> bool:
    """Whether every group is large enough for fixed blocks with so many outputs."""
    smallest = definition.smallest_group
    return smallest is None or smallest >= _needed_people(outputs, part)


def _needed_people(outputs: Sequence[int], part: _Part) -> Fraction:
    return PEOPLE_FOR_AN_OUTPUT * linkage(outputs, part.asked, part.blocks)


def _with_fewer_outputs(
    block: PlannedBlock, epsilon: Fraction, asked: int
) -> Iterator[MechanismChoice]:
    """The best choices for a fixed block, each with fewer outputs than the one before."""
    most, epsilon = MOST_FIXED_OUTPUTS, _capped(block, epsilon, asked)
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
        Code.FIXED_OUTPUTS,
    )


def _too_few_people(
    definition: Definition, blocks: Sequence[PlannedBlock], fewest: Sequence[int], part: _Part
) -> DefinitionProblem:
    named = ", ".join(f"{block.id} {count}" for block, count in zip(blocks, fewest, strict=True))
    people = "invited people" if definition.invited else "people"
    needed = math.ceil(_needed_people(fewest, part))
    return DefinitionProblem(
        _place_of_fixed(blocks, fewest),
        f"{_REPEATED}; reports carry the group, and the smallest group has "
        f"{definition.smallest_group} {people}; needed are at least {needed:,}, which is "
        f"{PEOPLE_FOR_AN_OUTPUT} for each value among those who are asked {part.asked} of "
        f"{part.blocks} blocks, with at least these numbers of values: {named}; merge "
        "groups, offer fewer options, ask more blocks, or leave out fixed",
        Code.FIXED_OUTPUTS,
    )


def _place_of_fixed(blocks: Sequence[PlannedBlock], fewest: Sequence[int]) -> Path:
    """Where the fixed block with the most outputs is in the document."""
    worst = max(zip(fewest, blocks, strict=True), key=lambda found: found[0] or math.inf)[1]
    return worst.path if len(worst.questions) > 1 else (*worst.path, "fixed")


def choose_alone(block: PlannedBlock, epsilon: Fraction, asked: int) -> MechanismChoice:
    """The choice for a block, whatever the other blocks are."""
    use, name = _use(block), block.preferences.mechanism
    epsilon = _capped(block, epsilon, asked)
    if len(block.questions) > 1 and not block.is_crosstab:
        return _for_margins(block, epsilon, asked)
    chosen = _best(use, name, epsilon, asked)
    if chosen is None:
        serving = [other for other in MECHANISMS if _best(use, other, epsilon, asked)]
        problem = (
            f"got {quote(name)}, which cannot serve this question with the target "
            f"{use.target.value!r}; allowed: {', '.join(serving)}"
        )
        raise InvalidDefinition([DefinitionProblem((*block.path, "mechanism"), problem)])
    is_set = any(question.accepts_several for question in block.questions)
    is_open = name is None and is_set and not is_fixed(block)
    return _over_sets(block, epsilon, asked, chosen) if is_open else chosen


def _over_sets(
    block: PlannedBlock, epsilon: Fraction, asked: int, other: MechanismChoice
) -> MechanismChoice:
    """The choice that draws one of all sets of a multiple choice, where that is better.

    It must be better for common options and for rare ones.
    """
    question = block.questions[0]
    count = len(cells_of([question]))
    if not 1 < count <= MAX_DOMAIN_SIZE:
        return other
    mechanism = Subset(count, 1, _weights_for(epsilon, asked, 1, 2 * count))
    is_better = all(
        option_variance(question, mechanism, share)
        < option_variance(question, other.mechanism, share)
        for share in (_RARE, _HARDEST)
    )
    chosen = MechanismChoice(mechanism, theory.error(mechanism, Target.SHARES))
    return chosen if is_better else other


def _capped(block: PlannedBlock, epsilon: Fraction, asked: int) -> Fraction:
    """What is split over the asked blocks, so that this one spends what its author allows."""
    cap = block.preferences.epsilon
    return epsilon if cap is None else min(epsilon, cap * asked)


def _for_margins(block: PlannedBlock, epsilon: Fraction, asked: int) -> MechanismChoice:
    """The choice with which the least certain of several questions is most certain."""
    weights = _weights_for(epsilon, asked, 1, 2 * block.domain.size)
    size = best_size(block.domain.size, margins_of(block), weights.high / weights.low)
    mechanism = Subset(block.domain.size, size, weights)
    return MechanismChoice(mechanism, theory.error(mechanism, Target.SHARES))


def _use(block: PlannedBlock) -> _Use:
    first, *others = block.questions
    # A joint answer has no order.
    scale = Scale.NOMINAL if others else first.scale
    return _Use(block.domain, scale, block.preferences.target)


def _weights_for(epsilon: Fraction, asked: int, parts: int, units: int) -> Weights:
    """The weights of a part of what a block spends, for a draw from so many units."""
    # Shortfalls add up over all that is spent: one bit for every doubling
    # beyond 4 keeps the sum below 1e-9. Where one draw cannot hold as many,
    # the closest fraction of what it holds is closer still.
    wanted_bits = max(0, (asked * parts - 1).bit_length() - 2)
    spare_bits = max(0, _SPARE_BITS - (units - 1).bit_length())
    part = epsilon / (asked * parts)
    if wanted_bits <= spare_bits:
        return _weights(part, wanted_bits)
    return _closest(part, LOW_WEIGHT << spare_bits)


_weights = cache(integer_weights)
_closest = cache(closest_weights)


@cache
def _best(
    use: _Use, name: str | None, epsilon: Fraction, asked: int, most_outputs: int | None = None
) -> MechanismChoice | None:
    """The choice with the smallest error; None where none can serve, or a named one cannot."""
    need = theory.Need(
        *(use.domain, use.scale, use.target, partial(_weights_for, epsilon, asked)),
        is_named=name is not None,
        most_outputs=most_outputs,
    )
    candidates = [
        MechanismChoice(candidate, theory.error(candidate, use.target, use.domain))
        for compared in ([name] if name else MECHANISMS)
        for candidate in theory.candidates(compared, need)
        if most_outputs is None or candidate.outputs <= most_outputs
    ]
    return min(candidates, key=lambda candidate: candidate.error, default=None)
