"""How uncertain a block leaves the least certain of its questions.

All numbers here are variances times the reports of a block, of a share or of a mean as a part of
its range. Only +, -, * and / of floats are used, so all machines find the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from deniable_sdk import theory
from deniable_sdk.mechanisms import Mechanism, SampledBits, Subset
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.mechanisms.domains import SomeOf
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.definition import PlannedBlock
from deniable_sdk.survey.questions import Question

# Larger sets are never better for the margins of a joint block of at most 1,000 cells.
_LARGEST_SIZE = 64
# The variance of answers of which half are at each end of a range of length 1.
_WORST_SAMPLE = 0.25
# The hardest share of an option of a set.
_HALF = 0.5


# For the answers to a question that equally many cells of its block contain: how many cells, and
# how many answers.
Margin = tuple[tuple[int, int], ...]


def margins_of(block: PlannedBlock | Block) -> tuple[Margin, ...]:
    """How many cells of a joint block contain each answer to each of its questions."""
    if not block.cells:
        return (((1, block.domain.size),),)
    counted = [Counter(column) for column in zip(*block.cells, strict=True)]
    return tuple(tuple(sorted(Counter(each.values()).items())) for each in counted)


@cache
def margin_variance(cells: int, size: int, ratio: float, within: int, share: float) -> float:
    """The variance of the share of an answer to a question of a block.

    The answer is in `within` of the cells, of which the report contains T. That
    the report contains the true cell has the probability p; the others of the set are drawn
    from all other cells. So T is 1 or 0 and a hypergeometric number.

    Args:
        cells: K, how many answers to the whole block there are.
        size: s, how many of them a report contains.
        ratio: e^epsilon.
        within: M, how many of them contain the answer; below K.
        share: how common the answer is.
    Source: Ye and Barg 2018 for M = 1; for sums of cells, the moments of T by enumeration.
    """
    keep = size * ratio / (size * ratio + (cells - size))
    inside = (_drawn(size - 1, within - 1, cells - 1), _drawn(size, within - 1, cells - 1))
    outside = (_drawn(size - 1, within, cells - 1), _drawn(size, within, cells - 1))
    first = keep * (1 + inside[0][0]) + (1 - keep) * inside[1][0]
    second = keep * (1 + 2 * inside[0][0] + inside[0][1]) + (1 - keep) * inside[1][1]
    other_first = keep * outside[0][0] + (1 - keep) * outside[1][0]
    other_second = keep * outside[0][1] + (1 - keep) * outside[1][1]
    mean = share * first + (1 - share) * other_first
    square = share * second + (1 - share) * other_second
    spread = (first - other_first) * (first - other_first)
    return (square - mean * mean) / spread


def _drawn(size: int, marked: int, cells: int) -> tuple[float, float]:
    """The first two moments of the marked cells among so many that are drawn."""
    if not size or not marked:
        return 0.0, 0.0
    mean = size * marked / cells
    rest = (cells - marked) * (cells - size)
    variance = mean * rest / (cells * (cells - 1)) if rest else 0.0
    return mean, variance + mean * mean


@cache
def best_size(cells: int, margins: tuple[Margin, ...], ratio: float) -> int:
    """The size of the sets with which the least certain question of a block is most certain."""
    best, least = 1, joint_variance(cells, margins, ratio, 1)
    for size in range(2, min(cells - 1, _LARGEST_SIZE) + 1):
        found = joint_variance(cells, margins, ratio, size)
        if found >= least:
            return best
        best, least = size, found
    return best


def joint_variance(cells: int, margins: Iterable[Margin], ratio: float, size: int) -> float:
    """The largest variance of the questions of a block: the mean of that of their answers.

    All answers to a question are taken as equally common.
    """
    return max(_question_variance(cells, size, ratio, margin) for margin in set(margins))


def _question_variance(cells: int, size: int, ratio: float, margin: Margin) -> float:
    answers, total = 0, 0.0
    for _, count in margin:
        answers += count
    for within, count in margin:
        total += count * margin_variance(cells, size, ratio, within, 1 / answers)
    return total / answers


def block_variance(block: PlannedBlock, mechanism: Mechanism) -> float:
    """The same for any block with its mechanism, times the square of its weight.

    A mean is taken at its worst distribution, an option of a set at the hardest shares.
    """
    weight = float(block.preferences.weight)
    target, domain = block.preferences.target, block.domain
    if isinstance(domain, SomeOf):
        return weight * weight * option_variance(block.questions[0], mechanism, _HALF)
    if isinstance(mechanism, Subset) and target is Target.SHARES:
        ratio = mechanism.weights.high / mechanism.weights.low
        found = joint_variance(domain.size, margins_of(block), ratio, mechanism.size)
        return weight * weight * found
    return weight * weight * (float(theory.error(mechanism, target, domain)) + _WORST_SAMPLE)


def option_variance(question: Question, mechanism: Mechanism, share: float) -> float:
    """The variance of the least certain option of a multiple choice, with this share."""
    if not isinstance(mechanism, Subset):
        keep, flip = float(mechanism.keep), float(mechanism.flip)  # type: ignore[attr-defined]  # all but piecewise
        rate, spread = flip + share * (keep - flip), (keep - flip) * (keep - flip)
        drawn = (
            mechanism.sampled if isinstance(mechanism, SampledBits) else question.domain.options
        )
        return rate * (1 - rate) / spread * question.domain.options / drawn
    ratio = mechanism.weights.high / mechanism.weights.low
    within = Counter(option for answer in question.answers for option in answer)  # type: ignore[union-attr]
    return max(
        margin_variance(mechanism.domain_size, mechanism.size, ratio, cells, share)
        for cells in set(within.values())
    )
