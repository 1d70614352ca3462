"""One estimate from groups that were asked at different epsilons."""

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import read_floats
from deniable_analysis.errors import InvalidCounts


def pool(estimates: ArrayLike, variances: ArrayLike) -> tuple[float, float]:
    """The most precise weighted mean of independent estimates.

    Groups whose mechanisms differ are never pooled as raw counts: their
    estimates are weighted by the inverse of their variances.

    Args:
        estimates: (groups,) estimates of the same quantity.
        variances: (groups,) their total variances, above 0.
    Returns:
        The pooled estimate and its variance.
    Raises:
        InvalidCounts: there is no group, the numbers differ, or a variance is
            not above 0.
    """
    values = read_floats(estimates, "estimates")
    spreads = read_floats(variances, "variances")
    is_legal = values.size > 0 and values.ndim == 1 and values.shape == spreads.shape
    if not (is_legal and np.all(spreads > 0)):
        raise InvalidCounts(
            f"got {values.size} estimates and {spreads.size} variances, the smallest "
            f"{spreads.min(initial=np.inf):g}; allowed are as many of both, at least one, "
            "and variances above 0"
        )
    # Over the smallest, so that no weight is beyond a float.
    least = float(spreads.min())
    weights = least / spreads
    return float(weights @ values / weights.sum()), least / float(weights.sum())
