"""Several categories in order: cumulative logits with the same slopes."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidFormula
from deniable_analysis.regression.outcomes.base import LogDensity, Predictor

INTERCEPT = "Intercept"


@dataclass(frozen=True, slots=True)
class Ordered:
    """logit P(at most category k) = threshold k - predictor.

    The thresholds take the place of the intercept.

    Source: McCullagh 1980, Regression models for ordinal data.
    """

    categories: tuple[str, ...]

    def designs(self, matrix: Floats, terms: tuple[str, ...]) -> tuple[Predictor, ...]:
        kept = [place for place, term in enumerate(terms) if term != INTERCEPT]
        if not kept:
            raise InvalidFormula(
                "got no predictor for an ordered outcome; allowed is at least one: name a column "
                "after the ~, or take link='logit' for shares alone"
            )
        pairs = zip(self.categories[:-1], self.categories[1:], strict=True)
        thresholds = [
            Predictor((f"{low}|{high}",), np.ones((len(matrix), 1, 1))) for low, high in pairs
        ]
        slopes = Predictor(tuple(terms[place] for place in kept), matrix[:, :, kept])
        return (*thresholds, slopes)

    def density(self, predictors: Floats, rows: slice) -> LogDensity:  # noqa: ARG002 - the protocol's
        tails, slopes, curves = _tails(predictors)
        shares = np.diff(tails, axis=0)
        # Thresholds out of order give no density at all, also of the categories
        # whose shares then sum to more than 1; the search steps back from there.
        has_density = (shares > 0) & (shares >= 0).all(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.where(has_density, np.log(shares), -np.inf)
            inverse = np.where(has_density, 1 / shares, 0.0)
        count = len(self.categories)
        first = np.zeros((count, count, *shares.shape[1:]))
        second = np.zeros((count, count, count, *shares.shape[1:]))
        for place in range(count - 1):
            first[place, place] = slopes[place]
            first[place, place + 1] = -slopes[place]
            second[place, place, place] = curves[place]
            second[place, place, place + 1] = -curves[place]
        _add_predictor(first, second)
        first = first * inverse
        second = second * inverse - first[:, np.newaxis] * first[np.newaxis]
        return LogDensity(value, first, second)

    def start(self, predictors: tuple[Predictor, ...], cells: Floats) -> Floats:  # noqa: ARG002 - the protocol's
        even = np.arange(1, len(self.categories)) / len(self.categories)
        return np.concatenate([special.logit(even), np.zeros(len(predictors[-1].names))])

    def means(self, predictors: Floats) -> tuple[Floats, Floats]:
        tails, slopes, _ = _tails(predictors)
        count = len(self.categories)
        first = np.zeros((count, count, *slopes.shape[1:]))
        for place in range(count - 1):
            first[place, place] = slopes[place]
            first[place, place + 1] = -slopes[place]
        first[-1] = -first[:-1].sum(axis=0)
        return np.diff(tails, axis=0), first


def _tails(predictors: Floats) -> tuple[Floats, Floats, Floats]:
    """P(at most each category), with 0 and 1 at the ends, and its derivatives."""
    thresholds, slope = predictors[:-1], predictors[-1:]
    below = special.expit(thresholds - slope)
    density = below * special.expit(slope - thresholds)
    ends = np.zeros_like(below[:1])
    return np.concatenate([ends, below, ends + 1]), density, density * (1 - 2 * below)


def _add_predictor(first: Floats, second: Floats) -> None:
    """The derivatives by the slopes' predictor: moving it moves all thresholds back."""
    first[-1] = -first[:-1].sum(axis=0)
    across = -second[:-1, :-1].sum(axis=1)
    second[:-1, -1] = across
    second[-1, :-1] = across
    second[-1, -1] = -across.sum(axis=0)
