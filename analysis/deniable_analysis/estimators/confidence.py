"""Normal quantiles of a confidence, and normal intervals."""

import math
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from deniable_analysis.arguments import Number, exact, shown
from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.errors import InvalidArgument


def tail(confidence: Number, comparisons: int = 1) -> float:
    """The tail probability on one side of a two-sided interval.

    Args:
        confidence: simultaneous confidence of all intervals, between 0 and 1.
        comparisons: number of simultaneous intervals (Bonferroni).
    Raises:
        InvalidArgument: confidence is not between 0 and 1.
    """
    if not isinstance(confidence, Real):
        raise InvalidArgument(
            f"got a confidence of the type {type(confidence).__name__}; allowed is a number "
            "between 0 and 1, like 0.95"
        )
    # Compared before any conversion: a huge integer is not a float.
    missed = float((1 - exact(confidence)) / (2 * comparisons)) if 0 < confidence < 1 else 0.0
    if not missed > 0:
        raise InvalidArgument(
            f"got the confidence {shown(confidence)}; allowed is a number between 0 and 1, "
            "like 0.95"
        )
    return missed


def critical_value(confidence: Number, comparisons: int = 1) -> float:
    """Half the width of a two-sided normal interval, in standard errors.

    Arguments and errors are those of tail.
    """
    return -float(ndtri(tail(confidence, comparisons)))


def comparisons_among(option_count: int) -> int:
    """The number of simultaneous intervals for a question with this number of options.

    Two options are one comparison: their shares sum to exactly 1, so both
    intervals cover the true shares or neither does.
    """
    return 1 if option_count == 2 else option_count


# A variance below this is only rounding error, in units of the squared values:
# it comes from sums of such squares, each rounded to 16 digits.
_ROUNDING = 1e-14


def shows_variance(values: ArrayLike, variances: ArrayLike, unit: ArrayLike = 1.0) -> Bools:
    """Where a variance is finite, and above 0 by more than rounding error.

    A single report, or reports that are all the same, have a sample variance of
    0. The true variance is then unknown, and it is not 0.

    Args:
        values: estimates.
        variances: variance of each value.
        unit: largest possible difference of two values: 1 for shares, the range
            of the answers for a mean; 0 if it is unknown.
    """
    found, spreads = np.asarray(values, np.float64), np.asarray(variances, np.float64)
    least = _ROUNDING * (np.asarray(unit, np.float64) ** 2 + found**2)
    return np.asarray(np.isfinite(spreads) & (spreads > least))


def normal_interval(
    values: ArrayLike, variances: ArrayLike, reach: float, unit: ArrayLike = 1.0
) -> tuple[Floats, Floats]:
    """The ends of normal intervals; NaN where shows_variance, with its arguments, is false.

    `reach` is half the width of the intervals, in standard errors.
    """
    found, spreads = np.asarray(values, np.float64), np.asarray(variances, np.float64)
    shown = np.where(shows_variance(found, spreads, unit), spreads, np.nan)
    width = reach * np.sqrt(shown)
    return found - width, found + width


def normal_ends(
    value: float, variance: float | None, reach: float, unit: float = 1.0
) -> tuple[float, float] | tuple[None, None]:
    """The ends of one normal interval; None where shows_variance is false."""
    low, high = normal_interval(value, math.nan if variance is None else variance, reach, unit)
    return (None, None) if math.isnan(low) else (float(low), float(high))
