"""The maximum of a likelihood: Newton's method that never steps down."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.errors import NotIdentified
from deniable_analysis.regression.evaluation import Evaluation, evaluate, log_likelihood
from deniable_analysis.regression.model import Model

Floats = NDArray[np.float64]

# Half of it is what the log likelihood could still gain.
_ENOUGH = 1e-10
_LOST_IN_ROUNDING = 1e-5
_MOST_STEPS = 500
_MOST_HALVINGS = 40
# A step moves no parameter further; exponentials of more are beyond floats.
_LONGEST = 20.0


@dataclass(frozen=True, slots=True, eq=False)
class Maximum:
    """Where a likelihood is highest.

    Args:
        parameters: there.
        evaluation: of the likelihood there.
        steps: how many it took.
    """

    parameters: Floats
    evaluation: Evaluation
    steps: int


def maximize(model: Model, start: Floats, free: NDArray[np.bool_] | None = None) -> Maximum:
    """The maximum that is reached from a start.

    Newton steps on the observed information where it is positive definite;
    elsewhere on that of the hidden answers, a step of gradient EM, which
    always leads up (Lange 1995). Each is halved until the likelihood rises.

    Args:
        model: with its rows.
        start: parameters to begin with.
        free: which parameters may move; all if left out.
    Raises:
        NotIdentified: no maximum is found.
    """
    moving = np.ones(model.size, dtype=bool) if free is None else free
    parameters = start.copy()
    for step in range(_MOST_STEPS):
        found = evaluate(model, parameters)
        if not np.isfinite(found.log_likelihood):
            raise NotIdentified(
                "a row reports what its design cannot give under any answer; check that the "
                "designs are those that the answers were randomized by"
            )
        direction, gain = _direction(model, found, moving)
        if gain < _ENOUGH:
            return Maximum(parameters, found, step)
        moved = _climb(model, parameters, direction, found.log_likelihood, gain)
        if moved is None and gain < _LOST_IN_ROUNDING:
            return Maximum(parameters, found, step)
        if moved is None:
            break
        parameters = moved
    raise NotIdentified(
        f"the likelihood has no maximum that {step + 1} steps could reach; simplify the formula, "
        "or merge categories that are rare"
    )


def _direction(model: Model, found: Evaluation, moving: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Where to go, and twice what the log likelihood gains there about."""
    gradient = (model.counts @ found.scores)[moving]
    square = np.ix_(moving, moving)
    step = _solved(found.observed[square], gradient)
    if step is None:
        # Its diagonal is raised where a part of it is nearly nothing.
        complete = found.complete[square]
        diagonal = np.diag_indices_from(complete)
        complete[diagonal] += 1e-9 * max(1e-6, float(complete[diagonal].max()))
        step = _solved(complete, gradient)
    if step is None:
        step = gradient / max(1.0, float(np.abs(gradient).max()))
    longest = float(np.abs(step).max(initial=0.0))
    whole = np.zeros(model.size)
    whole[moving] = step * min(1.0, _LONGEST / longest) if longest else step
    return whole, float(gradient @ whole[moving])


def _solved(information: Floats, gradient: Floats) -> Floats | None:
    """The Newton step; None where the information is not positive definite."""
    diagonal = np.diag(information)
    if not np.all(diagonal > 0):
        return None
    scale = 1 / np.sqrt(diagonal)
    try:
        lower = np.linalg.cholesky(information * scale[:, np.newaxis] * scale)
    except np.linalg.LinAlgError:
        return None
    half = np.linalg.solve(lower, gradient * scale)
    step: Floats = np.linalg.solve(lower.T, half) * scale
    return step


def _climb(
    model: Model, parameters: Floats, direction: Floats, before: float, gain: float
) -> Floats | None:
    """The longest of ever shorter steps that leads up enough; None without one."""
    part = 1.0
    for _ in range(_MOST_HALVINGS):
        moved = parameters + part * direction
        if log_likelihood(model, moved) >= before + 1e-4 * part * gain:
            return moved
        part /= 2
    return None
