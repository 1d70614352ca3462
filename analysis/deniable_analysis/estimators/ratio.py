"""One estimated sum over another: means and shares among some of the respondents."""

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
        value: the mean of the numerators over that of the denominators.
        variance: of the value, by the delta method; exact where every
            denominator is 1. None with a single report.
        denominator: the mean of the denominators.
    """

    value: float
    variance: float | None
    denominator: float


def ratio_of_means(
    counts: ArrayLike, numerators: ArrayLike, denominators: ArrayLike
) -> Ratio | None:
    """The ratio of two means, from how often each output was reported.

    Where an output's numerator and denominator are unbiased for "the answer,
    or 0 without one" and "1, or 0 without an answer", it is the mean among
    those who answered: unbiased where everybody answers, and consistent
    otherwise.

    Args:
        counts: (outputs,) reports with each output.
        numerators: (outputs,) what each output adds to the sum.
        denominators: (outputs,) what each output adds to the number.
    Returns:
        None without reports, and where the denominators do not sum to more
        than 0.
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
    # Their sum is 0, so that their mean square is their variance.
    squares = float(weights @ residuals**2)
    variance = squares / (reports * (reports - 1)) if reports > 1 else None
    return Ratio(value, variance, number / reports)


def fieller_interval(
    shares: tuple[float, float], variance_if: Callable[[float], float], reach: float
) -> tuple[float, float] | None:
    """The interval of the ratio R = B / A of two estimated shares.

    It consists of the ratios that a score test does not reject: those for which
    B - R A is at most `reach` standard errors from 0, if R is true. With the
    variance that was estimated, whatever R is, it is Fieller's interval; with
    that of a binomial count it is Wilson's.

    Args:
        shares: the whole A, and its part B.
        variance_if: the variance of B - R A at a true ratio R; quadratic in R.
        reach: how many standard errors.
    Returns:
        None where the ratios have no end, because A is less than `reach`
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
    # Variances worked out at raw shares far outside 0 to 1 can be negative.
    if leading <= 0 or whole <= 0 or inside < 0:
        return None
    root = math.sqrt(inside)
    return (middle - root) / leading, (middle + root) / leading
