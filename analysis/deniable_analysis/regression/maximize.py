"""The maximum of a likelihood, by Newton's method with steps that always increase it."""

from dataclasses import dataclass
from itertools import compress

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.errors import NotIdentified
from deniable_analysis.regression.evaluation import Totals, log_likelihood, totals
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcomes import Normal


def parameter_scale(model: Model, parameters: Floats) -> Floats:
    """The root of the information that direct answers would have about each parameter.

    A parameter times its scale, divided by the root of the number of
    respondents, is about its contribution to a linear predictor. Of `parameters`
    only the residual spread of a number matters.
    """
    if "scale" not in model.known:
        sizes = [
            np.einsum("izp,i->p", each.matrix**2, model.counts) / each.matrix.shape[1]
            for each in model.predictors
        ]
        if len(model.cells) > 1:
            sizes += [model.counts @ model.spread**2] * (len(model.cells) - 1)
        sizes.append(np.full(len(model.unknown), model.counts.sum()))
        model.known["scale"] = np.sqrt(np.concatenate(sizes))
    return _by_spread(model, parameters, model.known["scale"])


def predictor_steps(model: Model, parameters: Floats) -> Floats:
    """The change of a column between a low and a high respondent, for each parameter.

    For a column of two values it is their difference; for others it is two
    standard deviations, which is the same if half of the rows have each value
    (Gelman 2008, Statistics in Medicine 27).
    """
    if "steps" not in model.known:
        found = [_predictor_step(each.matrix, model.counts) for each in model.predictors]
        if len(model.cells) > 1:
            found += [_predictor_step(model.spread[:, np.newaxis], model.counts)] * (
                len(model.cells) - 1
            )
        model.known["steps"] = np.concatenate([*found, np.ones(len(model.unknown))])
    return _by_spread(model, parameters, model.known["steps"])


def _predictor_step(matrix: Floats, counts: Floats) -> Floats:
    shares = counts / counts.sum() / matrix.shape[1]
    means = np.einsum("izp,i->p", matrix, shares)
    spread = np.sqrt(np.einsum("izp,i->p", (matrix - means) ** 2, shares))
    low, high = matrix.min(axis=(0, 1)), matrix.max(axis=(0, 1))
    has_two = ((matrix == low) | (matrix == high)).all(axis=(0, 1))
    found: Floats = np.where(has_two, high - low, 2 * spread)
    return np.where(high > low, found, np.abs(high))


def _by_spread(model: Model, parameters: Floats, found: Floats) -> Floats:
    """The same in units of the residual spread, if the outcome is a number."""
    if not isinstance(model.outcome, Normal):
        return found
    is_of_mean = np.arange(model.size) < model.outcome_size - 1
    spread: Floats = np.exp(parameters[model.outcome_size - 1])
    return np.where(is_of_mean, found / spread, found)


# The search ends if a step could gain less than half of this in log likelihood. The last step
# squares the error; its result is not checked again.
ENOUGH = 1e-9
_SHORT = 1e-2
_LOST_IN_ROUNDING = 1e-5
_MOST_STEPS = 500
_MOST_HALVINGS = 40
_PART_OF_GAIN = 1e-4
# After several steps in a row with less than this part of the predicted gain, the search is on a
# boundary of the likelihood and ends.
_STUCK = 1e-5
_MOST_SHORT = 3
# The relative rounding error of a log likelihood, which is a sum of many numbers.
_ROUNDING = 1e-13
# A step moves no predictor much further; exponentials of more overflow a float.
_LONGEST = 20.0
# The least curvature, as a part of the information of direct answers.
_FLAT = 1e-14


class Lost(NotIdentified):
    """A search that found no maximum; it contains the point where the search ended."""

    def __init__(self, message: str, parameters: Floats) -> None:
        super().__init__(message)
        self.parameters = parameters


@dataclass(frozen=True, slots=True, eq=False)
class Maximum:
    """The maximum of a likelihood.

    Args:
        parameters: parameters at the maximum.
        evaluation: the likelihood and its derivatives there.
        steps: number of steps of the search.
    """

    parameters: Floats
    evaluation: Totals
    steps: int


