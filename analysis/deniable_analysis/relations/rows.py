"""The shares of a question's answers within one row of a crosstab.

The rows are randomized answers, too: nobody's row is known. So a share is a cell divided by the
row. Its interval always exists, as in score_ratio.
"""

from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.choice import IntervalRule, critical_value
from deniable_analysis.estimate.linear import Ends, anytime_cell_ends
from deniable_analysis.estimate.ratio import Ratio, possible_whole, score_ratio
from deniable_analysis.relations.cells import Cells


@dataclass(frozen=True, slots=True)
class RowShares:
    """The shares of some columns within one row.

    Args:
        shares: (columns,) raw shares, summing to 1; within 0 to 1 if the row may be empty.
        ends: (columns,) lower and upper ends of their intervals.
        sums: (columns,) raw shares of the cells among all.
        inside: (cells of the table,) 1 where a cell is in these columns of the row.
        parts: (cells of the table, columns) 1 where a cell is in the row and the column.
        is_known: whether the reports show that the row is not empty. Otherwise the shares
            have no variances.
    """

    shares: Floats
    ends: Ends
    sums: Floats
    inside: Floats
    parts: Floats
    is_known: bool

    @property
    def whole(self) -> float:
        """The raw share of the row among all, in these columns."""
        return float(self.sums.sum())

    def slopes(self, shares: Floats) -> Floats:
        """(cells, columns) derivatives of the shares, times the row, where they are these."""
        return self.parts - np.outer(self.inside, shares)

    @property
    def errors(self) -> Floats:
        """(cells, columns) derivatives of the shares by the cells: the delta method."""
        return self.slopes(self.shares) / self.whole


def row_shares(cells: Cells, row: int, columns: int, rule: IntervalRule) -> RowShares:
    """The shares of the first columns within a row.

    Args:
        cells: table of two questions.
        row: index of the row.
        columns: number of columns that are divided by their sum.
        rule: intervals; those for one look invert score tests.
    """
    height, width = cells.shape
    cube = np.zeros((height, width, columns))
    cube[row, :columns] = np.eye(columns)
    parts = cube.reshape(height * width, columns)
    inside = parts.sum(axis=1)
    table = cells.table().ravel()
    sums = parts.T @ table
    reach = critical_value(rule.confidence, rule.comparisons)
    ratios = [_ratio(cells, (inside, part), reach) for part in parts.T]
    is_known = all(each.is_bounded for each in ratios)
    shares = sums / sums.sum() if is_known else np.array([each.value for each in ratios])
    if rule.interval is Interval.ANYTIME:
        ends = anytime_cell_ends(
            cells.basis.contributions,
            cells.membership @ parts,
            rule,
            cells.membership @ inside,
        )
    else:
        low, high = np.array([[each.low, each.high] for each in ratios]).T
        ends = low, high
    return RowShares(shares, ends, sums, inside, parts, is_known)


def _ratio(cells: Cells, groups: tuple[Floats, Floats], reach: float) -> Ratio:
    """A part of a row divided by the row."""
    inside, part = groups
    table = cells.table().ravel()
    whole = float(inside @ table)
    near = possible_whole(whole, cells.basis.reports, reach)
    membership = cells.membership @ np.column_stack([part, inside - part, 1 - inside])

    def variance_if(ratio: float) -> float:
        tested = np.array([ratio * near, (1 - ratio) * near, 1 - near])
        slopes = np.array([1 - ratio, -ratio, 0.0])
        return float(slopes @ cells.basis.shares_if(membership, tested).covariances @ slopes)

    return score_ratio((whole, float(part @ table)), variance_if, reach)


def variances_of(slopes: Floats, covariances: Floats) -> Floats:
    """(columns,) variances of sums of cells, from (cells, columns) weights."""
    return np.asarray(np.sum(slopes * (covariances @ slopes), axis=0))
