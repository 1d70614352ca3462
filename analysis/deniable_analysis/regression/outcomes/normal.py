"""A number: normal around its linear predictor, with one spread."""

from dataclasses import dataclass, field

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.outcomes.base import LogDensity, Predictor

LOG_SPREAD = "log spread"
_LOG_ROOT = 0.5 * float(np.log(2 * np.pi))


@dataclass(frozen=True, slots=True, eq=False)
class Normal:
    """Numbers given for each row; the predictors are mean and log spread."""

    numbers: Floats = field(repr=False)
    categories: tuple[str, ...] = ("",)

    def designs(self, matrix: Floats, terms: tuple[str, ...]) -> tuple[Predictor, ...]:
        ones = np.ones((len(matrix), 1, 1))
        return (Predictor(terms, matrix), Predictor((LOG_SPREAD,), ones))

    def density(self, predictors: Floats, rows: slice) -> LogDensity:
        mean, log_spread = predictors
        inverse = np.exp(-log_spread)
        far = (self.numbers[rows, np.newaxis] - mean) * inverse
        value = -_LOG_ROOT - log_spread - 0.5 * far**2
        first = np.stack([far * inverse, far**2 - 1])
        across = -2 * far * inverse
        steep = np.broadcast_to(-(inverse**2), far.shape)
        second = np.stack([np.stack([steep, across]), np.stack([across, -2 * far**2])])
        return LogDensity(value[np.newaxis], first[:, np.newaxis], second[:, :, np.newaxis])

    def start(self, predictors: tuple[Predictor, ...], cells: Floats) -> Floats:
        # Least squares on the matrix that is expected given the reports.
        matrix = np.einsum("izp,iz->ip", predictors[0].matrix, cells)
        found = np.linalg.lstsq(matrix, self.numbers)[0]
        spread = max(float(np.std(self.numbers - matrix @ found)), 1e-8)
        return np.append(found, np.log(spread))

    def means(self, predictors: Floats) -> tuple[Floats, Floats]:
        mean = predictors[:1]
        first = np.stack([np.ones_like(mean), np.zeros_like(mean)])
        return mean, first
