"""From a formula and observations to the model whose likelihood is maximized."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidFormula, InvalidRegression
from deniable_analysis.regression.channels import Reports, Variable
from deniable_analysis.regression.choices import Choices, Spread
from deniable_analysis.regression.formula import INTERCEPT, Formula, Matrix, make_matrix
from deniable_analysis.regression.identification import (
    check_collinearity,
    check_reports,
)
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.observations import Observations
from deniable_analysis.regression.outcome import arranged, read_outcome
from deniable_analysis.regression.reference import clear_with_references, with_default_coding
from deniable_analysis.results.frames import pandas

# More hidden answers than this take longer than anybody waits.
MOST_CELLS = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Assembly:
    """A model, and what is needed to look at it in other ways.

    Args:
        formula: read.
        model: of the different rows.
        seen: these rows.
        link: of the outcome.
        hidden: the randomized predictors.
        matrix: of the formula, with every hidden answer of every row.
        spread: of the terms that name no randomized column; None where the
            hidden answers are spread alike in all rows.
    """

    formula: Formula
    model: Model
    seen: Observations
    link: str
    hidden: tuple[Variable, ...]
    matrix: Matrix
    spread: Matrix | None


def assemble(formula: Formula, seen: Observations, choices: Choices) -> Assembly:
    """The model of these rows.

    Raises:
        InvalidFormula: a term cannot be computed.
        InvalidRegression: a choice does not fit the data.
        NotIdentified: the reports do not identify the coefficients.
    """
    seen = clear_with_references(formula, seen)
    known, counts = seen.reports_of, seen.counts * seen.weights
    hidden = tuple(
        _hidden(formula, name, known[name], counts) for name in formula.variables if name in known
    )
    check_cells(hidden)
    matrix = make_matrix(formula, stacked(seen.clear, hidden))
    if matrix.is_of_all_rows and len(seen.counts) < len(seen.places):
        return assemble(formula, seen.ungrouped(), choices)
    column = None if formula.outcome in known else seen.clear[formula.outcome]
    outcome = read_outcome(formula.outcome, column, known.get(formula.outcome), counts, choices)
    wanted = {variable.name: variable for variable in hidden}
    if outcome.variable:
        wanted[formula.outcome] = outcome.variable
    reports = [arranged(each, wanted) for each in seen.reports]
    for each in reports:
        check_reports(each)
    spread = _spread(formula, seen.clear, hidden, choices)
    cells = tuple(cell_names(hidden))
    cube = matrix.values.reshape(-1, len(cells), len(matrix.terms))
    predictors = outcome.outcome.designs(cube, matrix.terms)
    check_collinearity(matrix.values, matrix.terms)
    rows = len(seen.counts)
    model = Model(
        outcome=outcome.outcome,
        predictors=predictors,
        spread=spread.values if spread else np.ones((rows, 1)),
        spread_names=spread.terms if spread else (INTERCEPT,),
        reports=(*reports, *([outcome.reports] if outcome.reports else [])),
        axes=(
            *([formula.outcome] if outcome.variable else []),
            *(variable.name for variable in hidden),
        ),
        cells=cells,
        counts=counts,
    )
    return Assembly(formula, model, seen, outcome.link, hidden, matrix, spread)


def stacked(clear: Any, hidden: Sequence[Variable]) -> Any:
    """Every row of a table with every joint answer to the hidden questions.

    The last of these varies fastest, the rows slowest.
    """
    if not hidden:
        return clear
    pd = pandas()
    sizes = [len(variable.levels) for variable in hidden]
    cells, rows = math.prod(sizes), len(clear)
    table = clear.iloc[np.repeat(np.arange(rows), cells)].reset_index(drop=True)
    places = np.indices(sizes).reshape(len(sizes), -1)
    for variable, each in zip(hidden, places, strict=True):
        codes = np.tile(each, rows)
        table[variable.name] = (
            pd.Categorical.from_codes(codes, categories=list(variable.levels))
            if variable.numbers is None
            else np.asarray(variable.numbers)[codes]
        )
    return table


def check_cells(hidden: Sequence[Variable]) -> None:
    """Raise InvalidRegression if the hidden questions have too many joint answers.

    Raises:
        InvalidRegression: they are not.
    """
    cells = math.prod(len(variable.levels) for variable in hidden)
    if cells > MOST_CELLS:
        raise InvalidRegression(
            f"the randomized predictors have {cells} joint answers; allowed are {MOST_CELLS}: "
            "name fewer of them, or merge their categories"
        )


def cell_names(hidden: Sequence[Variable]) -> list[str]:
    """The names of the joint answers to the hidden questions."""
    levels = [[f"{each.name}={level}" for level in each.levels] for each in hidden]
    return [", ".join(cell) for cell in product(*levels)]


def _hidden(formula: Formula, name: str, reports: Reports, counts: Floats) -> Variable:
    """A predictor as the formula uses it: numbers or categories."""
    variable = with_default_coding(formula, name, reports, counts)
    if variable.numbers is not None and not np.isfinite(variable.numbers).all():
        raise InvalidFormula(
            f"{variable.name} is a number for those who answered, and nothing for others; allowed "
            f"is C({variable.name}), with 'no_answer' as one of its categories"
        )
    return variable


def _spread(
    formula: Formula, clear: Any, hidden: Sequence[Variable], choices: Choices
) -> Matrix | None:
    """What the spread of the hidden answers depends on; None if on nothing."""
    if not hidden or choices.predictors == Spread.SATURATED.value:
        return None
    others = formula.without([variable.name for variable in hidden])
    if not others.variables:
        return None
    made = make_matrix(others, clear)
    check_collinearity(made.values, made.terms)
    return made
