"""One estimated sum over another: means and shares among some of the respondents."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable_analysis.errors import InvalidCounts

Floats = NDArray[np.float64]


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
    shares: tuple[float, float], covariances: ArrayLike, reach: float
) -> tuple[float, float] | None:
    """The interval of the ratio of two estimated shares.

    Args:
        shares: of the whole, and of its part.
        covariances: (2, 2) of these two estimates.
        reach: how many standard errors.
    Returns:
        The ratios that a normal test does not reject. None where these have no
        end, because the whole is less than `reach` standard errors from 0.
    Source: Fieller 1954, "Some problems in interval estimation".
    """
    (whole, part), square = shares, reach**2
    (of_whole, both), (_, of_part) = np.asarray(covariances, dtype=np.float64).tolist()
    leading = whole**2 - square * of_whole
    middle = whole * part - square * both
    inside = middle**2 - leading * (part**2 - square * of_part)
    # Variances worked out at raw shares far outside 0 to 1 can be negative.
    if leading <= 0 or whole <= 0 or inside < 0:
        return None
    root = float(np.sqrt(inside))
    return (middle - root) / leading, (middle + root) / leading
