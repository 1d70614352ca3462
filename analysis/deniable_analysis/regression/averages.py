"""Expectations of rows, averaged over hidden answers, with their gradients."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.regression.assembly import Assembly, stacked
from deniable_analysis.regression.outcomes import LOG_SPREAD

# If the means of the cells differ by less, the average does not depend on their probabilities.
_ALIKE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Probabilities or means, with their derivatives by the parameters.

    Args:
        values: (shown, rows) probabilities of the shown categories, or means.
        gradients: (shown, rows, parameters) derivatives of the values.
        rests: (rows, parameters) whether a row depends on a parameter, even if
            the parameter is so large that the derivative is 0.
    """

    values: Floats
    gradients: Floats
    rests: Bools

    def errors(self, covariance: Floats) -> Floats:
        """The (shown, rows) standard errors by the delta method."""
        variances = np.einsum("krp,pq,krq->kr", self.gradients, covariance, self.gradients)
        return np.asarray(np.sqrt(np.maximum(variances, 0.0)))


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Rows whose expectations are computed.

    Args:
        stacked: table of every row with every cell; see assembly.stacked.
        cells: (rows, cells) probabilities of the cells.
        slopes: (rows, cells, spread parameters) derivatives of the
            probabilities.
    """

    stacked: Any
    cells: Floats
    slopes: Floats


def expected(assembly: Assembly, parameters: Floats, given: Given) -> Expected:
    """The expectation of the outcome, averaged over the cells."""
    model = assembly.model
    rows, cells = given.cells.shape
    cube = assembly.matrix.again(given.stacked).reshape(rows, cells, -1)
    designs = model.outcome.designs(cube, assembly.matrix.terms)
    linear = [
        np.broadcast_to(each.matrix @ parameters[own], (rows, cells))
        for each, own in zip(designs, model.slices, strict=True)
    ]
    means, moved = model.outcome.means(np.stack(linear))
    gradients = np.zeros((len(means), rows, model.size))
    rests = np.zeros((rows, model.size), dtype=bool)
    for each, own, slope in zip(designs, model.slices, moved, strict=True):
        matrix = np.broadcast_to(each.matrix, (rows, cells, len(each.names)))
        gradients[:, :, own] = np.einsum("krz,rzp->krp", slope * given.cells, matrix)
        if each.names != (LOG_SPREAD,):
            rests[:, own] = ((matrix != 0) & (given.cells[..., np.newaxis] > 0)).any(axis=1)
    gradients[:, :, model.spread_slice] = np.einsum("krz,rzp->krp", means, given.slopes)
    if rows and cells > 1:
        differs = (np.ptp(means, axis=2) > _ALIKE).any(axis=0)
        moves = (given.slopes != 0).any(axis=1)
        rests[:, model.spread_slice] = differs[:, np.newaxis] & moves
    return Expected(np.einsum("krz,rz->kr", means, given.cells), gradients, rests)


def given_rows(assembly: Assembly, parameters: Floats, clear: Any) -> Given:
    """Rows of a table with the cells' estimated probabilities."""
    model, spread = assembly.model, assembly.spread
    rows, cells = len(clear), len(model.cells)
    matrix = np.ones((rows, 1)) if spread is None else spread.again(clear)
    shares = np.exp(model.log_shares_at(parameters, matrix))
    is_own = np.eye(cells)[:, 1:] - shares[:, np.newaxis, 1:]
    moved = shares[:, :, np.newaxis] * is_own
    slopes = moved[..., np.newaxis] * matrix[:, np.newaxis, np.newaxis]
    slopes = slopes.reshape(rows, cells, model.spread_size)
    return Given(stacked(clear, assembly.hidden), shares, slopes)
