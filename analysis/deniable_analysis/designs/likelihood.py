"""The log likelihood of shares and unknown parameters, with its derivatives.

A point is an array (true + unknown,): the shares, then the parameters.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Floats
from deniable_analysis.designs.groups import AnsweredGroups


@dataclass(frozen=True, slots=True)
class LogLikelihood:
    """The log likelihood of answered groups, without constants.

    An outcome is an observed category of a group. Weights are scaled to a mean
    of 1, so that the weights of n rows sum to n.

    Args:
        constant: (outcomes, true) matrices if the parameters are 0.
        slopes: (unknown, outcomes, true) derivatives of the matrices by each
            parameter.
        weights: (outcomes,) sums of the weights of rows.
        squares: (outcomes,) sums of the squared weights.
        totals: (outcomes,) sums of the weights in the outcome's group.
    """

    constant: Floats
    slopes: Floats
    weights: Floats
    squares: Floats
    totals: Floats

    @classmethod
    def of(cls, answered: AnsweredGroups) -> Self:
        """The log likelihood of the groups' answers."""
        answers = answered.answers
        weights = np.concatenate([each.weights for each in answers])
        scale = answered.rows / weights.sum()
        totals = [np.full(len(each.weights), each.weights.sum()) for each in answers]
        return cls(
            np.concatenate([group.constant for group in answered.groups]),
            np.concatenate([group.slopes for group in answered.groups], axis=1),
            weights * scale,
            np.concatenate([each.squares for each in answers]) * scale**2,
            np.concatenate(totals) * scale,
        )

    @property
    def size(self) -> int:
        """The number of true categories."""
        return int(self.constant.shape[1])

    @property
    def rows(self) -> float:
        """The number of rows with answers."""
        return float(self.weights.sum())

    def at(self, point: Floats) -> float:
        """The log likelihood; minus infinity if the answers are impossible."""
        is_seen = self.weights > 0
        rates = self.rates(point)[is_seen]
        if np.any(rates <= 0):
            return -np.inf
        return float(self.weights[is_seen] @ np.log(rates))

    def rates(self, point: Floats) -> Floats:
        """The probability of each outcome in its group."""
        return np.asarray(self._matrix(point) @ point[: self.size])

    def slopes_at(self, point: Floats) -> Floats:
        """The derivatives (outcomes, true + unknown) of the rates."""
        return np.hstack([self._matrix(point), (self.slopes @ point[: self.size]).T])

    def score(self, point: Floats) -> Floats:
        """The gradient."""
        return np.asarray(self.slopes_at(point).T @ quotients(self.weights, self.rates(point)))

    def expected_information(self, point: Floats) -> Floats:
        """The expected variance of the score."""
        return self._gram(point, quotients(self.totals, self.rates(point)))

    def observed_information(self, point: Floats) -> Floats:
        """The second derivatives with the opposite sign."""
        rates = self.rates(point)
        ratios = quotients(self.weights, rates)
        found = self._gram(point, quotients(ratios, rates))
        # A rate is bilinear: its only second derivatives mix a share and a parameter.
        bends = np.einsum("o,uox->ux", ratios, self.slopes)
        found[self.size :, : self.size] -= bends
        found[: self.size, self.size :] -= bends.T
        return found

    def score_variance(self, point: Floats) -> Floats:
        """The sum over all rows of the squared scores, times the squared weights."""
        rates = self.rates(point)
        return self._gram(point, quotients(quotients(self.squares, rates), rates))

    def _matrix(self, point: Floats) -> Floats:
        parameters = point[self.size :, None, None]
        return np.asarray(self.constant + np.sum(parameters * self.slopes, axis=0))

    def _gram(self, point: Floats, factors: Floats) -> Floats:
        slopes = self.slopes_at(point)
        return np.asarray(slopes.T @ (slopes * factors[:, None]))


def quotients(above: ArrayLike, below: Floats) -> Floats:
    """Above / below; 0 where below is not above 0, as for what is impossible."""
    shape = np.broadcast_shapes(np.shape(above), below.shape)
    return np.divide(above, below, out=np.zeros(shape), where=below > 0)
