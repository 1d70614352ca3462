"""A chunk of rows: the posterior of the hidden answers, and the derivatives.

The score of a row is the mean of the gradient of log g + log f + log P(report)
over its hidden answers, given the report. The observed information is the mean
of minus the second derivative of the same sum, less the variance of the
gradient over the hidden answers (Louis 1982). Both are written out for each
pair of parameters, because averaging over the outcome first saves
multiplications.
"""

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.model import Model, log_sums
from deniable_analysis.regression.outcomes import LogDensity


class ChunkDerivatives:
    """Some rows of a model, at the parameters at which its likelihood is differentiated."""

    def __init__(self, model: Model, parameters: Floats, rows: slice) -> None:
        density = model.density(parameters, rows)
        log_shares = model.log_shares(parameters, rows)
        likelihoods = model.likelihoods(parameters, rows)
        self.model, self.rows, self.counts = model, rows, model.counts[rows]
        self.unknown = model.design_parameters(parameters)
        # (categories, rows, cells) probabilities given the report; they sum to 1 in each row.
        self.logs, self.weights = log_sums(density.value + log_shares, likelihoods)
        # (rows, cells) probability of each cell given the report, and without it.
        self.cells, self.shares = self.weights.sum(axis=0), np.exp(log_shares)
        # (rows, spread parameters) the same, without the first cell, times the spread matrix.
        self.given, self.alone = (
            _times_cells(each, model.spread[rows]) for each in (self.cells, self.shares)
        )
        # For each predictor its (rows, cells, coefficients) matrix.
        self.matrices = [
            np.broadcast_to(each.matrix[rows], (*self.cells.shape, len(each.names)))
            for each in model.predictors
        ]
        # (predictors, categories, rows, cells) derivatives of log g, and their mean over the
        # outcome, times the cell's probability.
        self.firsts = density.first
        self.slopes = np.stack([(self.weights * each).sum(axis=0) for each in self.firsts])
        self.curves = self._curves(density)
        # For each unknown parameter, (categories, rows, cells) derivatives of log P(report).
        self.design = model.design_slopes(parameters, rows)

    def _curves(self, density: LogDensity) -> Floats:
        """(predictors, predictors, rows, cells) minus the second derivative of log g.

        It is the mean over the outcome, less that of the squared first
        derivative, times the cell's probability.
        """
        first, count = density.first, len(density.first)
        found = np.empty((count, count, *self.cells.shape))
        for one in range(count):
            for other in range(one + 1):
                bent = self.weights * (density.second[one, other] + first[one] * first[other])
                found[one, other] = found[other, one] = -bent.sum(axis=0)
        return found

    def scores(self) -> Floats:
        """The (rows, parameters) gradients of the rows' log likelihoods."""
        parts = list(map(_over_cells, self.matrices, self.slopes))
        if len(self.model.cells) > 1:
            parts.append(self.given - self.alone)
        parts += [
            (self.weights * each).sum(axis=0).sum(axis=1, keepdims=True) for each in self.design
        ]
        return np.concatenate(parts, axis=1)

    def information(self, scores: Floats) -> Floats:
        """Minus the second derivative of the log likelihood of these rows, times their counts."""
        outcome, spread = slice(self.model.outcome_size), self.model.spread_slice
        found = np.zeros((self.model.size, self.model.size))
        found[outcome, outcome] = self._of_outcome(scores[:, outcome])
        if self.model.spread_size:
            found[outcome, spread] = self._across(scores[:, outcome])
            found[spread, outcome] = found[outcome, spread].T
            found[spread, spread] = self._of_spread()
        for index in range(len(self.design)):
            self._add_design(found, scores, index)
        return found

    def _of_outcome(self, scores: Floats) -> Floats:
        """The block of the outcome's coefficients."""
        counts = self.counts
        found: Floats = (scores.T * counts) @ scores
        slices = self.model.slices
        for first, one in enumerate(self.matrices):
            for second, other in enumerate(self.matrices):
                curve = self.curves[first, second] * counts[:, np.newaxis]
                left, right = (each.reshape(-1, each.shape[2]) for each in (one, other))
                found[slices[first], slices[second]] += left.T @ (right * curve.reshape(-1, 1))
        return found

    def _across(self, scores: Floats) -> Floats:
        """The block of the outcome's coefficients and those of the spread."""
        counts = self.counts[:, np.newaxis]
        found: Floats = scores.T @ (self.given * counts)
        matrix = self.model.spread[self.rows]
        width = matrix.shape[1]
        parts = zip(self.model.slices, self.matrices, self.slopes, strict=True)
        for down, own, slope in parts:
            weighted = slope * counts
            for cell in range(1, len(self.model.cells)):
                moved = own[:, cell].T @ (matrix * weighted[:, cell, np.newaxis])
                found[down, (cell - 1) * width : cell * width] -= moved
        return found

    def _of_spread(self) -> Floats:
        """The block of the spread's coefficients."""
        counts = self.counts[:, np.newaxis]
        found: Floats = self.given.T @ (self.given * counts)
        found -= self.alone.T @ (self.alone * counts)
        matrix = self.model.spread[self.rows]
        width = matrix.shape[1]
        squares = (matrix[:, :, np.newaxis] * matrix[:, np.newaxis]).reshape(len(matrix), -1)
        lost = squares.T @ ((self.shares - self.cells)[:, 1:] * counts)
        for cell, own in enumerate(lost.T):
            own_cells = slice(cell * width, (cell + 1) * width)
            found[own_cells, own_cells] += own.reshape(width, width)
        return found

    def _add_design(self, found: Floats, scores: Floats, index: int) -> None:
        """Add the row and column of one unknown design parameter.

        Probabilities are linear in the parameter. So the second derivative of
        their logarithm by its logit is slope (1 - 2 parameter) - slope squared.
        The mixed derivative by two parameters of the same design is minus the
        product of the slopes.
        """
        model, counts, slope = self.model, self.counts, self.design[index]
        at = model.spread_slice.stop + index
        line = (counts * scores[:, at]) @ scores
        moved = self.weights * slope * counts[:, np.newaxis]
        for own, matrix, first in zip(model.slices, self.matrices, self.firsts, strict=True):
            line[own] -= _over_cells(matrix, (moved * first).sum(axis=0)).sum(axis=0)
        if len(model.cells) > 1:
            cells = moved.sum(axis=0)
            total = cells.sum(axis=1, keepdims=True)
            spread = _times_cells(cells - total * self.shares, model.spread[self.rows])
            line[model.spread_slice] -= spread.sum(axis=0)
        line[at] -= float(moved.sum()) * (1 - 2 * self.unknown[index])
        for other in range(len(self.design)):
            if model.design_of[other] != model.design_of[index]:
                line[at - index + other] -= float((moved * self.design[other]).sum())
        found[at] = line
        found[:, at] = line


def _times_cells(cells: Floats, matrix: Floats) -> Floats:
    """Numbers of all cells but the first, times a matrix: (rows, cells x columns)."""
    whole = cells[:, 1:, np.newaxis] * matrix[:, np.newaxis]
    return whole.reshape(len(whole), -1)


def _over_cells(matrix: Floats, weights: Floats) -> Floats:
    """The (rows, columns) weighted sum of a matrix over the cells."""
    return np.asarray((weights[:, np.newaxis] @ matrix)[:, 0])
