"""Ratios of two estimated sums: means and shares among some of the respondents."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidCounts


def quotients(above: ArrayLike, below: Floats) -> Floats:
    """Above / below; 0 where below is not above 0, as for what is impossible."""
    shape = np.broadcast_shapes(np.shape(above), below.shape)
    return np.divide(above, below, out=np.zeros(shape), where=below > 0)


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two means over the same reports.

    Args:
        value: mean of the numerators divided by the mean of the denominators.
        variance: variance of the value, by the delta method; exact if every
            denominator is 1. None with a single report.
        denominator: mean of the denominators.
        released: part of the variance that the noise of releases causes, which is not in
            `variance`; None without noise.
    """

    value: float
    variance: float | None
    denominator: float
    released: float | None = None


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
    contributions = np.asarray([numerators, denominators], np.float64)
    return _ratio(weights, contributions, float(weights.sum()))


def released_ratio(
    counts: ArrayLike,
    numerators: ArrayLike,
    denominators: ArrayLike,
    report_count: int,
    variance: float,
) -> Ratio | None:
    """The ratio as in ratio_of_means, from counts with noise.

    Args:
        counts: (outputs,) reports with each output, with noise.
        numerators: as in ratio_of_means.
        denominators: as in ratio_of_means.
        report_count: number of reports, without noise.
        variance: variance of the noise in each count; the noises are independent.
    Returns:
        None without reports, and if the sum of the denominators is not above 0.
    """
    weights = np.asarray(counts, dtype=np.float64)
    contributions = np.asarray([numerators, denominators], np.float64)
    found = _ratio(weights, contributions, report_count) if report_count else None
    if found is None:
        return None
    slopes = (contributions[0] - found.value * contributions[1]) / (
        found.denominator * report_count
    )
    return replace(found, released=variance * float(slopes @ slopes))


def _ratio(weights: Floats, contributions: Floats, reports: float) -> Ratio | None:
    """The ratio of the (2, outputs) contributions, by the weights of the outputs."""
    above, below = contributions
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
