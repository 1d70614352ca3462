"""A check that the reports can come from the survey they claim to."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable_analysis.estimators.channel import Channel
from deniable_analysis.estimators.shares import support_rates

MAX_DEVIATION = 4.0


def boundary_deviation(
    support: ArrayLike, report_count: int, channel: Channel
) -> NDArray[np.float64]:
    """How many standard errors each raw share lies beyond 0 or 1.

    The standard error is the one at the boundary, so that a true share of 0
    or 1 goes beyond MAX_DEVIATION about once in 30,000 times. Wrong
    parameters and made-up reports go further.

    Returns:
        (options,) negative below 0, positive above 1, 0 within.
    Raises:
        InvalidCounts: there is no report, or a count is not in 0..n.
    """
    rates = np.asarray(support_rates(support, report_count), dtype=np.float64)
    above = _deviation(rates, report_count, float(channel.keep))
    below = _deviation(rates, report_count, float(channel.flip))
    return np.maximum(above, 0.0) + np.minimum(below, 0.0)


def _deviation(rates: NDArray[Any], n: int, boundary: float) -> NDArray[np.float64]:
    return np.asarray((rates - boundary) / np.sqrt(boundary * (1 - boundary) / n))
