"""Ratios of two estimated sums: means and shares among some of the respondents."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.errors import InvalidCounts


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two means over the same reports.

    Args:
        value: mean of the numerators divided by the mean of the denominators.
        variance: variance of the value, by the delta method; exact if every
            denominator is 1. None with a single report.
        denominator: mean of the denominators.
    """

    value: float
    variance: float | None
    denominator: float


def ratio_of_means(
    counts: ArrayLike, numerators: ArrayLike, denominators: ArrayLike
) -> Ratio | None:
    """The ratio of two means, from the number of reports with each output.

    If the numerator is unbiased for "the answer, or 0 without one" and the
    denominator for "1, or 0 without an answer", the ratio estimates the mean
    among those who answered. It is unbiased if everybody answers, and
    consistent otherwise.

    Args:
        counts: (outputs,) reports with each output.
        numerators: (outputs,) contribution of each output to the sum.
        denominators: (outputs,) contribution of each output to the number of
            people.
    Returns:
        None without reports, and if the sum of the denominators is not above 0.
    Raises:
        InvalidCounts: a count is negative.
    Source: Cochran 1977, "Sampling Techniques", equation 6.13, without the
        finite population correction.
    """
    weights = np.asarray(counts, dtype=np.float64)
    if np.any(weights < 0):
        raise InvalidCounts("got a negative count of reports; allowed are 0 and more")
    above, below = np.asarray(numerators, np.float64), np.asarray(denominators, np.float64)
    reports = float(weights.sum())
    number = float(weights @ below)
    if number <= 0:
        return None
    value = float(weights @ above) / number
    residuals = (above - value * below) * (reports / number)
    # Their sum is 0, so their mean square is their variance.
    squares = float(weights @ residuals**2)
    variance = squares / (reports * (reports - 1)) if reports > 1 else None
    return Ratio(value, variance, number / reports)


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
