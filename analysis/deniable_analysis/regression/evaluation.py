"""The likelihood of a model, its scores and its information, chunk by chunk."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcomes import LogDensity

Floats = NDArray[np.float64]

# So many scores, of rows by cells by parameters, are held at a time.
_CHUNK_SCORES = 1 << 21


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The log likelihood at some parameters and its derivatives.

    Args:
        log_likelihood: of all rows, by their counts.
        rows: (rows,) the log likelihood of each.
        scores: (rows, parameters) the gradient of each.
        observed: minus the second derivative (Louis 1982).
        complete: what it would be if the hidden answers were known.
    """

    log_likelihood: float
    rows: Floats
    scores: Floats
    observed: Floats
    complete: Floats


def log_likelihood(model: Model, parameters: Floats) -> float:
    """The log likelihood of all rows; minus infinity where there is none."""
    total = 0.0
    for rows in _chunks(model):
        found = _rows_alone(model, parameters, rows)
        total += float(model.counts[rows] @ found)
    return total if np.isfinite(total) else -np.inf


def _rows_alone(model: Model, parameters: Floats, rows: slice) -> Floats:
    logs = model.density(parameters, rows).value + model.log_shares(parameters, rows)[:, None]
    return _log_sums(logs, model.likelihoods(parameters, rows))[0]


