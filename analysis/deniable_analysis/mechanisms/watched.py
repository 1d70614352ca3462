"""Intervals that hold at every look, for sums of cells and their ratios."""

from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators import IntervalRule
from deniable_analysis.estimators.anytime import anytime_mean
from deniable_analysis.estimators.confidence import tail
from deniable_sdk.mechanisms import Subset

# The lower and upper ends of several intervals; NaN where there is none.
Ends = tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class Contributions:
    """What the members of reports contribute to the shares of cells, without bias.

    Args:
        values: (kinds, cells) contribution of each kind of member.
        counts: (kinds,) number of members of each kind.
        members: members of one report, which contributes their mean.
        has_noise: whether the counts have the noise of a release. No ends that hold at every
            look are then known.
    """

    values: Floats
    counts: Floats
    members: int
    has_noise: bool = False


def block_contributions(mechanism: Subset) -> Floats:
    """(answers, answers) contributions of a member of a set to the share of each answer."""
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    return np.asarray((mechanism.size * np.eye(mechanism.domain_size) - flip) / (keep - flip))


def watched_ends(
    found: Contributions, sums: Floats, rule: IntervalRule, whole: Floats | None = None
) -> Ends:
    """The ends of weighted sums of cells, or of their ratios to another sum.

    Args:
        found: contributions of the reports.
        sums: (cells, sums) weight of each cell in a sum.
        rule: confidence of the intervals.
        whole: (cells,) 1 where a cell is in the sum that all are divided by; by
            default there is no division.
    Returns:
        (sums,) lower and upper ends. Sums have both. An end of a ratio is NaN
        if the reports do not even exclude ratios that are outside the range of
        the weights by its length; and all ends are, if the counts have noise.
    """
    missed = 2 * tail(rule.confidence, rule.comparisons)
    below = np.ones(len(found.values)) if whole is None else found.values @ whole
    ends = np.full((2, sums.shape[1]), np.nan)
    if found.has_noise:
        return ends[0], ends[1]
    for column, above in enumerate((found.values @ sums).T):
        if whole is None:
            scale = float(above.min()), float(above.max())
        else:
            among = sums[whole > 0, column]
            apart = float(np.ptp(among))
            scale = float(among.min()) - apart, float(among.max()) + apart
        low, high = anytime_mean((above, below), found.counts, scale, missed, found.members)
        # A sum is never outside the range of the contributions to it.
        none = scale if whole is None else (np.nan, np.nan)
        ends[:, column] = none[0] if low is None else low, none[1] if high is None else high
    return ends[0], ends[1]


def known(end: float) -> float | None:
    """An end of an interval; None for NaN."""
    return None if np.isnan(end) else float(end)
