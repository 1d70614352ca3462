"""Shares within a row of a crosstab: cells divided by the sum of their row."""

import math
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.relations.cells import Cells

# If the share of a row is within this many standard errors of 0, the delta method is inaccurate.
ROUGH = 3.0


@dataclass(frozen=True, slots=True)
class RowShares:
    """The shares of cells within one row.

    Args:
        shares: (columns,) raw shares, summing to 1.
        slopes: (cells, columns) derivatives of the shares by the cells of the
            table.
        standing: share of the row divided by its standard error.
    """

    shares: Floats
    slopes: Floats
    standing: float

    @property
    def is_rough(self) -> bool:
        """Whether the row is so small that normal intervals may be wrong."""
        return self.standing < ROUGH


def row_shares(cells: Cells, row: int, covariances: Floats | None = None) -> RowShares | None:
    """The shares within a row; None if the row's share is not above 0.

    Args:
        cells: cells of two questions.
        row: index of the first question's option.
        covariances: covariances of the cells, if already computed.
    Source: the delta method for a ratio of two sums of cells.
    """
    table = cells.table()
    total = float(table[row].sum())
    if total <= 0:
        return None
    shares = table[row] / total
    rows, columns = table.shape
    slopes = np.zeros((rows, columns, columns))
    slopes[row] = (np.eye(columns) - shares[None, :]) / total
    inside = np.zeros((rows, columns))
    inside[row] = 1
    known = cells.covariances() if covariances is None else covariances
    variance = float(inside.ravel() @ known @ inside.ravel())
    standing = total / math.sqrt(variance) if variance > 0 else 0.0
    return RowShares(shares, slopes.reshape(rows * columns, columns), standing)
