"""Whole numbers of respondents, from shares."""

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import is_whole, shown
from deniable_analysis.errors import InvalidCounts
from deniable_analysis.estimators.projection import project_to_simplex


def valid_counts(shares: ArrayLike, report_count: int) -> tuple[int, ...]:
    """Whole numbers that sum to the reports, as near to the shares as can be.

    The shares are projected first; each is then rounded down, and those with
    the largest remainders get one more (the earlier of equal ones). Like the
    projection they are for display only.

    Args:
        shares: (cells,) raw shares.
        report_count: what the whole numbers sum to, 0 or more.
    Raises:
        InvalidCounts: there is no share, one is not a finite number, or the
            reports are no whole number.
    Source: Hamilton's method of largest remainders.
    """
    if not is_whole(report_count, 0):
        raise InvalidCounts(
            f"got {shown(report_count)} reports to share out; allowed is a whole number from 0"
        )
    exact = project_to_simplex(shares) * report_count
    counts = np.floor(exact).astype(int)
    missing = report_count - int(counts.sum())
    order = np.argsort(counts - exact, kind="stable")
    counts[order[:missing]] += 1
    return tuple(counts.tolist())
