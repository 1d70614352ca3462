"""Two categories: a link and one linear predictor."""

from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.regression.links import Link
from deniable_analysis.regression.outcomes.base import LogDensity, Predictor


@dataclass(frozen=True, slots=True)
class Binary:
    """The second category's probability through a link."""

    categories: tuple[str, ...]
    link: Link

    def designs(self, matrix: Floats, terms: tuple[str, ...]) -> tuple[Predictor, ...]:
        return (Predictor(terms, matrix),)

    def density(self, predictors: Floats, rows: slice) -> LogDensity:  # noqa: ARG002 - the protocol's
        logs = self.link(predictors[0])
        return LogDensity(
            np.stack(logs.value),
            np.stack(logs.first)[np.newaxis],
            np.stack(logs.second)[np.newaxis, np.newaxis],
        )

    def start(self, predictors: tuple[Predictor, ...], cells: Floats) -> Floats:  # noqa: ARG002 - the protocol's
        return np.zeros(len(predictors[0].names))

    def means(self, predictors: Floats) -> tuple[Floats, Floats]:
        logs = self.link(predictors[0])
        yes = np.exp(logs.value[1])
        return yes[np.newaxis], (yes * logs.first[1])[np.newaxis, np.newaxis]
