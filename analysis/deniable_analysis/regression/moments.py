"""Linear regression of randomized numbers: unbiased moments, then least squares.

Every sum of squares and products in least squares is replaced by an unbiased
estimate of the same sum of the true answers.
"""

import math
from dataclasses import replace
from functools import reduce

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.estimate.ratio import quotients
from deniable_analysis.regression.assembly import (
    Assembly,
    cell_names,
    check_collinearity,
    read_matrix,
)
from deniable_analysis.regression.boundary import Soundness
from deniable_analysis.regression.channels import Reports, Variable
from deniable_analysis.regression.choices import (
    Choices,
    CoefficientInterval,
    FittingMethod,
    StandardErrors,
)
from deniable_analysis.regression.fit import Fit, score_scatter
from deniable_analysis.regression.formula import INTERCEPT, Formula, ModelMatrix
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.observations import Observations
from deniable_analysis.regression.outcome import is_number
from deniable_analysis.regression.outcomes import Normal

# An eigenvalue of the correlation matrix below it is noise around 0.
_NOISE = 1e-3


def wants_moments(formula: Formula, seen: Observations, choices: Choices) -> bool:
    """Whether the method is moments, chosen or by default."""
    if choices.method is not None:
        return choices.method == FittingMethod.MOMENTS
    known = seen.reports_of
    if formula.outcome in known:
        outcome = known[formula.outcome].variable(formula.outcome)
        is_many = outcome.numbers is not None and len(outcome.levels) > 2
        return choices.link == "identity" or (choices.link is None and is_many)
    if not is_number(seen.clear[formula.outcome], choices.link):
        return False
    hidden = [known[name].variable(name) for name in formula.variables if name in known]
    return any(
        each.numbers is not None
        and len(each.levels) > 2
        and not formula.makes_categories_of(each.name)
        for each in hidden
    )


def fit_moments(formula: Formula, seen: Observations, choices: Choices) -> tuple[Assembly, Fit]:
    """Least squares on unbiased moments, among those who answered.

    Raises:
        InvalidArgument: a choice does not fit, or a column does not contain
            numbers.
        NotIdentified: the reports do not identify the moments.
    """
    kind = _standard_errors(seen, choices)
    seen, hidden, matrix = read_matrix(formula, seen, _answered)
    check_collinearity(matrix.values, matrix.terms)
    scores = _scores(formula, seen, hidden)
    assembly = _assembly(formula, seen, hidden, matrix)
    cube = assembly.model.predictors[0].matrix
    found, covariance = _solve(cube, scores, seen, matrix.terms)
    return assembly, _fit(assembly, found, covariance, kind)


def _standard_errors(seen: Observations, choices: Choices) -> StandardErrors:
    fitting = StandardErrors.SANDWICH if seen.clusters is None else StandardErrors.CLUSTER
    if choices.link not in (None, "identity"):
        raise InvalidArgument(
            f"link: got {choices.link!r} for a regression by moments; allowed is identity, or "
            "method='likelihood'"
        )
    if choices.se not in (None, fitting.value):
        raise InvalidArgument(
            f"se: got {choices.se!r} for a regression by moments; allowed is {fitting.value!r}, "
            "because there is no likelihood"
        )
    if choices.interval == CoefficientInterval.PROFILE:
        raise InvalidArgument(
            "interval: got 'profile' for a regression by moments, which has no likelihood; "
            "allowed is wald"
        )
    return fitting


def _answered(variable: Variable) -> Variable:
    """The same predictor; if it is numeric, without answers that are not numbers."""
    if variable.numbers is None:
        return variable
    pairs = zip(variable.levels, variable.numbers, strict=True)
    kept = [(level, number) for level, number in pairs if math.isfinite(number)]
    levels, numbers = zip(*kept, strict=True)
    return Variable(variable.name, levels, numbers)


def _scores(formula: Formula, seen: Observations, hidden: tuple[Variable, ...]) -> Floats:
    """The (rows, 2, cells) unbiased scores of having answered and of the outcome.

    Each is multiplied by the indicator of a joint answer to the hidden
    questions.
    """
    axes = (formula.outcome, *(each.name for each in hidden))
    kept = {each.name: each for each in hidden}
    parts = [_of_reports(each, formula.outcome, kept, axes) for each in seen.reports]
    if formula.outcome not in seen.reports_of:
        column = seen.clear[formula.outcome]
        if not is_number(column, "identity"):
            raise InvalidArgument(
                f"the outcome {formula.outcome} is not a number, which moments need; allowed is "
                "method='likelihood', or another outcome"
            )
        numbers = np.asarray(column, dtype=np.float64)
        clear = np.stack([np.ones_like(numbers), numbers], axis=1)
        parts.append(clear.reshape(-1, 2, *([1] * len(hidden))))
    whole = reduce(np.multiply, parts)
    full = np.broadcast_to(whole, (len(whole), 2, *(len(each.levels) for each in hidden)))
    return full.reshape(len(whole), 2, -1)


def _of_reports(
    reports: Reports, outcome: str, kept: dict[str, Variable], axes: tuple[str, ...]
) -> Floats:
    """The scores of one kind of report, broadcast over all axes."""
    shown = {outcome: Variable(outcome, ("answered", "value")), **kept}
    variables = tuple(shown[each.name] for each in reports.variables)
    targets: Floats = np.ones((1, 1))
    for each in reports.variables:
        targets = np.asarray(np.kron(targets, _targets(each, outcome, kept)), dtype=np.float64)
    return replace(reports, variables=variables).spread(unbiased_scores(reports, targets), axes)


