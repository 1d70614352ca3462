"""Which closed questions share a block: a search over all ways to group them.

Questions with equally many options and the same weight are interchangeable, so a grouping is a
multiset of groups of kinds; a router and what it leads to are of one kind together. Where each
respondent is asked one block, V is the sum of the groups' variances: two groups are taken apart
and put together in another way as long as that makes the sum smaller, from several starts.
Where several blocks are asked, V is that of the worst group.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from deniable_sdk.compiler.margins import Margin, best_size, joint_variance
from deniable_sdk.mechanisms.parameters import MAX_DOMAIN_SIZE
from deniable_sdk.survey.block import MAX_BLOCK_QUESTIONS

# How many ways to part the questions of two groups are compared, and how many starts improved.
_MOST_WAYS = 256
_MOST_STARTS = 3
# A gain that is no rounding error.
_GAIN = 1e-12
_NEVER = float("inf")


# Of questions that stay together: how many joint answers they have, how many of these contain
# each answer to a question, their weight, and e^epsilon of a report about them alone.
Kind = tuple[int, tuple[Margin, ...], float, float]
Group = tuple[Kind, ...]


def partitions(
    kinds: Sequence[Kind], rest: Sequence[float], asked: int
) -> Iterator[tuple[Group, ...]]:
    """Groupings worth comparing, the last of which is mostly the best.

    Args:
        kinds: of what may be joined.
        rest: the variances of the blocks that are not.
        asked: how many blocks each respondent is asked.
    """
    ordered = sorted(kinds)
    merged = list(_merged(ordered))
    if asked > 1:
        yield min(merged, key=lambda groups: (_worst(groups, rest), groups))
        return
    starts = {tuple(sorted(_chunks(ordered, size))) for size in range(1, MAX_BLOCK_QUESTIONS + 1)}
    starts.add(min(merged, key=lambda groups: (_total(groups), groups)))
    best = sorted(starts, key=lambda groups: (_total(groups), groups))[:_MOST_STARTS]
    ends = [_improved(start) for start in best]
    yield min(ends, key=lambda groups: (_total(groups), groups))


def _merged(kinds: Sequence[Kind]) -> Iterator[tuple[Group, ...]]:
    """All alone, and then the two groups merged that lower the sum most, again and again."""
    counted: Counter[Group] = Counter((kind,) for kind in kinds)
    yield tuple(sorted(counted.elements()))
    while pairs := [(one, other) for one, other in _pairs(counted) if other]:
        one, other = min(pairs, key=lambda pair: (_merging(*pair), pair))
        if _merging(one, other) == _NEVER:
            return
        counted.subtract([one, other])
        counted = +counted
        counted[_union(one, other)] += 1
        yield tuple(sorted(counted.elements()))


@cache
def _merging(one: Group, other: Group) -> float:
    """What merging two groups adds to the sum of variances."""
    return _cost(_union(one, other)) - _cost(one) - _cost(other)


def _chunks(kinds: Sequence[Kind], size: int) -> tuple[Group, ...]:
    """Groups of so many questions, or fewer where more would have too many cells."""
    groups: list[Group] = [()]
    for kind in kinds:
        if len(groups[-1]) == size or _cells((*groups[-1], kind)) > MAX_DOMAIN_SIZE:
            groups.append(())
        groups[-1] = (*groups[-1], kind)
    return tuple(groups)


def _improved(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """The same questions, grouped so that no two groups can be put together better."""
    counted = Counter(groups)
    while True:
        best, found = -_GAIN, None
        for one, other in _pairs(counted):
            new, gain = _regrouped(one, other)
            if gain < best:
                best, found = gain, (one, other, new)
        if found is None:
            return tuple(sorted(counted.elements()))
        one, other, new = found
        counted.subtract([one, *([other] if other else [])])
        counted.update(group for group in new if group)
        counted = +counted


def _pairs(counted: Counter[Group]) -> Iterator[tuple[Group, Group]]:
    """All pairs of groups that differ, equal ones where there are two, and each alone."""
    ordered = sorted(counted)
    for index, one in enumerate(ordered):
        yield one, ()
        if counted[one] > 1:
            yield one, one
        for other in ordered[index + 1 :]:
            yield one, other


@cache
def _regrouped(one: Group, other: Group) -> tuple[tuple[Group, Group], float]:
    """The best way to put the questions of two groups into two or one, and what V gains."""
    before = _cost(one) + _cost(other)
    best, found = (one, other), 0.0
    for new in _splits(_union(one, other)):
        gain = _cost(new[0]) + _cost(new[1]) - before
        if gain < found - _GAIN:
            best, found = new, gain
    return best, found


def _splits(kinds: Group) -> Iterator[tuple[Group, Group]]:
    counted = Counter(kinds)
    ordered = sorted(counted)
    ways = itertools.product(*(range(counted[kind] + 1) for kind in ordered))
    for way in itertools.islice(ways, _MOST_WAYS):
        first = tuple(kind for kind, count in zip(ordered, way, strict=True) for _ in range(count))
        second = tuple(
            kind
            for kind, count in zip(ordered, way, strict=True)
            for _ in range(counted[kind] - count)
        )
        yield first, second


@cache
def _cost(group: Group) -> float:
    """The variance of a group's worst question; infinite if it cannot be a block."""
    if not group:
        return 0.0
    cells, margins, weight, ratio = joined(group)
    if len(margins) > MAX_BLOCK_QUESTIONS or cells > MAX_DOMAIN_SIZE:
        return _NEVER
    size = best_size(cells, margins, ratio)
    return weight * weight * joint_variance(cells, margins, ratio, size)


def joined(group: Group) -> Kind:
    """All of a group as one; it counts with the largest weight in it, and spends the least."""
    cells = _cells(group)
    margins = (
        tuple((within * cells // own, count) for within, count in margin)
        for own, each, _, _ in group
        for margin in each
    )
    weight = max(weight for _, _, weight, _ in group)
    return cells, tuple(sorted(margins)), weight, min(ratio for _, _, _, ratio in group)


def _total(groups: Sequence[Group]) -> float:
    total = 0.0
    for group in groups:
        total += _cost(group)
    return total


def _worst(groups: Sequence[Group], rest: Sequence[float]) -> float:
    blocks = len(groups) + len(rest)
    return blocks * max([*rest, *(_cost(group) for group in groups)])


def _cells(group: Group) -> int:
    return math.prod(cells for cells, _, _, _ in group)


def _union(one: Group, other: Group) -> Group:
    return tuple(sorted((*one, *other)))
