"""The likelihood of a model with its derivatives.

Rows with equal values in all columns that were not randomized form a pattern
and are evaluated together. The probabilities of their hidden answers and the
derivatives are the same; only the reports differ. Let w be the probabilities of
a row's hidden answers given its report, and D the derivatives of the logs of
their probabilities. The row's score is D'w, so all second derivatives follow
from the sums of w and of ww' (Louis 1982). If many rows have few patterns, as
in a crosstab with hundreds of thousands of possible reports, this takes a tenth
of the time of evaluating each row.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self, TypeVar

import numpy as np

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.regression.chunk_derivatives import ChunkDerivatives
from deniable_analysis.regression.model import Model, log_sums
from deniable_analysis.regression.outcomes import LogDensity, Normal

_Result = TypeVar("_Result")
# The largest number of likelihoods of rows that are kept in memory.
_MOST_NUMBERS = 1 << 24
# Patterns with fewer rows than this are evaluated row by row.
_FEWEST_ROWS = 16
# OpenBLAS computes products of matrices up to these sizes in a single thread. For such small
# products, several threads are slower if other processes are busy.
_SQUARE, _LINE = 1 << 18, 9216
# A likelihood below this has lost digits.
_LEAST = 1e-280


class Totals(NamedTuple):
    """The log likelihood of all rows at given parameters, with derivatives.

    Args:
        log_likelihood: sum over the rows, times their counts.
        gradient: gradient of the log likelihood.
        scatter: sum over the rows of the outer product of the score with
            itself.
        observed: observed information, minus the second derivative.
    """

    log_likelihood: float
    gradient: Floats
    scatter: Floats
    observed: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """Rows that differ only in their reports.

    Args:
        model: model of one such row.
        likelihoods: (rows, categories x cells) probabilities of each row's
            report.
        counts: (rows,) number of respondents that each row represents.
    """

    model: Model
    likelihoods: Floats
    counts: Floats

    @classmethod
    def all_of(cls, model: Model) -> tuple[Self, ...] | None:
        """The patterns of a model's rows; None if there are too many to save time."""
        size = len(model.outcome.categories) * len(model.cells)
        rows = len(model.counts)
        is_other = isinstance(model.outcome, Normal) or bool(model.unknown)
        if is_other or rows * size > _MOST_NUMBERS or rows < max(_FEWEST_ROWS, size):
            return None
        pattern_of = _pattern_of_rows(model)
        count = int(pattern_of.max()) + 1
        if rows < count * max(_FEWEST_ROWS, size):
            return None
        return tuple(
            cls._of_rows(model, np.flatnonzero(pattern_of == each)) for each in range(count)
        )

    @classmethod
    def _of_rows(cls, model: Model, rows: Indexes) -> Self:
        own = model.of_rows(rows)
        cube = own.likelihoods(np.zeros(model.size), slice(None)).transpose(1, 0, 2)
        flat = np.ascontiguousarray(cube.reshape(len(rows), -1))
        return cls(model.of_rows(rows[:1]), flat, own.counts)

    def log_likelihood(self, parameters: Floats) -> float | None:
        """The log likelihood of these rows; None if digits are lost."""
        shares, found = np.exp(self._logs(parameters)[1]), 0.0
        for rows in self._blocks():
            sums = self.likelihoods[rows] @ shares
            # Negated, so that it is also true of NaN.
            if not sums.min() > _LEAST:
                return None
            found += float(self.counts[rows] @ np.log(sums))
        return found

    def totals(self, parameters: Floats) -> Totals | None:
        """The log likelihood of these rows with all derivatives; None if digits are lost."""
        density, logs = self._logs(parameters)
        shares = np.exp(logs)
        found, once, twice = 0.0, np.zeros(len(shares)), np.zeros((len(shares),) * 2)
        for rows in self._blocks():
            likelihoods, counts = self.likelihoods[rows], self.counts[rows]
            sums = likelihoods @ shares
            if not sums.min() > _LEAST:
                return None
            found += float(counts @ np.log(sums))
            once += (counts / sums) @ likelihoods
            scaled = likelihoods * (np.sqrt(counts) / sums)[:, np.newaxis]
            twice += scaled.T @ scaled
        given = once * shares
        moved = self._moved(parameters, density)
        scatter = moved.T @ (shares[:, np.newaxis] * twice * shares) @ moved
        bent = moved.T @ (given[:, np.newaxis] * moved) + self._bent(parameters, density, given)
        return Totals(found, given @ moved, scatter, scatter - bent)

    def _logs(self, parameters: Floats) -> tuple[LogDensity, Floats]:
        """The density of the outcome, and the log probability of each joint answer."""
        every = slice(None)
        density = self.model.density(parameters, every)
        return density, (density.value + self.model.log_shares(parameters, every)).reshape(-1)

    def _moved(self, parameters: Floats, density: LogDensity) -> Floats:
        """The (categories x cells, parameters) derivatives of the log probabilities."""
        model = self.model
        found = np.zeros((*density.value[:, 0].shape, model.size))
        for own, each, first in zip(model.slices, model.predictors, density.first, strict=True):
            found[:, :, own] = first[:, 0, :, np.newaxis] * each.matrix[0]
        if model.spread_size:
            found[:, :, model.spread_slice] = self._spread_moved(parameters)[1]
        return found.reshape(-1, model.size)

    def _spread_moved(self, parameters: Floats) -> tuple[Floats, Floats]:
        """The shares of the cells, and the derivatives of their logs: (cells, parameters)."""
        shares = np.exp(self.model.log_shares(parameters, slice(None)))[0]
        return shares, np.kron(np.eye(len(shares))[:, 1:] - shares[1:], self.model.spread)

    def _bent(self, parameters: Floats, density: LogDensity, given: Floats) -> Floats:
        """The second derivatives of the log probabilities, weighted by expected respondents."""
        model = self.model
        found = np.zeros((model.size, model.size))
        of_cells = given.reshape(-1, len(model.cells))
        matrices = [
            np.broadcast_to(each.matrix[0], (len(model.cells), len(each.names)))
            for each in model.predictors
        ]
        parts = list(zip(model.slices, matrices, strict=True))
        for one, (first, left) in enumerate(parts):
            for other, (second, right) in enumerate(parts):
                curve = (of_cells * density.second[one, other][:, 0]).sum(axis=0)
                found[first, second] = left.T @ (curve[:, np.newaxis] * right)
        if model.spread_size:
            shares, moved = self._spread_moved(parameters)
            own = model.spread_slice
            found[own, own] = -given.sum() * (moved.T @ (shares[:, np.newaxis] * moved))
        return found

    def _blocks(self) -> Iterator[slice]:
        size = self.likelihoods.shape[1]
        rows = max(_FEWEST_ROWS, min(_SQUARE // size**2, _LINE // size))
        for start in range(0, len(self.counts), rows):
            yield slice(start, start + rows)


def _pattern_of_rows(model: Model) -> Indexes:
    """The index of each row's pattern."""
    rows = len(model.counts)
    whole = [each.matrix.reshape(rows, -1) for each in model.predictors]
    matrix = np.concatenate([*whole, model.spread], axis=1)
    varying = matrix[:, (matrix != matrix[:1]).any(axis=0)]
    if not varying.shape[1]:
        return np.zeros(rows, dtype=np.intp)
    pattern_of = np.unique(varying, axis=0, return_inverse=True)[1]
    return pattern_of.reshape(-1).astype(np.intp)


# The largest size of an array of a chunk.
_CHUNK_NUMBERS = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """The log likelihood at given parameters and its derivatives, row by row.

    Args:
        log_likelihood: sum over all rows, times their counts.
        rows: (rows,) log likelihood of each row.
        scores: (rows, parameters) gradient of each row.
        observed: observed information, minus the second derivative.
    """

    log_likelihood: float
    rows: Floats
    scores: Floats
    observed: Floats


def log_likelihood(model: Model, parameters: Floats) -> float:
    """The log likelihood of all rows; minus infinity if a row is impossible."""
    of_patterns = _of_patterns(model, lambda each: each.log_likelihood(parameters))
    if of_patterns:
        return sum(of_patterns)
    total = 0.0
    for rows in _chunks(model):
        logs = model.density(parameters, rows).value + model.log_shares(parameters, rows)
        own = log_sums(logs, model.likelihoods(parameters, rows))[0]
        total += float(model.counts[rows] @ own)
    return total if np.isfinite(total) else -np.inf


def totals(model: Model, parameters: Floats) -> Totals:
    """The log likelihood of all rows with its derivatives."""
    of_patterns = _of_patterns(model, lambda each: each.totals(parameters))
    if of_patterns:
        return Totals(*(sum(parts) for parts in zip(*of_patterns, strict=True)))
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
        part = ChunkDerivatives(model, parameters, rows)
        logs.append(part.logs)
        scores.append(part.scores())
        observed += part.information(scores[-1])
    found = np.concatenate(logs)
    return Evaluation(float(model.counts @ found), found, np.concatenate(scores), observed)


def work_of(model: Model) -> float:
    """An estimate of the work of an evaluation, in numbers that it processes one by one."""
    found = _patterns(model)
    if not found:
        return len(model.counts) * _work_of_row(model)
    # Products of matrices process many numbers at once.
    sizes = [each.likelihoods.size * (each.likelihoods.shape[1] + 20) for each in found]
    return float(sum(sizes) / 140)


def _of_patterns(model: Model, compute: Callable[[Pattern], _Result | None]) -> list[_Result]:
    """The results of all patterns; empty if there are no patterns, or one has lost digits."""
    found = [compute(each) for each in _patterns(model)]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else []


def _patterns(model: Model) -> tuple[Pattern, ...]:
    """The patterns of the rows, computed once; none if they do not save time."""
    if "patterns" not in model.known:
        model.known["patterns"] = Pattern.all_of(model) or ()
    found: tuple[Pattern, ...] = model.known["patterns"]
    return found


def _chunks(model: Model) -> Iterator[slice]:
    rows = max(1, _CHUNK_NUMBERS // _work_of_row(model))
    for start in range(0, len(model.counts), rows):
        yield slice(start, min(start + rows, len(model.counts)))


def _work_of_row(model: Model) -> int:
    square = 1 + len(model.predictors) ** 2
    return len(model.outcome.categories) * len(model.cells) * square + model.size