def _targets(variable: Variable, outcome: str, kept: dict[str, Variable]) -> Floats:
    """The (levels, targets) values of a variable that are scored."""
    if variable.name != outcome:
        wanted = kept[variable.name].levels
        return np.array([[level == each for each in wanted] for level in variable.levels], float)
    if variable.numbers is None:
        raise InvalidArgument(
            f"the outcome {outcome} has categories that are not numbers; allowed is link='logit' "
            "or 'ordered'"
        )
    numbers = np.array(variable.numbers)
    has_answered = np.isfinite(numbers)
    return np.stack([has_answered.astype(float), np.where(has_answered, numbers, 0.0)], axis=1)


def _solve(
    cube: Floats, scores: Floats, seen: Observations, terms: tuple[str, ...]
) -> tuple[Floats, Floats]:
    """The coefficients and their covariance (a sandwich)."""
    weights = seen.counts * seen.weights
    answered, valued = scores[:, 0], scores[:, 1]
    flat = cube.reshape(-1, cube.shape[2])
    products = flat.T @ (flat * (answered * weights[:, np.newaxis]).reshape(-1, 1))
    sums = flat.T @ (valued * weights[:, np.newaxis]).reshape(-1)
    lengths = np.sqrt(np.maximum(np.diag(products), 0.0))
    shown = np.where(lengths > 0, lengths, 1.0)
    scaled = products / shown / shown[:, np.newaxis]
    # Without randomization, only rounding makes an eigenvalue unreliable.
    noise = _NOISE if seen.reports else 0.0
    if not lengths.all() or np.linalg.eigvalsh(scaled)[0] < noise:
        raise NotIdentified(
            f"the randomization is too large for the spread of {', '.join(terms)} in "
            f"{round(float(seen.counts.sum()))} rows: their products cannot be distinguished "
            "from noise; name fewer predictors, or ask more respondents or with a larger epsilon"
        )
    found: Floats = np.asarray(np.linalg.solve(products, sums), dtype=np.float64)
    residuals = valued - answered * (cube @ found)
    rows = np.einsum("izp,iz->ip", cube, residuals)
    bread = np.linalg.inv(products)
    return found, bread @ score_scatter(rows, seen) @ bread


def _assembly(
    formula: Formula, seen: Observations, hidden: tuple[Variable, ...], matrix: ModelMatrix
) -> Assembly:
    cells = tuple(cell_names(hidden))
    rows = len(seen.counts)
    cube = matrix.values.reshape(rows, len(cells), -1)
    outcome = Normal(np.zeros(rows))
    model = Model(
        outcome=outcome,
        predictors=outcome.designs(cube, matrix.terms),
        spread=np.ones((rows, 1)),
        spread_names=(INTERCEPT,),
        reports=(),
        axes=(),
        cells=cells,
        counts=seen.counts * seen.weights,
    )
    return Assembly(formula, model, seen, "identity", hidden, matrix, None)


def _fit(assembly: Assembly, found: Floats, covariance: Floats, kind: StandardErrors) -> Fit:
    size, count = assembly.model.size, len(found)
    parameters, whole = np.zeros(size), np.zeros((size, size))
    parameters[:count] = found
    whole[:count, :count] = covariance
    nothing = np.zeros(size, dtype=bool)
    return Fit(parameters, whole, kind, None, nothing, nothing, Soundness.of_all(size))


_RANK = 1e-11
_EXACT = 1e-7


def unbiased_scores(reports: Reports, targets: Floats) -> Floats:
    """Unbiased scores of every output for every target.

    They have the least variance of all unbiased scores if all answers are
    equally likely.

    `targets` are the (cells, targets) values of each answer.

    Returns:
        (outputs, targets) scores: under each answer, their expectation is its
        value.
    Raises:
        NotIdentified: there are no such scores.
        InvalidArgument: the design has unknown parameters.
    """
    channel = reports.channel
    if channel.unknown:
        raise InvalidArgument(
            f"{reports.name}: got a design with unknown parameters, which moments cannot "
            "estimate; allowed is method='likelihood', or a design that is known"
        )
    if channel.scores is not None:
        return channel.scores @ targets
    if channel.groups is None:
        raise InvalidArgument(
            f"{reports.name}: there are too many possible reports to score; allowed is "
            "method='likelihood'"
        )
    found = np.zeros((len(channel.constant), targets.shape[1]))
    seen = np.unique(reports.codes)
    for outputs in channel.groups:
        if np.isin(outputs, seen).any():
            found[outputs] = _least_variance(reports.name, channel.constant[outputs], targets)
    return found


def _least_variance(name: str, likelihoods: Floats, targets: Floats) -> Floats:
    """The scores by generalized least squares (Aitken 1935), for equally likely answers."""
    roots = np.sqrt(likelihoods.mean(axis=1, keepdims=True))
    scaled = quotients(likelihoods, roots)
    found = quotients(np.linalg.lstsq(scaled.T, targets, rcond=_RANK)[0], roots)
    worth = np.maximum(1.0, np.abs(targets).max(axis=0, initial=0.0))
    if np.any(np.abs(likelihoods.T @ found - targets) > _EXACT * worth):
        raise NotIdentified(
            f"{name}: no score of its reports is unbiased for what the regression needs (a "
            "one-bit report estimates a mean, but not the square of a predictor); use it as the "
            "outcome, or ask it by another mechanism"
        )
    return found
