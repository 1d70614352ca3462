"""The likelihood of a model with its derivatives.

Rows that are alike in all that is clear are evaluated together. What the model
says of them, and how that moves with the parameters, is the same: only what they
report differs. With w a row's shares of the hidden answers given its report, and D
how the logs of their probabilities move, the row's score is D'w, so that all second
derivatives follow from the sums of w and of ww' (Louis 1982). Where many rows have
few patterns, as in a crosstab with hundreds of thousands of possible reports, this
takes a tenth of the time that each row by itself does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.regression.chunk_derivatives import ChunkDerivatives, log_sums
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.outcomes import LogDensity, Normal

# So many numbers at most are kept of the rows' likelihoods.
_MOST_NUMBERS = 1 << 24
# Fewer rows of a pattern than this are looked at one by one.
_FEWEST_ROWS = 16
# Products of matrices no larger than these are not shared among threads by OpenBLAS,
# which takes longer for such small ones where other processes are at work.
_SQUARE, _LINE = 1 << 18, 9216
# A row less likely than this has lost digits.
_LEAST = 1e-280


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """The log likelihood of all rows at some parameters, with derivatives.

    Args:
        log_likelihood: by the rows' counts.
        gradient: of it.
        scatter: the sum of score times score over the rows.
        observed: minus the second derivative.
    """

    log_likelihood: float
    gradient: Floats
    scatter: Floats
    observed: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """Rows that are alike in all but their reports.

    Args:
        model: of one such row.
        likelihoods: (rows, categories x cells) of what each reports.
        counts: (rows,) how many respondents each stands for.
    """

    model: Model
    likelihoods: Floats
    counts: Floats

    @classmethod
    def all_of(cls, model: Model) -> tuple[Self, ...] | None:
        """The patterns of a model's rows; None where they are too many to help."""
        size = len(model.outcome.categories) * len(model.cells)
        rows = len(model.counts)
        is_other = isinstance(model.outcome, Normal) or bool(model.unknown)
        if is_other or rows * size > _MOST_NUMBERS or rows < max(_FEWEST_ROWS, size):
            return None
        pattern_of = _pattern_of_rows(model)
        if rows < (int(pattern_of.max()) + 1) * max(_FEWEST_ROWS, size):
            return None
        return tuple(
            cls._of_rows(model, np.flatnonzero(pattern_of == index))
            for index in range(int(pattern_of.max()) + 1)
        )

    @classmethod
    def _of_rows(cls, model: Model, rows: Indexes) -> Self:
        own = model.of_rows(rows)
        cube = own.likelihoods(np.zeros(model.size), slice(None)).transpose(1, 0, 2)
        flat = np.ascontiguousarray(cube.reshape(len(rows), -1))
        return cls(model.of_rows(rows[:1]), flat, own.counts)

    def log_likelihood(self, parameters: Floats) -> float | None:
        """That of these rows; None where digits are lost."""
        shares = np.exp(self._logs(parameters)[1]).reshape(-1)
        found = 0.0
        for rows in self._blocks():
            sums = self.likelihoods[rows] @ shares
            # Also of no number.
            if not sums.min() > _LEAST:
                return None
            found += float(self.counts[rows] @ np.log(sums))
        return found

    def totals(self, parameters: Floats) -> Totals | None:
        """The same with all derivatives."""
        density, logs = self._logs(parameters)
        shares = np.exp(logs).reshape(-1)
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
        """The density of the outcome, and (categories, cells) logs of all hidden answers."""
        every = slice(None)
        density = self.model.density(parameters, every)
        logs = density.value + self.model.log_shares(parameters, every)
        shape = (len(self.model.outcome.categories), len(self.model.cells))
        return density, np.broadcast_to(logs[:, 0], shape)

    def _moved(self, parameters: Floats, density: LogDensity) -> Floats:
        """(categories x cells, parameters) how their logs move."""
        model = self.model
        shape = (len(model.outcome.categories), len(model.cells))
        found = np.zeros((*shape, model.size))
        for (start, stop), own, first in zip(
            self._edges(), self._matrices(), density.first, strict=True
        ):
            found[:, :, start:stop] = first[:, 0, :, np.newaxis] * own
        if model.spread_size:
            start = model.outcome_size
            found[:, :, start : start + model.spread_size] = self._spread_moved(parameters)
        return found.reshape(-1, model.size)

    def _spread_moved(self, parameters: Floats) -> Floats:
        """(cells, spread parameters) how the logs of the cells' probabilities move."""
        shares = np.exp(self.model.log_shares(parameters, slice(None)))[0]
        own = np.eye(len(shares))[:, 1:] - shares[1:]
        moved: Floats = np.kron(own, self.model.spread)
        return moved

    def _bent(self, parameters: Floats, density: LogDensity, given: Floats) -> Floats:
        """The second derivatives of the logs, by how many respondents give each answer."""
        model = self.model
        found = np.zeros((model.size, model.size))
        of_cells = given.reshape(-1, len(model.cells))
        parts = list(zip(self._edges(), self._matrices(), strict=True))
        for one, (first, left) in enumerate(parts):
            for other, (second, right) in enumerate(parts):
                curve = (of_cells * density.second[one, other][:, 0]).sum(axis=0)
                found[slice(*first), slice(*second)] = left.T @ (curve[:, np.newaxis] * right)
        if model.spread_size:
            shares = np.exp(model.log_shares(parameters, slice(None)))[0]
            moved = self._spread_moved(parameters)
            own = slice(model.outcome_size, model.outcome_size + model.spread_size)
            found[own, own] = -given.sum() * (moved.T @ (shares[:, np.newaxis] * moved))
        return found

    def _edges(self) -> list[tuple[int, int]]:
        edges = np.cumsum([0, *(len(each.names) for each in self.model.predictors)]).tolist()
        return list(pairwise(edges))

    def _matrices(self) -> list[Floats]:
        """The (cells, coefficients) matrix of each predictor."""
        cells = len(self.model.cells)
        return [
            np.broadcast_to(each.matrix[0], (cells, len(each.names)))
            for each in self.model.predictors
        ]

    def _blocks(self) -> Iterator[slice]:
        size = self.likelihoods.shape[1]
        rows = max(_FEWEST_ROWS, min(_SQUARE // size**2, _LINE // size))
        for start in range(0, len(self.counts), rows):
            yield slice(start, start + rows)


def _pattern_of_rows(model: Model) -> Indexes:
    """Which pattern each row is of."""
    rows = len(model.counts)
    whole = [each.matrix.reshape(rows, -1) for each in model.predictors]
    matrix = np.concatenate([*whole, model.spread], axis=1)
    varying = matrix[:, (matrix != matrix[:1]).any(axis=0)]
    if not varying.shape[1]:
        return np.zeros(rows, dtype=np.intp)
    pattern_of = np.unique(varying, axis=0, return_inverse=True)[1]
    return pattern_of.reshape(-1).astype(np.intp)


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
