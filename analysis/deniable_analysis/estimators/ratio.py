"""Ratios of two estimated sums, and quotients."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats


def quotients(above: ArrayLike, below: Floats) -> Floats:
    """Above / below; 0 where below is not above 0, as for what is impossible."""
    shape = np.broadcast_shapes(np.shape(above), below.shape)
    return np.divide(above, below, out=np.zeros(shape), where=below > 0)


def fieller_interval(
    shares: tuple[float, float], variance_if: Callable[[float], float], reach: float
) -> tuple[float, float] | None:
    """The interval of the ratio R = B / A of two estimated shares.

    It consists of the ratios that a score test does not reject: those for which
    B - R A is at most `reach` standard errors from 0, if R is true. With an
    estimated variance that does not depend on a hypothesis, it is Fieller's
    interval; with the variance of a binomial count it is Wilson's.

    Args:
        shares: the whole A, and its part B.
        variance_if: the variance of B - R A at a true ratio R; quadratic in R.
        reach: largest distance from 0, in standard errors.
    Returns:
        None if the interval is unbounded, because A is less than `reach`
        standard errors from 0.
    Source: Fieller 1954, "Some problems in interval estimation".
    """
    whole, part = shares
    at_none, at_half, at_all = (variance_if(each) for each in (0.0, 0.5, 1.0))
    square = 2 * (at_none + at_all) - 4 * at_half
    linear = at_all - at_none - square
    leading = whole**2 - reach**2 * square
    middle = whole * part + reach**2 * linear / 2
    inside = middle**2 - leading * (part**2 - reach**2 * at_none)
    # Variances computed at raw shares far outside 0 to 1 can be negative.
    if leading <= 0 or whole <= 0 or inside < 0:
        return None
    root = math.sqrt(inside)
    return (middle - root) / leading, (middle + root) / leading
