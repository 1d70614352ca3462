"""The likelihood of a model, its scores and its information."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.chunk_derivatives import ChunkDerivatives, log_sums
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.patterns import Pattern, Totals

# So many numbers of each kind are held at a time.
_CHUNK_NUMBERS = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The log likelihood at some parameters and its derivatives, row by row.

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
    found = [each.log_likelihood(parameters) for each in _patterns(model)]
    known = [each for each in found if each is not None]
    if known and len(known) == len(found):
        return sum(known)
    total = 0.0
    for rows in _chunks(model):
        total += float(model.counts[rows] @ _rows_alone(model, parameters, rows))
    return total if np.isfinite(total) else -np.inf


def _rows_alone(model: Model, parameters: Floats, rows: slice) -> Floats:
    logs = model.density(parameters, rows).value + model.log_shares(parameters, rows)
    return log_sums(logs, model.likelihoods(parameters, rows))[0]


def totals(model: Model, parameters: Floats) -> Totals:
    """The log likelihood of all rows with its derivatives."""
    found = [each.totals(parameters) for each in _patterns(model)]
    known = [each for each in found if each is not None]
    if known and len(known) == len(found):
        return Totals(
            sum(each.log_likelihood for each in known),
            np.sum([each.gradient for each in known], axis=0),
            np.sum([each.scatter for each in known], axis=0),
            np.sum([each.observed for each in known], axis=0),
        )
    whole = evaluate(model, parameters)
    weighted = whole.scores.T * model.counts
    return Totals(
        whole.log_likelihood, weighted.sum(axis=1), weighted @ whole.scores, whole.observed
    )


def evaluate(model: Model, parameters: Floats) -> Evaluation:
    """The log likelihood with all its derivatives, those of each row too."""
    observed = np.zeros((model.size, model.size))
    logs, scores = [], []
    for rows in _chunks(model):
        part = ChunkDerivatives.of(model, parameters, rows)
        logs.append(part.logs)
        scores.append(part.scores())
        observed += part.information(scores[-1])
    found = np.concatenate(logs)
    return Evaluation(float(model.counts @ found), found, np.concatenate(scores), observed)


def work_of(model: Model) -> float:
    """About how many numbers an evaluation looks at, one by one."""
    found = _patterns(model)
    if not found:
        return model.numbers
    # Products of matrices look at many at once.
    sizes = [each.likelihoods.size * (each.likelihoods.shape[1] + 20) for each in found]
    work: float = sum(sizes) / 140
    return work


def _patterns(model: Model) -> tuple[Pattern, ...]:
    """The patterns of the rows, found once; none where they do not help."""
    if "patterns" not in model.known:
        model.known["patterns"] = Pattern.all_of(model) or ()
    found: tuple[Pattern, ...] = model.known["patterns"]
    return found


def _chunks(model: Model) -> Iterator[slice]:
    square = 1 + len(model.predictors) ** 2
    each = len(model.outcome.categories) * len(model.cells) * square + model.size
    rows = max(1, _CHUNK_NUMBERS // each)
    for start in range(0, len(model.counts), rows):
        yield slice(start, min(start + rows, len(model.counts)))
