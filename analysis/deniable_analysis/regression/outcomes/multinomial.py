"""Several categories without order: the multinomial logit."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.outcomes.base import LogDensity, Predictor


@dataclass(frozen=True, slots=True)
class Multinomial:
    """Log-odds of each category against the first, one predictor each."""

    categories: tuple[str, ...]

    def designs(self, matrix: Floats, terms: tuple[str, ...]) -> tuple[Predictor, ...]:
        return tuple(
            Predictor(tuple(f"{category}: {term}" for term in terms), matrix)
            for category in self.categories[1:]
        )

    def density(self, predictors: Floats, rows: slice) -> LogDensity:  # noqa: ARG002 - the protocol's
        logs = _logs(predictors)
        shares = np.exp(logs[1:])
        is_own = np.eye(len(self.categories))[1:, :, np.newaxis, np.newaxis]
        first = is_own - shares[:, np.newaxis]
        return LogDensity(logs, first, -_spread(shares)[:, :, np.newaxis])

    def start(self, predictors: tuple[Predictor, ...], cells: Floats) -> Floats:  # noqa: ARG002 - the protocol's
        return np.zeros(sum(len(each.names) for each in predictors))

    def means(self, predictors: Floats) -> tuple[Floats, Floats]:
        shares = np.exp(_logs(predictors))
        return shares, _spread(shares)[1:]


def _logs(predictors: Floats) -> Floats:
    """The (categories, rows, cells) log probabilities."""
    whole = np.concatenate([np.zeros_like(predictors[:1]), predictors])
    found: Floats = special.log_softmax(whole, axis=0)
    return found


def _spread(shares: Floats) -> Floats:
    """diag(p) - p p', which is also how shares move with the predictors."""
    found: Floats = -shares[:, np.newaxis] * shares[np.newaxis]
    places = np.arange(len(shares))
    found[places, places] += shares
    return found
