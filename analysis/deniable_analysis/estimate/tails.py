"""How far chance can move the share of a group of cells outside 0 to 1; see alarms."""

from functools import lru_cache

import numpy as np
from scipy.special import gammaln

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.alarms import share_tails
from deniable_sdk.mechanisms import Subset


@lru_cache(maxsize=4096)
def group_tails(mechanism: Subset, merged: int) -> tuple[float, float]:
    """The tail variances of the share of a group of so many cells, at 0 and 1, for one report."""
    return share_tails(*_group_law(mechanism, merged))


@lru_cache(maxsize=4096)
def pair_tails(mechanisms: tuple[Subset, Subset], merged: tuple[int, int]) -> tuple[float, float]:
    """The same for pairs of cells of two blocks that were randomized separately.

    The group has so many cells of each block, in all combinations.
    """
    (first, law), (second, other) = (
        _group_law(mechanism, count) for mechanism, count in zip(mechanisms, merged, strict=True)
    )
    return share_tails(np.outer(first, second).ravel(), np.asarray(np.kron(law, other)))


def _group_law(mechanism: Subset, merged: int) -> tuple[Floats, Floats]:
    """What a report contributes to the share of a group of cells, and how often.

    Returns:
        (counts,) contributions of a report whose set has 0, 1 and so on cells of the
        group; and (counts, 2) their probabilities if the answer is in the group, and if
        it is not.
    """
    cells, size = mechanism.domain_size, mechanism.size
    if merged == cells:
        return np.ones(1), np.ones((1, 1))
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    held = np.arange(min(merged, size) + 1.0)
    others = cells - 1
    inside = keep * _drawn(held - 1, others, merged - 1, size - 1)
    inside += (1 - keep) * _drawn(held, others, merged - 1, size)
    outside = keep * _drawn(held, others, merged, size - 1)
    outside += (1 - keep) * _drawn(held, others, merged, size)
    return (held - merged * flip) / (keep - flip), np.column_stack([inside, outside])


def _drawn(found: Floats, cells: int, marked: int, drawn: int) -> Floats:
    """The hypergeometric probabilities to find so many marked cells among those drawn."""
    parts = (marked, found), (cells - marked, drawn - found), (cells, np.array(float(drawn)))
    with_marks, without, whole = (_log_choices(*part) for part in parts)
    return np.asarray(np.exp(with_marks + without - whole))


def _log_choices(total: int, chosen: Floats) -> Floats:
    """The logarithm of the number of ways to choose so many; -inf if there is none."""
    is_possible = (chosen >= 0) & (chosen <= total)
    inside = np.where(is_possible, chosen, 0)
    ways = gammaln(total + 1) - gammaln(inside + 1) - gammaln(total - inside + 1)
    return np.where(is_possible, ways, -np.inf)
