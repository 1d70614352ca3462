"""A crosstab as a heat map, with a test of independence in words."""

from dataclasses import dataclass
from itertools import product

from deniable_analysis import CrosstabEstimate, IndependenceTest
from deniable_web.results.labels import Labels
from deniable_web.results.numbers import LEAST_P
from deniable_web.results.shares import EstimateRow, share_chart

# Shades of the heat map, from none to the strongest; static/results/results.css has them.
SHADES = 8
# Below this p-value the page calls the answers associated.
_CLEAR, _VERY_CLEAR = 0.05, LEAST_P


@dataclass(frozen=True, slots=True)
class CrosstabView:
    """A crosstab: its heat map, the numbers of its cells, and its test.

    Args:
        found: the estimates.
        questions: the texts of its questions.
        columns: the options of the last question.
        heat: for each row of the heat map, the options of all other questions, and for each
            option of the last one the valid share in words and its shade.
        rows: the numbers of each cell.
        test: the test; None if there is none.
        verdict: the key of the sentence on it: very_clear, clear or unclear.
    """

    found: CrosstabEstimate
    questions: tuple[str, ...]
    columns: tuple[str, ...]
    heat: tuple[tuple[tuple[str, ...], tuple[tuple[str, int], ...]], ...]
    rows: tuple[EstimateRow, ...]
    test: IndependenceTest | None
    verdict: str


def crosstab_view(
    found: CrosstabEstimate, test: IndependenceTest | None, labels: Labels
) -> CrosstabView:
    """The page's content for a crosstab with reports."""
    sides = [
        tuple(labels.option(each, name) for name in labels.find(each).names)
        for each in found.questions
    ]
    *others, columns = sides
    named = list(zip(map(" · ".join, product(*sides)), found.cells, strict=True))
    shares = [cell.valid_share or 0.0 for cell in found.cells]
    darkest = max(shares) or 1.0
    cells = [
        (labels.numbers.percent(share), round((SHADES - 1) * share / darkest)) for share in shares
    ]
    width = len(columns)
    return CrosstabView(
        found=found,
        questions=tuple(map(labels.question, found.questions)),
        columns=columns,
        heat=tuple(
            (names, tuple(cells[index * width : (index + 1) * width]))
            for index, names in enumerate(product(*others))
        ),
        rows=share_chart(named, labels.numbers).rows,
        test=test,
        verdict="" if test is None else _verdict(test.p_value),
    )


def _verdict(p_value: float) -> str:
    if p_value < _VERY_CLEAR:
        return "very_clear"
    return "clear" if p_value < _CLEAR else "unclear"
