"""The crosstab of two questions, with its margins and shares within rows."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators.confidence import comparisons_among
from deniable_analysis.estimators.intervals import Interval, IntervalRule
from deniable_analysis.estimators.sanity import project_to_simplex
from deniable_analysis.estimators.shares import Numbers, normal_numbers
from deniable_analysis.forms import counted
from deniable_analysis.mechanisms.base import IntervalChoice
from deniable_analysis.mechanisms.linear import Ends, watched_ends
from deniable_analysis.relations.cells import SEPARATE, Cells, cells_of
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.crosstab import Crosstab
from deniable_analysis.results.shares import (
    CellEstimate,
    OptionEstimate,
    named_cells,
    named_options,
)

# With fewer reports, normal intervals of products of scores are inaccurate.
_FEW_REPORTS = 100
# If the share of a row is within this many standard errors of 0, the delta method is inaccurate.
ROUGH = 3.0


@dataclass(frozen=True, slots=True)
class RowShares:
    """The shares of cells within one row.

    Args:
        shares: (columns,) raw shares, summing to 1.
        slopes: (cells, columns) derivatives of the shares by the cells of the
            table.
        is_rough: whether the row is so small that normal intervals may be wrong.
    """

    shares: Floats
    slopes: Floats
    is_rough: bool


def row_shares(cells: Cells, row: int, covariances: Floats) -> RowShares | None:
    """The shares within a row, from the cells' covariances; None if it is not above 0.

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
    variance = float(inside.ravel() @ covariances @ inside.ravel())
    is_rough = variance <= 0 or total < ROUGH * math.sqrt(variance)
    return RowShares(shares, slopes.reshape(rows * columns, columns), is_rough)


def crosstab(study: ReportedSurvey, first: str, second: str, choice: IntervalChoice) -> Crosstab:
    """The shares of all combinations of the options of two questions.

    Errors are those of Study.crosstab.
    """
    cells = cells_of(study, first, second).of_population(choice.population)
    basis, rule = cells.basis, choice.among(comparisons_among(len(cells.membership.T)))
    merged = int(cells.membership[:, 0].sum())
    rows, columns = (_margin(cells, place, choice) for place in (0, 1))
    return Crosstab(
        questions=(first, second),
        design=cells.design,
        reports=basis.reports,
        epsilon=cells.epsilon,
        interval=basis.interval(merged, rule),
        cells=_named(cells, basis.numbers(cells.membership, rule)),
        rows=rows,
        columns=columns,
        within_rows=_named(cells, _within_rows(cells, choice)),
        warnings=tuple(_warnings(cells, choice)),
    )


def _named(cells: Cells, numbers: Sequence[Numbers]) -> tuple[CellEstimate, ...]:
    return named_cells(
        itertools.product(*(question.names for question in cells.questions)), numbers
    )


def _margin(cells: Cells, index: int, choice: IntervalChoice) -> tuple[OptionEstimate, ...]:
    names = cells.questions[index].names
    rule = choice.among(comparisons_among(len(names)))
    return named_options(names, cells.basis.numbers(cells.margin(index), rule))


def _within_rows(cells: Cells, choice: IntervalChoice) -> list[Numbers]:
    covariances = cells.covariances()
    table = cells.table()
    drawn = np.diag(table.ravel()) - np.outer(table.ravel(), table.ravel())
    sampling = drawn * cells.basis.cells.sampling_scale
    rule = choice.among(comparisons_among(table.shape[1]))
    found: list[Numbers] = []
    for row in range(table.shape[0]):
        part = row_shares(cells, row, covariances)
        if part is None:
            found += [{}] * table.shape[1]
            continue
        parts = _diagonal(part.slopes, covariances - sampling), _diagonal(part.slopes, sampling)
        ends = row_ends(cells, row, rule) if rule.interval is Interval.ANYTIME else None
        found += normal_numbers(
            part.shares, parts, cells.basis.reports, rule, project_to_simplex, ends=ends
        )
    return found


def row_ends(cells: Cells, row: int, rule: IntervalRule) -> Ends:
    """The ends for the shares within a row that hold at every look."""
    columns = cells.shape[1]
    inside = cells.membership[:, row * columns : (row + 1) * columns]
    return watched_ends(cells.basis.contributions, inside, rule, inside.sum(axis=1))


def _diagonal(slopes: Floats, covariances: Floats) -> Floats:
    return np.asarray(np.sum(slopes * (covariances @ slopes), axis=0))


def impossible_shares(cells: Cells) -> tuple[str, ...]:
    """A sentence for each cell and margin further outside 0 to 1 than chance explains."""
    names = [question.names for question in cells.questions]
    pairs = [", ".join(pair) for pair in itertools.product(*names)]
    among = len(pairs) + len(names[0]) + len(names[1])
    return (
        *cells.basis.warnings(pairs, cells.membership, among),
        *cells.basis.warnings(names[0], cells.margin(0), among),
        *cells.basis.warnings(names[1], cells.margin(1), among),
    )


def _warnings(cells: Cells, choice: IntervalChoice) -> list[str]:
    found = []
    is_normal = cells.design == SEPARATE and choice.interval is not Interval.ANYTIME
    if is_normal and cells.basis.reports < _FEW_REPORTS:
        found.append(
            f"both questions were asked of only {counted(cells.basis.reports, 'respondent')}; "
            f"with fewer than {_FEW_REPORTS} the normal intervals are rough"
        )
    found += impossible_shares(cells)
    covariances = cells.covariances()
    for index, name in enumerate(cells.questions[0].names):
        part = row_shares(cells, index, covariances)
        if part is None or part.is_rough:
            found.append(
                f"the share of {name!r} is hardly above 0 by the reports, so the shares within "
                "its row are not determined"
            )
    return found
