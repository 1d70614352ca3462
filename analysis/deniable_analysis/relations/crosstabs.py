"""The crosstab of two questions, with its margins and shares within rows."""

import itertools
from collections.abc import Sequence

import numpy as np

from deniable_analysis.defaults import Interval
from deniable_analysis.estimate.choice import DEFAULT_RULE, IntervalChoice, comparisons_among
from deniable_analysis.estimate.tallies import Numbers, normal_numbers
from deniable_analysis.relations.cells import SEPARATE, Cells, cells_of
from deniable_analysis.relations.rows import RowShares, row_shares, variances_of
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.answers import row_names
from deniable_analysis.results.crosstab import Crosstab
from deniable_analysis.results.shares import (
    CellEstimate,
    OptionEstimate,
    named_cells,
    named_options,
)
from deniable_analysis.results.valid import project_to_simplex
from deniable_sdk.wording import counted

# With fewer reports, normal intervals of products of scores are inaccurate.
_FEW_REPORTS = 100


def crosstab(study: ReportedSurvey, first: str, second: str, choice: IntervalChoice) -> Crosstab:
    """The shares of all combinations of the options of two questions.

    Errors are those of Study.crosstab.
    """
    cells = cells_of(study, first, second).of_population(choice.population)
    basis, rule = cells.basis, choice.among(comparisons_among(len(cells.membership.T)))
    rows, columns = (_margin(cells, place, choice) for place in (0, 1))
    height, width = cells.shape
    among = choice.among(comparisons_among(width))
    within = [row_shares(cells, row, width, among) for row in range(height)]
    return Crosstab(
        questions=(first, second),
        design=cells.design,
        reports=basis.reports,
        epsilon=cells.epsilon,
        interval=basis.interval(cells.membership, rule),
        cells=_named(cells, basis.numbers(cells.membership, rule)),
        rows=rows,
        columns=columns,
        within_rows=_named(cells, _within_rows(cells, within)),
        warnings=tuple(_warnings(cells, choice, within)),
    )


def _named(cells: Cells, numbers: Sequence[Numbers]) -> tuple[CellEstimate, ...]:
    return named_cells(itertools.product(*map(row_names, cells.questions)), numbers)


def _margin(cells: Cells, index: int, choice: IntervalChoice) -> tuple[OptionEstimate, ...]:
    names = row_names(cells.questions[index])
    rule = choice.among(comparisons_among(len(names)))
    return named_options(names, cells.basis.numbers(cells.margin(index), rule))


def _within_rows(cells: Cells, rows: Sequence[RowShares]) -> list[Numbers]:
    covariances = cells.covariances()
    table = cells.table()
    drawn = np.diag(table.ravel()) - np.outer(table.ravel(), table.ravel())
    sampling = drawn * cells.basis.cells.sampling_scale
    found: list[Numbers] = []
    for row in rows:
        none = np.full(len(row.shares), np.nan)
        parts = none, none
        if row.is_known:
            slopes = row.errors
            parts = variances_of(slopes, covariances - sampling), variances_of(slopes, sampling)
        found += normal_numbers(
            row.shares, parts, cells.basis.reports, DEFAULT_RULE, project_to_simplex, ends=row.ends
        )
    return found


def impossible_shares(cells: Cells) -> tuple[str, ...]:
    """A sentence for each cell and margin further outside 0 to 1 than chance explains."""
    names = [row_names(question) for question in cells.questions]
    pairs = [", ".join(pair) for pair in itertools.product(*names)]
    among = len(pairs) + len(names[0]) + len(names[1])
    return (
        *cells.basis.warnings(pairs, cells.membership, among),
        *cells.basis.warnings(names[0], cells.margin(0), among),
        *cells.basis.warnings(names[1], cells.margin(1), among),
    )


def _warnings(cells: Cells, choice: IntervalChoice, rows: Sequence[RowShares]) -> list[str]:
    found = []
    is_normal = cells.design == SEPARATE and choice.interval is not Interval.ANYTIME
    if is_normal and cells.basis.reports < _FEW_REPORTS:
        found.append(
            f"both questions were asked of only {counted(cells.basis.reports, 'respondent')}; "
            f"with fewer than {_FEW_REPORTS} the normal intervals are rough"
        )
    found += impossible_shares(cells)
    named = zip(row_names(cells.questions[0]), rows, strict=True)
    return [*found, *(empty_row(name) for name, row in named if not row.is_known)]


def empty_row(name: str) -> str:
    """The sentence on a row that the reports leave possible to be empty."""
    return (
        f"by the reports nobody may have answered {name!r}, so intervals of shares among those "
        "who did are up to 0 to 1"
    )
