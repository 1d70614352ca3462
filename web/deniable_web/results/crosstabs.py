"""A crosstab as a heat map, with a test of independence in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from deniable_analysis import CrosstabEstimate, IndependenceTest
from deniable_analysis.results import CellEstimate
from deniable_web.results.labels import Labels
from deniable_web.results.numbers import Numbers
from deniable_web.results.shares import ShareRow, share_chart

# Shades of the heat map, from none to the strongest; static/results/results.css has them.
SHADES = 8
# Below this p-value the page calls the answers associated.
_CLEAR, _VERY_CLEAR = 0.05, 0.001


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its valid share in words, and its shade."""

    share: str
    shade: int


@dataclass(frozen=True, slots=True)
class HeatRow:
    """Options of all questions except the last, and a cell for each option of the last."""

    names: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class IndependenceView:
    """A test of independence: its result in words, and its numbers.

    Args:
        verdict: the key of the sentence: very_clear, clear or unclear.
        p_value: the p-value in words; "<0.001" if it is smaller.
        statistic: the chi-squared statistic.
        freedom: its degrees of freedom.
    """

    verdict: str
    p_value: str
    statistic: str
    freedom: str


@dataclass(frozen=True, slots=True)
class CrosstabView:
    """A crosstab: its heat map, the numbers of its cells, and its test.

    Args:
        block: the id of its block.
        questions: the texts of its questions.
        columns: the options of the last question.
        heat: the rows of the heat map.
        rows: the numbers of each cell.
        test: the test; None if there is none.
        warnings: the warnings about its reports, in English.
    """

    block: str
    questions: tuple[str, ...]
    columns: tuple[str, ...]
    heat: tuple[HeatRow, ...]
    rows: tuple[ShareRow, ...]
    test: IndependenceView | None
    warnings: tuple[str, ...]


def crosstab_view(
    found: CrosstabEstimate, test: IndependenceTest | None, labels: Labels, numbers: Numbers
) -> CrosstabView:
    """The page's content for a crosstab with reports."""
    sides = [
        tuple(labels.option(each, name) for name in labels.find(each).names)
        for each in found.questions
    ]
    *others, columns = sides
    named = list(zip(map(" · ".join, product(*sides)), found.cells, strict=True))
    return CrosstabView(
        block=found.block,
        questions=tuple(map(labels.question, found.questions)),
        columns=columns,
        heat=_heat(list(product(*others)), len(columns), found.cells, numbers),
        rows=share_chart(named, numbers, is_mirrored=False).rows,
        test=None if test is None else independence_view(test, numbers),
        warnings=found.warnings,
    )


def independence_view(test: IndependenceTest, numbers: Numbers) -> IndependenceView:
    """A test in words."""
    is_clear, is_very_clear = test.p_value < _CLEAR, test.p_value < _VERY_CLEAR
    return IndependenceView(
        verdict="very_clear" if is_very_clear else "clear" if is_clear else "unclear",
        p_value=p_value(test.p_value, numbers),
        statistic=numbers.decimal(test.statistic, 1),
        freedom=numbers.count(test.degrees_of_freedom),
    )


def p_value(value: float, numbers: Numbers) -> str:
    """A p-value with three decimals, or "<0.001"."""
    if value < _VERY_CLEAR:
        return numbers.below(_VERY_CLEAR, 3)
    return numbers.decimal(value, 3)


def _heat(
    names: Sequence[tuple[str, ...]], width: int, cells: Sequence[CellEstimate], numbers: Numbers
) -> tuple[HeatRow, ...]:
    shares = [cell.valid_share or 0.0 for cell in cells]
    darkest = max(shares) or 1.0
    shown = [
        Cell(numbers.percent(share), round((SHADES - 1) * share / darkest)) for share in shares
    ]
    return tuple(
        HeatRow(name, tuple(shown[index * width : (index + 1) * width]))
        for index, name in enumerate(names)
    )
