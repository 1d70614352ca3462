"""Whole numbers of respondents, from shares."""

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.estimators.projection import project_to_simplex


def valid_counts(shares: ArrayLike, report_count: int) -> tuple[int, ...]:
    """Whole numbers that sum to the reports, as near to the shares as can be.

    The shares are projected first; each is then rounded down, and those with
    the largest remainders get one more (the earlier of equal ones). Like the
    projection they are for show only.

    Args:
        shares: (cells,) raw shares.
        report_count: what the whole numbers sum to, 0 or more.
    Raises:
        InvalidCounts: there is no share, or one is not a finite number.
    Source: Hamilton's method of largest remainders.
    """
    exact = project_to_simplex(shares) * report_count
    counts = np.floor(exact).astype(int)
    missing = report_count - int(counts.sum())
    order = np.argsort(counts - exact, kind="stable")
    counts[order[:missing]] += 1
    return tuple(counts.tolist())
