"""The nearest valid shares to raw ones that are outside 0 to 1; for display."""

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import is_whole, read_floats, shown
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument


def project_to_simplex(shares: ArrayLike) -> Floats:
    """The nearest shares that are not negative and sum to 1.

    They are for tables and charts only. They are biased, so intervals and tests
    must not start from them. Every share is moved by the same amount, and
    shares that would become negative are set to 0; exactly one amount makes the
    sum 1.

    Args:
        shares: (options,) raw shares, at least one.
    Returns:
        (options,) shares, the nearest in Euclidean distance.
    Raises:
        InvalidArgument: there is no share, or one is not a finite number.
    Source: Held, Wolfe and Crowder 1974; "Norm-Sub" in Wang et al. 2020 (NDSS).
    """
    raw = read_floats(shares, "shares")
    if raw.ndim != 1 or raw.size == 0:
        raise InvalidArgument(
            f"got shares of shape {raw.shape}; allowed is a list of at least one finite share"
        )
    # The shares that stay positive are the largest ones, for some number of
    # them. Sums of differences from the largest share stay exact if shares are
    # huge.
    below_top = np.sort(raw)[::-1] - raw.max()
    moves = (1 - np.cumsum(below_top)) / np.arange(1, raw.size + 1)
    # The first move is 1, so at least one share stays positive.
    kept = int(np.flatnonzero(below_top + moves > 0)[-1])
    return np.asarray(np.maximum(raw - raw.max() + moves[kept], 0.0))


def clip(shares: Floats) -> Floats:
    """Each share clipped to 0 to 1, for shares that need not sum to 1; for display only."""
    return np.clip(shares, 0.0, 1.0)


def valid_counts(shares: ArrayLike, report_count: int) -> tuple[int, ...]:
    """Whole numbers of respondents that are nearest to the shares.

    The shares are first projected to the simplex. Each number is then rounded
    down, and the largest remainders are rounded up instead until the sum is
    right (the earlier of two equal remainders first). Like the projection, the
    numbers are for display only.

    Args:
        shares: (cells,) raw shares.
        report_count: sum of the whole numbers, 0 or more.
    Raises:
        InvalidArgument: there is no share, one is not a finite number, or
            report_count is not a whole number.
    Source: Hamilton's method of largest remainders.
    """
    if not is_whole(report_count, 0):
        raise InvalidArgument(
            f"got {shown(report_count)} reports to distribute; allowed is a whole number from 0"
        )
    exact = project_to_simplex(shares) * report_count
    counts = np.floor(exact).astype(int)
    missing = report_count - int(counts.sum())
    order = np.argsort(counts - exact, kind="stable")
    counts[order[:missing]] += 1
    return tuple(counts.tolist())
