"""Independent estimates over time: their centre, limits and slope."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaincc

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidCounts
from deniable_analysis.estimators.difference import two_sided

# Shewhart's limits: by chance, about 3 in 1,000 points are outside them.
CONTROL_LIMIT = 3.0


@dataclass(frozen=True, slots=True)
class Series:
    """Statistics of independent estimates over time.

    Args:
        centre: mean of the estimates, weighted by the inverse of their
            variances.
        limits: (points, 2) lower and upper control limit of each, if nothing
            changed.
        slope: slope of the weighted least squares line.
        slope_error: standard error of the slope.
        p_value: two-sided p-value of the hypothesis that the slope is 0.
        change_p_value: chi-squared p-value of the hypothesis of no change at
            all.
    """

    centre: float
    limits: Floats
    slope: float
    slope_error: float
    p_value: float
    change_p_value: float

    @property
    def z(self) -> float:
        """The z statistic of the slope."""
        return self.slope / self.slope_error


def series(times: ArrayLike, values: ArrayLike, variances: ArrayLike) -> Series:
    """The centre, the limits and the slope of independent estimates.

    Args:
        times: (points,) at least two, not all the same.
        values: (points,) estimates.
        variances: (points,) variances of the values, above 0; where possible
            under the hypothesis of no change, so that weights do not depend on
            chance.
    Raises:
        InvalidCounts: there are fewer than two points, all times are the
            same, the numbers differ, or a variance is not above 0.
    Source: Shewhart 1931; the limits account for the correlation of a point
        with the centre. Weighted least squares; Cochran 1954 for any change.
    """
    when, found, spread = (np.asarray(each, np.float64) for each in (times, values, variances))
    is_legal = found.size >= 2 and when.shape == found.shape == spread.shape
    if not (is_legal and np.all(spread > 0) and np.ptp(when) > 0):
        raise InvalidCounts(
            f"got {when.size} times, {found.size} estimates and {spread.size} variances; allowed "
            "are as many of each, at least two, variances above 0, and times that are not all "
            "the same"
        )
    weights = 1 / spread
    total = float(weights.sum())
    centre = float(weights @ found) / total
    reach = CONTROL_LIMIT * np.sqrt(np.maximum(0.0, spread - 1 / total))
    centred = when - float(weights @ when) / total
    moved = float(weights @ centred**2)
    slope, slope_error = float(weights @ (centred * found)) / moved, 1 / math.sqrt(moved)
    statistic = float(weights @ (found - centre) ** 2)
    return Series(
        centre=centre,
        limits=np.stack((centre - reach, centre + reach), axis=1),
        slope=slope,
        slope_error=slope_error,
        p_value=two_sided(slope / slope_error) or 0.0,
        change_p_value=float(gammaincc((found.size - 1) / 2, statistic / 2)),
    )
