"""The model of a formula and observations; refuses a model that is not identified."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress, product
from typing import Any

import numpy as np

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.estimate.ratio import quotients
from deniable_analysis.forms import named, pandas
from deniable_analysis.regression.channels import Reports, Variable
from deniable_analysis.regression.choices import Choices, Spread
from deniable_analysis.regression.formula import INTERCEPT, Formula, ModelMatrix, make_matrix
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.observations import Observations
from deniable_analysis.regression.outcome import (
    arranged,
    clear_with_references,
    read_outcome,
    with_default_coding,
)

# Values below this part of the largest one count as zero.
_RANK = 1e-10
_COLLINEAR = 1e-9
# If the smallest eigenvalue is above this, the slower, exact check is not needed.
_CLEARLY_NOT = 1e-6
# Value of the unknown parameters at which the derivatives are checked.
_ANYWHERE = 0.6180339887


def check_reports(reports: Reports) -> None:
    """Raise NotIdentified unless such reports identify the share of each answer."""
    channel, cells = reports.channel, reports.channel.constant.shape[1]
    if channel.scores is not None:
        # Unbiased indicators of the answers exist, so the shares are identified.
        return
    present = _present(reports)
    parameters = np.full(len(channel.unknown), _ANYWHERE)
    likelihoods = channel.likelihoods(parameters)[present]
    # With very many possible reports, each is rare under every answer: only the ratios of its
    # probabilities matter.
    largest = likelihoods.max(axis=1, keepdims=True)
    sizes = np.where(largest > 0, largest, 1.0)
    relative = likelihoods / sizes
    shares = np.arange(1.0, cells + 1) / (cells * (cells + 1) / 2)
    slopes = (channel.slopes[:, present] @ shares).T / sizes
    moved = [relative[:, 1:] - relative[:, :1], slopes]
    values = np.linalg.svd(np.concatenate(moved, axis=1), compute_uv=False)
    wanted = cells - 1 + len(channel.unknown)
    if int(np.sum(values > _RANK * values.max(initial=0.0))) < wanted:
        raise NotIdentified(_why(reports, relative, cells))


def _present(reports: Reports) -> Indexes:
    """The indexes of all possible outputs of the groups that occur in these rows."""
    seen = np.unique(reports.codes)
    groups = reports.channel.groups
    if groups is None:
        return np.arange(len(reports.channel.constant))
    return np.concatenate([each for each in groups if np.isin(each, seen).any()])


def _why(reports: Reports, relative: Floats, cells: int) -> str:
    name, unknown = reports.name, reports.channel.unknown
    all_groups = len(reports.channel.groups or ())
    if unknown and len(relative) < len(reports.channel.constant):
        return (
            f"{name}: not all of the {all_groups} groups of its design are present, and only "
            f"together do they reveal {', '.join(unknown)}; include the rows of all groups, or "
            "use a design with known values"
        )
    different = len(np.unique(relative.round(12), axis=0))
    if different < cells:
        return (
            f"{name}: its reports have {different} possible values, which cannot distinguish "
            f"{cells} answers, however many reports there are (one bit, say, estimates a mean "
            "and no more); use it as the outcome of a linear regression, or ask it by another "
            "mechanism"
        )
    return (
        f"{name}: its design gives the same reports for different shares of its {cells} answers, "
        "so these cannot be distinguished; check the design's probabilities"
    )


def check_collinearity(matrix: Floats, terms: tuple[str, ...]) -> None:
    """Raise NotIdentified if a column of a matrix is a linear combination of the others."""
    lengths = np.sqrt((matrix**2).sum(axis=0))
    empty = list(compress(terms, lengths == 0))
    scaled = quotients(matrix, lengths)
    if not empty and np.linalg.eigvalsh(scaled.T @ scaled)[0] > _CLEARLY_NOT:
        return
    # In the order of the formula: a later column is a combination of earlier ones.
    diagonal = np.abs(np.diag(np.linalg.qr(scaled, mode="r")))
    diagonal = np.pad(diagonal, (0, len(terms) - len(diagonal)))
    found = list(dict.fromkeys([*empty, *compress(terms, diagonal < _COLLINEAR)]))
    if found:
        instead = "leave it out"
        if found[0].startswith(_SPLINES):
            instead = "add constraints='center' in the brackets, or begin the formula with 0 +"
        raise NotIdentified(
            f"formula: {named(found)}: the other terms determine it in all rows, or it is 0 "
            f"there, so there is no coefficient; {instead}"
        )


# With more joint answers or coefficients than this, a regression takes too long.
MOST_CELLS = 1024
MOST_TERMS = 200
# Splines whose columns sum to 1, as the intercept does.
_SPLINES = ("cc(", "cr(", "cs(")


@dataclass(frozen=True, slots=True, eq=False)
class Assembly:
    """A model, and the parts that predictions and tests need.

    Args:
        formula: formula of the regression.
        model: model of the different rows.
        seen: these rows.
        link: link of the outcome.
        hidden: randomized predictors.
        matrix: matrix of the formula, for every hidden answer of every row.
        spread: matrix of the terms without randomized columns, which the
            distribution of the hidden answers depends on; None if it is the
            same in all rows.
    """

    formula: Formula
    model: Model
    seen: Observations
    link: str
    hidden: tuple[Variable, ...]
    matrix: ModelMatrix
    spread: ModelMatrix | None


def assemble(formula: Formula, seen: Observations, choices: Choices) -> Assembly:
    """The model of these rows.

    Raises:
        InvalidArgument: a term cannot be computed; a choice does not fit the data.
        NotIdentified: the reports do not identify the coefficients.
    """
    seen, hidden, matrix = read_matrix(formula, seen, _hidden)
    known, counts = seen.reports_of, seen.counts * seen.weights
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


def read_matrix(
    formula: Formula, seen: Observations, coded: Callable[[Variable], Variable]
) -> tuple[Observations, tuple[Variable, ...], ModelMatrix]:
    """The rows with reference categories, their hidden predictors, and the formula's matrix.

    `coded` gives a hidden predictor the form that the method needs.

    Raises:
        InvalidArgument: the hidden predictors have more than 1,024 joint
            answers, or there are more than 200 coefficients.
    """
    seen = clear_with_references(formula, seen)
    known, counts = seen.reports_of, seen.counts * seen.weights
    hidden = tuple(
        coded(with_default_coding(formula, name, known[name], counts))
        for name in formula.variables
        if name in known
    )
    cells = math.prod(len(variable.levels) for variable in hidden)
    if cells > MOST_CELLS:
        raise InvalidArgument(
            f"the randomized predictors have {cells} joint answers; allowed are {MOST_CELLS}: "
            "name fewer of them, or merge their categories"
        )
    _check_size(_least_terms(formula, seen, hidden))
    matrix = make_matrix(formula, stacked(seen.clear, hidden))
    _check_size(len(matrix.terms))
    if matrix.is_of_all_rows and len(seen.counts) < len(seen.row_of):
        return read_matrix(formula, seen.ungrouped(), coded)
    return seen, hidden, matrix


def _least_terms(formula: Formula, seen: Observations, hidden: Sequence[Variable]) -> int:
    """A number of coefficients that the formula has at least, known before they are computed."""
    kinds = {each.name: len(each.levels) - 1 for each in hidden if each.numbers is None}
    for name in set(formula.variables) & set(seen.clear.columns):
        column = seen.clear[name]
        if formula.makes_categories_of(name) or not _is_numeric(column):
            kinds[name] = max(1, column.nunique() - 1)
    return sum(
        math.prod(kinds.get(name, 1) for name in names) for names in formula.columns_of_terms()
    )


def _is_numeric(column: Any) -> bool:
    return bool(pandas().api.types.is_numeric_dtype(column.dtype))


def _check_size(terms: int) -> None:
    if terms > MOST_TERMS:
        raise InvalidArgument(
            f"the formula has at least {terms:,} coefficients; allowed are {MOST_TERMS}, as a "
            "regression with more takes very long: merge categories, or leave terms out"
        )


def stacked(clear: Any, hidden: Sequence[Variable]) -> Any:
    """Every row of a table with every joint answer to the hidden questions.

    The answer to the last question varies fastest, the rows slowest.
    """
    if not hidden:
        return clear
    pd = pandas()
    sizes = [len(variable.levels) for variable in hidden]
    cells, rows = math.prod(sizes), len(clear)
    table = clear.iloc[np.repeat(np.arange(rows), cells)].reset_index(drop=True)
    indexes = np.indices(sizes).reshape(len(sizes), -1)
    for variable, each in zip(hidden, indexes, strict=True):
        codes = np.tile(each, rows)
        table[variable.name] = (
            pd.Categorical.from_codes(codes, categories=list(variable.levels))
            if variable.numbers is None
            else np.asarray(variable.numbers)[codes]
        )
    return table


def cell_names(hidden: Sequence[Variable]) -> list[str]:
    """The names of the joint answers to the hidden questions."""
    levels = [[f"{each.name}={level}" for level in each.levels] for each in hidden]
    return [", ".join(cell) for cell in product(*levels)]


def _hidden(variable: Variable) -> Variable:
    """The same predictor, if it is a number for everybody or has categories."""
    if variable.numbers is not None and not np.isfinite(variable.numbers).all():
        raise InvalidArgument(
            f"{variable.name} is a number for those who answered, and nothing for others; allowed "
            f"is C({variable.name}), with 'no_answer' as one of its categories"
        )
    return variable


def _spread(
    formula: Formula, clear: Any, hidden: Sequence[Variable], choices: Choices
) -> ModelMatrix | None:
    """The predictors of the hidden answers' distribution; None if there are none."""
    if not hidden or choices.predictors == Spread.SATURATED:
        return None
    others = formula.without([variable.name for variable in hidden])
    if not others.variables:
        return None
    made = make_matrix(others, clear)
    check_collinearity(made.values, made.terms)
    return made
