"""Normal intervals, and none where the reports do not show how far to reach."""

import math

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Bools, Floats

# A variance below is 0 but for rounding, in units of the values' squares:
# what is rounded are sums of such squares, each to 16 digits.
_ROUNDING = 1e-14


def shows_variance(values: ArrayLike, variances: ArrayLike, unit: ArrayLike = 1.0) -> Bools:
    """Where a variance is finite and above 0, not by rounding only.

    A single report, or reports that all say the same, show none: how far the
    value strays is then not known, and it is not 0.

    Args:
        values: estimates.
        variances: of each.
        unit: how far apart two values can be: 1 of shares, the range of a
            number's answers of its mean; 0 where nothing says.
    """
    found, spreads = np.asarray(values, np.float64), np.asarray(variances, np.float64)
    least = _ROUNDING * (np.asarray(unit, np.float64) ** 2 + found**2)
    return np.asarray(np.isfinite(spreads) & (spreads > least))


def normal_interval(
    values: ArrayLike, variances: ArrayLike, reach: float, unit: ArrayLike = 1.0
) -> tuple[Floats, Floats]:
    """The ends of normal intervals; NaN where a variance does not show.

    Args:
        values: estimates.
        variances: of each.
        reach: how many standard errors to either side.
        unit: as shows_variance takes it.
    """
    found, spreads = np.asarray(values, np.float64), np.asarray(variances, np.float64)
    shown = np.where(shows_variance(found, spreads, unit), spreads, np.nan)
    width = reach * np.sqrt(shown)
    return found - width, found + width


def normal_ends(
    value: float, variance: float | None, reach: float, unit: float = 1.0
) -> tuple[float, float] | tuple[None, None]:
    """The ends of one normal interval; None where a variance does not show."""
    low, high = normal_interval(value, math.nan if variance is None else variance, reach, unit)
    return (None, None) if math.isnan(low) else (float(low), float(high))