def maximize(
    model: Model, start: Floats, free: Bools | None = None, enough: float = ENOUGH
) -> Maximum:
    """The maximum that the search reaches from a start.

    The steps are Newton steps on the observed information. If it is not
    positive definite, the curvature along each eigenvector is set to at least
    the scatter of the scores along it (Berndt, Hall, Hall and Hausman 1974), so
    that each step goes up. A step is halved until the likelihood increases.

    `free` are the parameters that may move, by default all. The search ends if twice
    the possible gain in log likelihood is less than `enough`.

    Raises:
        NotIdentified: no maximum is found.
    """
    moving = np.ones(model.size, dtype=bool) if free is None else free
    parameters, found = start, totals(model, start)
    if not np.isfinite(found.log_likelihood):
        raise NotIdentified(
            "a row has a report that its design cannot produce from any answer; check that the "
            "designs are those used to randomize the answers"
        )
    short = 0
    unit = parameter_scale(model, start) / np.sqrt(model.counts.sum())
    for step in range(_MOST_STEPS):
        direction, gain = _direction(model, parameters, found, moving)
        if gain < enough:
            is_short = float(np.abs(direction * unit).max(initial=0.0)) < _SHORT
            return Maximum(parameters + is_short * direction, found, step)
        moved = _climb(model, parameters, direction, found.log_likelihood, gain)
        if moved is None and gain < max(enough, _LOST_IN_ROUNDING):
            return Maximum(parameters, found, step)
        if moved is None:
            break
        is_stuck = moved[1].log_likelihood - found.log_likelihood < _STUCK * gain
        short = short + 1 if is_stuck else 0
        parameters, found = moved
        if short == _MOST_SHORT:
            break
    raise _lost(model, parameters, unit)


def _lost(model: Model, parameters: Floats, unit: Floats) -> Lost:
    """The error of a search that did not end; it names the parameters that still moved."""
    far = list(compress(model.names, np.abs(parameters * unit) > _LONGEST))
    chased = f" ({', '.join(far)} kept growing)" if far else ""
    return Lost(
        f"the likelihood has no maximum that {_MOST_STEPS} steps or fewer could reach{chased}; "
        "there are too few rows for so many terms: simplify the formula, or merge rare categories",
        parameters,
    )


def _direction(
    model: Model, parameters: Floats, found: Totals, moving: Bools
) -> tuple[Floats, float]:
    """The direction of a step, and about twice its gain in log likelihood."""
    scale = parameter_scale(model, parameters)
    gradient = found.gradient[moving] / scale[moving]
    square = np.outer(scale[moving], scale[moving])
    information, scatter = (
        each[np.ix_(moving, moving)] / square for each in (found.observed, found.scatter)
    )
    whole = np.zeros(model.size)
    whole[moving] = _step(information, gradient, scatter)
    reach = float(np.abs(whole).max(initial=0.0)) / np.sqrt(model.counts.sum())
    whole /= max(1.0, reach / _LONGEST)
    return whole / scale, float(gradient @ whole[moving])


def _step(information: Floats, gradient: Floats, scatter: Floats) -> Floats:
    """Newton's step; where the likelihood is not concave, by the scatter of the scores."""
    try:
        lower = np.linalg.cholesky(information)
    except np.linalg.LinAlgError:
        values, directions = np.linalg.eigh(information)
        along = np.einsum("pd,pq,qd->d", directions, scatter, directions, optimize=True)
        curves = np.maximum(np.abs(values), along)
        steps = directions.T @ gradient / np.maximum(curves, _FLAT)
        return np.asarray(directions @ steps, dtype=np.float64)
    half = np.linalg.solve(lower, gradient)
    return np.asarray(np.linalg.solve(lower.T, half), dtype=np.float64)


def _climb(
    model: Model, parameters: Floats, direction: Floats, before: float, gain: float
) -> tuple[Floats, Totals] | None:
    """The first of ever shorter steps that gains enough, or None."""
    moved, part = parameters + direction, 1.0
    found = totals(model, moved)
    rounding = _ROUNDING * abs(before)
    if found.log_likelihood >= before + _PART_OF_GAIN * gain - rounding:
        return moved, found
    for _ in range(_MOST_HALVINGS):
        part /= 2
        moved = parameters + part * direction
        if log_likelihood(model, moved) >= before + _PART_OF_GAIN * part * gain:
            return moved, totals(model, moved)
    return None
