"""The log likelihood of shares and unknown parameters, with its derivatives.

A point is (true + unknown,) numbers: the shares, then the parameters.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.designs.groups import Answered, Answers, GroupModel

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LogLikelihood:
    """The log likelihood of answered groups, without constants.

    Weights are scaled to a mean of 1, so that n rows count as n.
    """

    answered: Answered

    @property
    def size(self) -> int:
        """How many true categories there are."""
        return len(self.answered.true)

    def at(self, point: Floats) -> float:
        """The log likelihood; minus infinity where the answers are impossible."""
        found = 0.0
        for weights, rates, _ in self._groups(point):
            is_seen = weights > 0
            if np.any(rates[is_seen] <= 0):
                return -np.inf
            found += float(weights[is_seen] @ np.log(rates[is_seen]))
        return found

    def score(self, point: Floats) -> Floats:
        """The gradient."""
        found = np.zeros(len(point))
        for weights, rates, slopes in self._groups(point):
            found += slopes.T @ _ratios(weights, rates)
        return found

    def expected_information(self, point: Floats) -> Floats:
        """What the score varies by on average."""
        found = np.zeros((len(point), len(point)))
        for weights, rates, slopes in self._groups(point):
            found += slopes.T @ (
                slopes * _ratios(np.full_like(rates, weights.sum()), rates)[:, None]
            )
        return found

    def observed_information(self, point: Floats) -> Floats:
        """Minus the second derivatives."""
        found = np.zeros((len(point), len(point)))
        groups = zip(self.answered.groups, self._groups(point), strict=True)
        for group, (weights, rates, slopes) in groups:
            ratios = _ratios(weights, rates)
            found += slopes.T @ (slopes * _ratios(ratios, rates)[:, None])
            # A rate is bilinear, so only a share and a parameter bend it.
            bends = np.einsum("y,uyx->ux", ratios, group.slopes)
            found[self.size :, : self.size] -= bends
            found[: self.size, self.size :] -= bends.T
        return found

    def score_variance(self, point: Floats) -> Floats:
        """The sum of the squared scores of all rows, by their weights."""
        found = np.zeros((len(point), len(point)))
        answers = zip(self.answered.answers, self._groups(point), strict=True)
        for each, (_, rates, slopes) in answers:
            squares = each.squares * self._scale**2
            found += slopes.T @ (slopes * _ratios(_ratios(squares, rates), rates)[:, None])
        return found

    @property
    def _scale(self) -> float:
        weights = sum(float(each.weights.sum()) for each in self.answered.answers)
        return self.answered.rows / weights

    def _groups(self, point: Floats) -> list[tuple[Floats, Floats, Floats]]:
        """For each group its weights, its rates at a point, and their slopes."""
        pairs = zip(self.answered.groups, self.answered.answers, strict=True)
        return [self._group(group, answers, point) for group, answers in pairs]

    def _group(
        self, group: GroupModel, answers: Answers, point: Floats
    ) -> tuple[Floats, Floats, Floats]:
        shares, parameters = point[: self.size], point[self.size :]
        rates = group.matrix(parameters) @ shares
        return answers.weights * self._scale, rates, self.slopes(group, point)

    def slopes(self, group: GroupModel, point: Floats) -> Floats:
        """How the rates (observed, true + unknown) of a group move with a point."""
        shares, parameters = point[: self.size], point[self.size :]
        bends = [each @ shares for each in group.slopes]
        return np.column_stack([group.matrix(parameters), *bends])


def _ratios(above: Floats, rates: Floats) -> Floats:
    """Above / rates; 0 where the rate is 0, for nothing was seen there."""
    is_possible = rates > 0
    return np.where(is_possible, above / np.where(is_possible, rates, 1.0), 0.0)
