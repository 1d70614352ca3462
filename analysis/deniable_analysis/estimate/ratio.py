"""Ratios of two estimated sums, and quotients."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.intervals import shows_variance


def quotients(above: ArrayLike, below: Floats) -> Floats:
    """Above / below; 0 where below is not above 0, as for what is impossible."""
    shape = np.broadcast_shapes(np.shape(above), below.shape)
    return np.divide(above, below, out=np.zeros(shape), where=below > 0)


@dataclass(frozen=True, slots=True)
class Ratio:
    """The share of a part in a whole, with an interval that always exists.

    Args:
        value: part / whole; if the whole may be 0, the share from 0 to 1 that the test
            rejects least.
        low: lower end of the interval.
        high: upper end of the interval.
        is_bounded: whether the reports show that the whole is above 0. Otherwise the
            interval is part of 0 to 1, and may be all of it.
    """

    value: float
    low: float
    high: float
    is_bounded: bool


def score_ratio(
    shares: tuple[float, float], variance_if: Callable[[float], float], reach: float
) -> Ratio:
    """The ratio R = B / A of two estimated shares, with the interval of a score test.

    The interval consists of the ratios that the test does not reject: those for which
    B - R A is at most `reach` standard errors from 0, if R is true. With an
    estimated variance that does not depend on a hypothesis, it is Fieller's
    interval; with the variance of a binomial count it is Wilson's. If it has no ends,
    because A is less than `reach` standard errors from 0, it is the shortest interval
    that contains all ratios from 0 to 1 that the test does not reject. So it covers
    as often as the test does, and nobody has to decide by the reports whether to show it.

    Args:
        shares: the whole A, and its part B.
        variance_if: the variance of B - R A at a true ratio R; quadratic in R.
        reach: largest distance from 0, in standard errors.
    Source: Fieller 1954, "Some problems in interval estimation".
    """
    whole, part = shares
    at_none, at_half, at_all = (variance_if(each) for each in (0.0, 0.5, 1.0))
    square = 2 * (at_none + at_all) - 4 * at_half
    linear = at_all - at_none - square
    # The test does not reject R if leading R^2 - 2 middle R + constant is at most 0.
    leading = whole**2 - reach**2 * square
    middle = whole * part + reach**2 * linear / 2
    constant = part**2 - reach**2 * at_none
    inside = middle**2 - leading * constant
    # Variances computed at raw shares far outside 0 to 1 can be negative.
    # Reports that are all the same may have a sample variance of 0, which is not the true one.
    is_shown = bool(shows_variance(part, at_half))
    if is_shown and leading > 0 and whole > 0 and inside >= 0:
        root = math.sqrt(inside)
        return Ratio(part / whole, (middle - root) / leading, (middle + root) / leading, True)
    value = _least_rejected(shares, (at_none, at_all))
    # A whole that is clearly below 0 is no chance result of a true share: nothing follows from it.
    if not is_shown or (leading > 0 and whole <= 0):
        return Ratio(value, 0.0, 1.0, False)
    edges = np.roots([leading, -2 * middle, constant])
    crossings = [float(each.real) for each in edges if not each.imag and 0 <= each.real <= 1]
    ends = ((0.0, at_none), (1.0, at_all))
    accepted = [at for at, spread in ends if (part - at * whole) ** 2 <= reach**2 * spread]
    found = [*crossings, *accepted] or [0.0, 1.0]
    return Ratio(value, min(found), max(found), False)


def _least_rejected(shares: tuple[float, float], variances: tuple[float, float]) -> float:
    """The ratio from 0 to 1 whose test statistic is least; `variances` are those at 0 and at 1."""
    whole, part = shares
    if whole and 0 <= part / whole <= 1:
        return part / whole
    at_none, at_all = variances
    return 0.0 if part**2 * at_all <= (part - whole) ** 2 * at_none else 1.0


def possible_whole(whole: float, reports: float, reach: float) -> float:
    """The share of a whole at which to compute the variance of a ratio.

    It is the centre of Wilson's interval without noise, within 0 to 1. At the estimate the
    variance would be too small where few people are in the whole: of 100 reports at epsilon 4
    of which 5 were asked, a ratio of 1 would be covered 92.6 percent of the time, not 95.
    """
    pull = reach**2 / (reports + reach**2)
    return min(1.0, max(0.0, whole + (0.5 - whole) * pull))
