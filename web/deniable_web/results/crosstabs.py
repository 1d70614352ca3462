"""A crosstab as tables with shaded cells, with a test of independence in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from deniable_analysis.results import (
    CellEstimate,
    CrosstabEstimate,
    IndependenceTest,
    ShareEstimate,
)
from deniable_web.pages.numbers import LEAST_P, Numbers
from deniable_web.results.certainty import forged_points
from deniable_web.results.charts import Row
from deniable_web.results.estimate_charts import decimals_of, share_chart, shown_share
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels

# Shades of the cells, from none to the strongest; static/results/results.css has them.
SHADES = 8
# Below this p-value the page calls the answers associated.
_CLEAR, _VERY_CLEAR = 0.05, LEAST_P
# More columns than this do not fit beside each other.
MOST_COLUMNS = 8
# What the cells of a table are shares of, and of its table with rows and columns exchanged.
_OTHER = {"all": "all", "rows": "columns", "columns": "rows"}

# A cell: its share and the ends of its interval in words, and its shade.
Cell = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class CellsView:
    """One table of a crosstab.

    Args:
        of: what its cells are shares of: all, rows or columns.
        rows: for each row the options of all questions but the last, and its cells.
    """

    of: str
    rows: tuple[tuple[tuple[str, ...], tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True)
class CrosstabView:
    """A crosstab: its tables, the raw numbers of its cells, and its test.

    Args:
        found: the estimates.
        questions: the texts of its questions, that of the columns last.
        columns: the options of the last question.
        tables: its tables: of all, and if it has two questions, of rows and of columns.
        cells: the raw numbers of each cell.
        forged: by how many points made-up reports can change a share.
        test: the test; None if there is none.
        verdict: the key of the sentence on it: very_clear, clear or unclear.
    """

    found: CrosstabEstimate
    questions: tuple[str, ...]
    columns: tuple[str, ...]
    tables: tuple[CellsView, ...]
    cells: tuple[Row, ...]
    forged: str
    test: IndependenceTest | None
    verdict: str


def crosstab_view(
    found: CrosstabEstimate, findings: EditionFindings, labels: Labels
) -> CrosstabView:
    """The page's content for a crosstab with reports."""
    sides = [
        tuple(labels.option(each, name) for name in labels.find(each).names)
        for each in found.questions
    ]
    named = list(zip(map(" · ".join, product(*sides)), found.cells, strict=True))
    questions = tuple(map(labels.question, found.questions))
    tables = {"all": found.cells, **findings.within.get(found.block, {})}
    # Wide tables are shorter, so the question with more options is that of the columns.
    if len(sides) == 2 and len(sides[1]) < len(sides[0]) <= MOST_COLUMNS:
        tables = {_OTHER[of]: _turned(cells, len(sides[1])) for of, cells in tables.items()}
        questions, sides = questions[::-1], sides[::-1]
    *others, columns = sides
    names = tuple(product(*others))
    test = findings.tests.get(found.block)
    return CrosstabView(
        found=found,
        questions=questions,
        columns=columns,
        tables=tuple(
            CellsView(of, _rows(names, tables[of], labels.numbers))
            for of in _OTHER
            if of in tables
        ),
        cells=share_chart(named, labels.numbers).rows,
        forged=forged_points(found.cells, labels.numbers),
        test=test,
        verdict="" if test is None else _verdict(test.p_value),
    )


def _turned(cells: Sequence[CellEstimate], width: int) -> list[CellEstimate]:
    """The cells of a table with rows and columns exchanged."""
    return [each for column in range(width) for each in cells[column::width]]


def _rows(
    names: Sequence[tuple[str, ...]], found: Sequence[CellEstimate], numbers: Numbers
) -> tuple[tuple[tuple[str, ...], tuple[Cell, ...]], ...]:
    width, decimals = len(found) // len(names), decimals_of(found)
    darkest = max(shown_share(each) or 0.0 for each in found) or 1.0
    cells = [_cell(each, decimals, darkest, numbers) for each in found]
    return tuple(
        (row, tuple(cells[index * width : (index + 1) * width])) for index, row in enumerate(names)
    )


def _cell(found: ShareEstimate, decimals: int, darkest: float, numbers: Numbers) -> Cell:
    share = shown_share(found)
    ends = numbers.between(found.low, found.high, decimals)
    shade = round((SHADES - 1) * (share or 0.0) / darkest)
    return (numbers.percent(share, decimals), *ends, shade)


def _verdict(p_value: float) -> str:
    if p_value < _VERY_CLEAR:
        return "very_clear"
    return "clear" if p_value < _CLEAR else "unclear"
