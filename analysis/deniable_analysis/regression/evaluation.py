"""The likelihood of a model, its scores and its information, chunk by chunk."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.regression.model import Model
from deniable_analysis.regression.part import Part, log_sums

Floats = NDArray[np.float64]

# So many numbers of each kind are held at a time.
_CHUNK_NUMBERS = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The log likelihood at some parameters and its derivatives.

    Args:
        log_likelihood: of all rows, by their counts.
        rows: (rows,) the log likelihood of each.
        scores: (rows, parameters) the gradient of each.
        observed: minus the second derivative.
    """

    log_likelihood: float
    rows: Floats
    scores: Floats
    observed: Floats


def log_likelihood(model: Model, parameters: Floats) -> float:
    """The log likelihood of all rows; minus infinity where there is none."""
    total = 0.0
    for rows in _chunks(model):
        found = _rows_alone(model, parameters, rows)
        total += float(model.counts[rows] @ found)
    return total if np.isfinite(total) else -np.inf


def _rows_alone(model: Model, parameters: Floats, rows: slice) -> Floats:
    logs = model.density(parameters, rows).value + model.log_shares(parameters, rows)
    return log_sums(logs, model.likelihoods(parameters, rows))[0]


def evaluate(model: Model, parameters: Floats) -> Evaluation:
    """The log likelihood with all its derivatives."""
    observed = np.zeros((model.size, model.size))
    logs, scores = [], []
    for rows in _chunks(model):
        part = Part.of(model, parameters, rows)
        logs.append(part.logs)
        scores.append(part.scores())
        observed += part.information(scores[-1])
    found = np.concatenate(logs)
    return Evaluation(float(model.counts @ found), found, np.concatenate(scores), observed)


def _chunks(model: Model) -> Iterator[slice]:
    square = 1 + len(model.predictors) ** 2
    each = len(model.outcome.categories) * len(model.cells) * square + model.size
    rows = max(1, _CHUNK_NUMBERS // each)
    for start in range(0, len(model.counts), rows):
        yield slice(start, min(start + rows, len(model.counts)))
