"""Which estimates are sure enough for a normal interval."""

from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Bools, Floats, Indexes
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.scale import predictor_steps

# Standard errors of log-odds: up to the first a normal interval covers, and beside
# one beyond the second no standard error can be trusted (tests/analysis/regression/
# test_coverage.py).
_SURE = 0.5
_LOOSE = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Soundness:
    """Which standard errors can be trusted.

    Args:
        is_normal: (parameters,) whether a normal interval covers.
        is_loose: (parameters,) whether the likelihood is so flat, or its
            maximum so near an edge, that the standard error says nothing.
    """

    is_normal: Bools
    is_loose: Bools

    @classmethod
    def of(cls, model: Model, parameters: Floats, variances: Floats) -> "Soundness":
        """That of the estimates of a likelihood.

        Args:
            model: with its rows.
            parameters: estimates.
            variances: of these; infinite where the data hold nothing.
        """
        moved = np.sqrt(np.maximum(variances, 0.0)) * predictor_steps(model, parameters)
        is_loose = ~(moved <= _LOOSE)
        return cls((moved <= _SURE) & (not is_loose.any()), is_loose)

    def of_places(self, places: Indexes, *, is_wald: bool) -> "Soundness":
        """That of some parameters; all are normal where Wald's intervals were chosen."""
        return Soundness(self.is_normal[places] | is_wald, self.is_loose[places])

    @classmethod
    def of_all(cls, size: int) -> "Soundness":
        """Taken for granted, as with moments."""
        return cls(np.ones(size, dtype=bool), np.zeros(size, dtype=bool))