def _log_sums(logs: Floats, likelihoods: Floats) -> tuple[Floats, Floats]:
    """Log sum of likelihood times exp(log), and each part's share of it."""
    # The top is found among what can have been reported at all.
    top = np.where(likelihoods > 0, logs, -np.inf).max(axis=(1, 2), keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = likelihoods * np.exp(np.minimum(logs - top, 0.0))
        sums = parts.sum(axis=(1, 2), keepdims=True)
        return (np.log(sums) + top)[:, 0, 0], parts / sums


def evaluate(model: Model, parameters: Floats) -> Evaluation:
    """The log likelihood with all its derivatives."""
    size = model.size
    observed, complete = np.zeros((size, size)), np.zeros((size, size))
    logs, scores = [], []
    for rows in _chunks(model):
        part = _Part.of(model, parameters, rows)
        counts = model.counts[rows]
        each = part.scores()
        known = _known_information(model, part, counts)
        complete += known
        observed += known - part.scatter(counts) + (each.T * counts) @ each
        logs.append(part.logs)
        scores.append(each)
    found = np.concatenate(logs)
    return Evaluation(
        float(model.counts @ found), found, np.concatenate(scores), observed, complete
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A chunk of rows: how likely each hidden answer is given the report.

    Args:
        logs: (rows,) log likelihoods.
        weights: (rows, categories, cells) given the report; they sum to 1.
        gradients: (rows, categories x cells, parameters) of the log density
            of report and hidden answer together.
    """

    rows: slice
    logs: Floats
    weights: Floats
    density: LogDensity
    shares: Floats
    slopes: tuple[Floats, ...]
    design: Floats
    gradients: Floats

    @classmethod
    def of(cls, model: Model, parameters: Floats, rows: slice) -> "_Part":
        density = model.density(parameters, rows)
        log_shares = model.log_shares(parameters, rows)
        likelihoods = model.likelihoods(parameters, rows)
        logs, weights = _log_sums(density.value + log_shares[:, np.newaxis], likelihoods)
        shares, slopes = np.exp(log_shares), model.design_slopes(parameters, rows)
        gradients = _gradients(model, density, shares, slopes, rows)
        design = model.design_parameters(parameters)
        return cls(rows, logs, weights, density, shares, slopes, design, gradients)

    def scores(self) -> Floats:
        """The (rows, parameters) gradients of the rows' log likelihoods."""
        flat = self.weights.reshape(len(self.weights), 1, -1)
        found: Floats = (flat @ self.gradients)[:, 0]
        return found

    def scatter(self, counts: Floats) -> Floats:
        """The weighted sum of gradient times gradient over hidden answers."""
        flat = self.gradients.reshape(-1, self.gradients.shape[2])
        each = (self.weights * counts[:, np.newaxis, np.newaxis]).reshape(-1, 1)
        found: Floats = (flat * each).T @ flat
        return found


def _gradients(
    model: Model, density: LogDensity, shares: Floats, slopes: tuple[Floats, ...], rows: slice
) -> Floats:
    count, categories, cells = len(shares), len(model.outcome.categories), len(model.cells)
    found = np.empty((count, categories, cells, model.size))
    start = 0
    for place, each in enumerate(model.predictors):
        stop = start + len(each.names)
        first = np.broadcast_to(density.first[place], (count, categories, cells))
        found[..., start:stop] = first[..., np.newaxis] * each.matrix[rows][:, np.newaxis]
        start = stop
    if cells > 1:
        stop = start + model.spread_size
        is_own = np.eye(cells)[:, 1:] - shares[:, np.newaxis, 1:]
        moved = is_own[..., np.newaxis] * model.spread[rows][:, np.newaxis, np.newaxis]
        found[..., start:stop] = moved.reshape(count, 1, cells, -1)
        start = stop
    for place, slope in enumerate(slopes):
        found[..., start + place] = slope
    return found.reshape(count, categories * cells, model.size)


def _known_information(model: Model, part: _Part, counts: Floats) -> Floats:
    """Minus the expected second derivative if the hidden answers were known."""
    found = np.zeros((model.size, model.size))
    edges = np.cumsum([0, *(len(each.names) for each in model.predictors)])
    weights = part.weights * counts[:, np.newaxis, np.newaxis]
    matrices = [each.matrix[part.rows] for each in model.predictors]
    for first, one in enumerate(matrices):
        for second, other in enumerate(matrices[: first + 1]):
            curve = (weights * part.density.second[first, second]).sum(axis=1)
            block = -_crossed(one, other, curve)
            places = (slice(*edges[first : first + 2]), slice(*edges[second : second + 2]))
            found[places] = block
            found[places[::-1]] = block.T
    _add_spread(found, model, part, counts)
    _add_design(found, model, part, weights)
    return found


def _crossed(one: Floats, other: Floats, curve: Floats) -> Floats:
    """The sum over rows and cells of curve times one times other."""
    cells = curve.shape[1]
    left = np.broadcast_to(one, (len(one), cells, one.shape[2])).reshape(-1, one.shape[2])
    right = np.broadcast_to(other, (len(other), cells, other.shape[2]))
    found: Floats = left.T @ (right.reshape(-1, other.shape[2]) * curve.reshape(-1, 1))
    return found


def _add_spread(found: Floats, model: Model, part: _Part, counts: Floats) -> None:
    width, start = model.spread.shape[1], model.outcome_size
    matrix = model.spread[part.rows]
    for first in range(1, len(model.cells)):
        for second in range(1, first + 1):
            own = part.shares[:, first] * ((first == second) - part.shares[:, second])
            block = (matrix.T * (counts * own)) @ matrix
            places = tuple(
                slice(start + (cell - 1) * width, start + cell * width) for cell in (first, second)
            )
            found[places] = block
            found[places[::-1]] = block.T


def _add_design(found: Floats, model: Model, part: _Part, weights: Floats) -> None:
    """The design's own: probabilities are linear in their parameters."""
    start, place = model.outcome_size + model.spread_size, 0
    for each in model.reports:
        own = range(place, place + len(each.channel.unknown))
        for one in own:
            for other in own:
                curve = part.slopes[one] * part.slopes[other]
                if one == other:
                    curve = curve - part.slopes[one] * (1 - 2 * part.design[one])
                found[start + one, start + other] = float((weights * curve).sum())
        place += len(own)


def _chunks(model: Model) -> Iterator[slice]:
    each = len(model.outcome.categories) * len(model.cells) * max(1, model.size)
    rows = max(1, _CHUNK_SCORES // each)
    for start in range(0, len(model.counts), rows):
        yield slice(start, min(start + rows, len(model.counts)))
