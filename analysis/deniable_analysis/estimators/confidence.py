"""From a confidence to a normal quantile, and to normal intervals."""

import math
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from deniable_analysis.arguments import Number, exact, shown
from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.errors import InvalidConfidence


def tail(confidence: Number, comparisons: int = 1) -> float:
    """The tail probability on one side of a two-sided interval.

    Args:
        confidence: of all intervals together, between 0 and 1.
        comparisons: how many intervals must hold at once (Bonferroni).
    Raises:
        InvalidConfidence: confidence is not between 0 and 1.
    """
    if not isinstance(confidence, Real):
        raise InvalidConfidence(
            f"got a confidence of the type {type(confidence).__name__}; allowed is a number "
            "between 0 and 1, like 0.95"
        )
    # Compared as it is: a huge integer is no float.
    missed = float((1 - exact(confidence)) / (2 * comparisons)) if 0 < confidence < 1 else 0.0
    if not missed > 0:
        raise InvalidConfidence(
            f"got the confidence {shown(confidence)}; allowed is a number between 0 and 1, "
            "like 0.95"
        )
    return missed


def critical_value(confidence: Number, comparisons: int = 1) -> float:
    """How many standard errors a two-sided normal interval reaches.

    Args:
        confidence: of all intervals together, between 0 and 1.
        comparisons: how many intervals must hold at once (Bonferroni).
    Raises:
        InvalidConfidence: confidence is not between 0 and 1.
    """
    return -float(ndtri(tail(confidence, comparisons)))


def comparisons_among(option_count: int) -> int:
    """How many simultaneous intervals a question with this number of options needs.

    Two options are one comparison: their shares add up to exactly 1, so one
    interval holds when the other does.
    """
    return 1 if option_count == 2 else option_count


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
