"""Making shares presentable: the nearest valid ones."""

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import read_floats
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidCounts


def project_to_simplex(shares: ArrayLike) -> Floats:
    """The nearest shares that are not negative and sum to 1.

    They are for tables and charts: they are biased, and no interval or test
    may start from them. Each share is moved by the same amount and those that
    would become negative are 0; only one such amount makes the sum 1.

    Args:
        shares: (options,) raw shares, at least one.
    Returns:
        (options,) shares, the nearest in Euclidean distance.
    Raises:
        InvalidCounts: there is no share, or one is not a finite number.
    Source: Held, Wolfe and Crowder 1974; "Norm-Sub" in Wang et al. 2020 (NDSS).
    """
    raw = read_floats(shares, "shares")
    if raw.ndim != 1 or raw.size == 0:
        raise InvalidCounts(
            f"got shares of shape {raw.shape}; allowed is a list of at least one finite share"
        )
    # Shares that stay positive are the largest ones, for some number of them.
    # Taken from the largest share, the sums stay exact where shares are huge.
    below_top = np.sort(raw)[::-1] - raw.max()
    moves = (1 - np.cumsum(below_top)) / np.arange(1, raw.size + 1)
    # The first move is 1, so at least one share stays positive.
    kept = int(np.flatnonzero(below_top + moves > 0)[-1])
    return np.asarray(np.maximum(raw - raw.max() + moves[kept], 0.0))
