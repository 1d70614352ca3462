"""The design of a questionnaire: which questions share a block, and how often each is drawn.

The objective is the survey's variance V: the largest of any question's share or mean, times all
respondents, each times the square of its author's weight. A block that is asked of a part of the
respondents has its own variance divided by that part.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from deniable_sdk.compiler.margins import block_variance, margins_of
from deniable_sdk.compiler.mechanisms import choose_alone, choose_mechanisms, is_fixed
from deniable_sdk.compiler.search import Kind, partitions
from deniable_sdk.errors import InvalidDefinition
from deniable_sdk.mechanisms import Mechanism
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.mechanisms.parameters import MAX_DOMAIN_SIZE
from deniable_sdk.records import Record
from deniable_sdk.survey.authored.joined import joint_name
from deniable_sdk.survey.authored.questions import BlockPreferences
from deniable_sdk.survey.block import MAX_BLOCK_QUESTIONS, Block, drawn_part
from deniable_sdk.survey.definition import Definition, PlannedBlock

# Draws are fractions of this number.
_DRAWS = 10_000
# Unequal draws are worth their words if V falls by at least this part.
_LEAST_GAIN = 0.03


class DesignedBlock(Record):
    """A block with its mechanism, and how often it is drawn.

    `draw` is an integer; the block is drawn with the probability draw / sum of all draws. It is
    None where all blocks are drawn equally often.
    """

    planned: PlannedBlock
    mechanism: Mechanism
    draw: int | None = None

    @property
    def published(self) -> Block:
        """The block as a published survey contains it."""
        planned = self.planned
        return Block(planned.id, planned.questions, self.mechanism, planned.is_crosstab, self.draw)


class SurveyDesign(Record):
    """The blocks of a survey, how many each respondent is asked, and the survey's V.

    A survey needs as many times the respondents for a margin as its V is larger.
    """

    blocks: tuple[DesignedBlock, ...]
    asked: int
    variance: float

    def part(self, block: DesignedBlock) -> Fraction:
        """How likely a respondent is asked a block."""
        return drawn_part(block.draw, [each.draw for each in self.blocks], self.asked)


def design_survey(definition: Definition) -> SurveyDesign:
    """The design that an author asks for: the best one, or the number of blocks in `ask`.

    Raises:
        InvalidDefinition: with the problem of a block that has no mechanism.
    """
    if definition.ask == "auto":
        return best_design(definition)
    blocks = definition.blocks
    return _designed(
        definition, blocks, len(blocks) if definition.ask == "all" else definition.ask
    )


def best_design(definition: Definition) -> SurveyDesign:
    """The design with the smallest V; with fewer, larger blocks only where that is better.

    Numbers of asked blocks far above epsilon are not compared: a block that spends less than 1
    loses more by spending less than is won by asking it more often. If no design is possible,
    this raises what is wrong with asking the most: with it, fixed blocks need the fewest people.
    """
    return _best(definition, is_whole=True)


def best_without_joining(definition: Definition) -> SurveyDesign:
    """The best design in which each question and crosstab is a block, drawn equally often."""
    return _best(definition, is_whole=False)


def _best(definition: Definition, *, is_whole: bool) -> SurveyDesign:
    found: list[SurveyDesign] = []
    most = min(len(definition.blocks), int(definition.epsilon) + 2)
    for asked in range(1, most + 1):
        for blocks in _joined(definition, asked) if is_whole else (definition.blocks,):
            with suppress(InvalidDefinition):
                found.append(_designed(definition, blocks, asked, is_drawn=is_whole))
    if not found:
        return _designed(definition, definition.blocks, most)
    return min(found, key=lambda design: design.variance)


def _designed(
    definition: Definition,
    blocks: Sequence[PlannedBlock],
    asked: int,
    *,
    is_drawn: bool = False,
) -> SurveyDesign:
    """The design with these blocks; with `is_drawn`, drawn as often as is best."""
    chosen = choose_mechanisms(definition, blocks, definition.epsilon, asked)
    mechanisms = [chosen[block.id].mechanism for block in blocks]
    variances = [
        block_variance(block, mechanism)
        for block, mechanism in zip(blocks, mechanisms, strict=True)
    ]
    whole, equal = _sum(variances), len(blocks) * max(variances) / asked
    draws: Sequence[int | None] = [None] * len(blocks)
    may_differ = is_drawn and asked == 1 and not any(map(is_fixed, blocks))
    if may_differ and whole < (1 - _LEAST_GAIN) * equal:
        counts = [max(1, math.floor(_DRAWS * each / whole + 0.5)) for each in variances]
        shared = math.gcd(*counts)
        draws = [count // shared for count in counts]
    designed = map(DesignedBlock, blocks, mechanisms, draws)
    return SurveyDesign(tuple(designed), asked, equal if draws[0] is None else whole)


def _joined(definition: Definition, asked: int) -> Iterator[tuple[PlannedBlock, ...]]:
    """The blocks worth comparing, if each respondent is asked so many of them."""
    plain, along = definition.blocks, _along_paths(definition, asked)
    for blocks in (plain,) if along == plain else (plain, along):
        if len(blocks) >= asked:
            yield blocks
            yield from _grouped(definition, blocks, asked)


def _along_paths(definition: Definition, asked: int) -> tuple[PlannedBlock, ...]:
    """The blocks, with each question joined to its router as long as that is better for both.

    So a block asks for one of the paths that respondents can take.
    """
    found = list(definition.blocks)
    for block in definition.blocks:
        rule = block.questions[0].show_if
        routers = [
            each
            for each in found
            if rule and any(question.id == rule.question for question in each.questions)
        ]
        if not routers or not all(_may_join(definition, each) for each in (block, *routers)):
            continue
        joint = _join(definition, [routers[0], block], found)
        if joint.domain.size > MAX_DOMAIN_SIZE or len(joint.questions) > MAX_BLOCK_QUESTIONS:
            continue
        costs = [
            block_variance(each, choose_alone(each, definition.epsilon, asked).mechanism)
            for each in (joint, routers[0], block)
        ]
        if costs[0] <= costs[1] + costs[2]:
            found = [joint if each == routers[0] else each for each in found if each != block]
    return tuple(found)


def _grouped(
    definition: Definition, blocks: Sequence[PlannedBlock], asked: int
) -> Iterator[tuple[PlannedBlock, ...]]:
    """The groupings of these blocks that are worth comparing."""
    free = [block for block in blocks if _may_join(definition, block)]
    others = [block for block in blocks if not _may_join(definition, block)]
    # Where all can be joined, to ask one block is best.
    if len(free) < 2 or (asked > 1 and not others) or any(map(is_fixed, others)):
        return
    chosen = choose_mechanisms(definition, blocks, definition.epsilon, asked)
    rest = [block_variance(block, chosen[block.id].mechanism) for block in others]
    kinds = {block.id: _kind(block, chosen[block.id].mechanism) for block in free}
    for groups in partitions([*kinds.values()], rest, asked):
        if len(groups) + len(others) >= asked:
            yield _in_order(definition, [*others, *_blocks(definition, free, kinds, groups)])


def _may_join(definition: Definition, block: PlannedBlock) -> bool:
    """Whether only the shares of closed questions are wanted, by whatever mechanism fits."""
    return (
        not block.is_crosstab
        and all(
            question.id not in definition.apart
            and question.is_closed
            and not question.items
            and not question.fixed
            for question in block.questions
        )
        and block.preferences.target is Target.SHARES
        and block.preferences.mechanism in (None, "subset")
    )


def _kind(block: PlannedBlock, mechanism: Mechanism) -> Kind:
    ratio = mechanism.weights.high / mechanism.weights.low
    return block.domain.size, margins_of(block), float(block.preferences.weight), ratio


def _blocks(
    definition: Definition,
    free: Sequence[PlannedBlock],
    kinds: Mapping[str, Kind],
    groups: Sequence[Sequence[Kind]],
) -> Iterator[PlannedBlock]:
    """Blocks for groups of kinds: of questions that stand next to each other, where they can."""
    left, made = list(free), [*definition.blocks, *free]
    for group in groups:
        members: list[PlannedBlock] = []
        for kind in group:
            members.append(next(each for each in left if kinds[each.id] == kind))
            left.remove(members[-1])
        made.append(members[0] if len(members) == 1 else _join(definition, members, made))
        yield made[-1]


def _join(
    definition: Definition, members: Sequence[PlannedBlock], named: Iterable[PlannedBlock]
) -> PlannedBlock:
    """One block with the questions of several, in the survey's order, and a name of its own."""
    asked = {question.id: question for each in members for question in each.questions}
    ordered = tuple(asked[each.id] for each in definition.questions if each.id in asked)
    taken = {question.id for question in definition.questions} | {each.id for each in named}
    caps = [each.preferences.epsilon for each in members if each.preferences.epsilon]
    weight = max(each.preferences.weight for each in members)
    return PlannedBlock(
        joint_name([question.id for question in ordered], taken),
        ordered,
        BlockPreferences(Target.SHARES, None, weight, min(caps, default=None)),
        members[0].path,
    )


def _in_order(definition: Definition, blocks: Sequence[PlannedBlock]) -> tuple[PlannedBlock, ...]:
    order = {question.id: index for index, question in enumerate(definition.questions)}
    return tuple(sorted(blocks, key=lambda block: min(order[each.id] for each in block.questions)))


def _sum(numbers: Sequence[float]) -> float:
    """From left to right, as the same on every version of Python; sum compensates on some."""
    total = 0.0
    for number in numbers:
        total += number
    return total
