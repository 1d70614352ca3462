"""The kinds of outcome: the probability of each category under linear predictors.

Each kind has the same parts. `categories` are its categories, the reference
first; a number has a single nameless one. `designs` returns the linear
predictors, each with its own coefficients, from the (rows, cells, terms) matrix
of the formula. `density` and `means` take the (predictors, rows, cells) values
of the predictors. `means` returns the expectations, the probability of each
category or the mean, (shown, rows, cells), and their derivatives, (predictors,
shown, rows, cells). `start` returns start values of the coefficients, from the
(rows, cells) approximate probability of each cell given the report.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy import special

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.regression.formula import INTERCEPT


@dataclass(frozen=True, slots=True, eq=False)
class TwoLogs:
    """log P(no) and log P(yes) with their first and second derivatives.

    Each is a pair of arrays, "no" first, with the shape of the linear
    predictor.
    """

    value: tuple[Floats, Floats]
    first: tuple[Floats, Floats]
    second: tuple[Floats, Floats]


Link = Callable[[Floats], TwoLogs]


def logit(predictor: Floats) -> TwoLogs:
    """P(yes) = 1 / (1 + exp(-predictor))."""
    small = np.exp(-np.abs(predictor))
    rest = np.log1p(small)
    likelier = 1 / (1 + small)
    other = small * likelier
    is_up = predictor >= 0
    yes, no = np.where(is_up, likelier, other), np.where(is_up, other, likelier)
    both = -likelier * other
    return TwoLogs(
        (-np.maximum(predictor, 0.0) - rest, np.minimum(predictor, 0.0) - rest),
        (-yes, no),
        (both, both),
    )


LOG_ROOT = 0.5 * float(np.log(2 * np.pi))


def probit(predictor: Floats) -> TwoLogs:
    """P(yes) is the normal distribution function of the predictor."""
    no, yes = special.log_ndtr(-predictor), special.log_ndtr(predictor)
    log_density = -0.5 * predictor**2 - LOG_ROOT
    # The inverse Mills ratio; through logarithms, for the far tails.
    up, down = np.exp(log_density - yes), np.exp(log_density - no)
    return TwoLogs((no, yes), (-down, up), (-down * (down - predictor), -up * (up + predictor)))


# Beyond this P(no) is below exp(-1e13), and exp would soon overflow.
_HIGHEST = 30.0
# Below this, exp is 0 in floats.
_LOWEST = -700.0


def cloglog(predictor: Floats) -> TwoLogs:
    """P(yes) = 1 - exp(-exp(predictor))."""
    rate = np.exp(np.clip(predictor, _LOWEST, _HIGHEST))
    with np.errstate(over="ignore", divide="ignore"):
        yes = np.log(-np.expm1(-rate))
        slope = rate / np.expm1(rate)
    return TwoLogs((-rate, yes), (-rate, slope), (-rate, slope * (1 - rate - slope)))


LINKS: Mapping[str, Link] = {"logit": logit, "probit": probit, "cloglog": cloglog}


@dataclass(frozen=True, slots=True, eq=False)
class LogDensity:
    """The log density of an outcome and its derivatives by the predictors.

    An axis may have length 1 if the values do not differ along it.

    Args:
        value: (categories, rows, cells) log densities.
        first: (predictors, categories, rows, cells) first derivatives.
        second: (predictors, predictors, categories, rows, cells) second
            derivatives.
    """

    value: Floats
    first: Floats
    second: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Predictor:
    """One linear predictor.

    Args:
        names: names of its coefficients.
        matrix: (rows, cells, coefficients) matrix; an axis has length 1 if
            nothing differs along it.
    """

    names: tuple[str, ...]
    matrix: Floats


@dataclass(frozen=True, slots=True)
class Binary:
    """An outcome of two categories; a link maps the predictor to P(second category)."""

    categories: tuple[str, ...]
    link: Link

    def designs(self, matrix: Floats, terms: tuple[str, ...]) -> tuple[Predictor, ...]:
        return (Predictor(terms, matrix),)

    def density(self, predictors: Floats, rows: slice) -> LogDensity:  # noqa: ARG002 - as the other kinds
        logs = self.link(predictors[0])
        return LogDensity(
            np.stack(logs.value),
            np.stack(logs.first)[np.newaxis],
            np.stack(logs.second)[np.newaxis, np.newaxis],
        )

    def start(self, predictors: tuple[Predictor, ...], cells: Floats) -> Floats:  # noqa: ARG002 - as the other kinds
        return np.zeros(len(predictors[0].names))

    def means(self, predictors: Floats) -> tuple[Floats, Floats]:
        logs = self.link(predictors[0])
        yes = np.exp(logs.value[1])
        return yes[np.newaxis], (yes * logs.first[1])[np.newaxis, np.newaxis]


@dataclass(frozen=True, slots=True)
class Multinomial:
    """Log-odds of each category against the first, with one predictor for each."""

    categories: tuple[str, ...]

    def designs(self, matrix: Floats, terms: tuple[str, ...]) -> tuple[Predictor, ...]:
        return tuple(
            Predictor(tuple(f"{category}: {term}" for term in terms), matrix)
            for category in self.categories[1:]
        )

    def density(self, predictors: Floats, rows: slice) -> LogDensity:  # noqa: ARG002 - as the other kinds
        logs = _logs(predictors)
        shares = np.exp(logs[1:])
        is_own = np.eye(len(self.categories))[1:, :, np.newaxis, np.newaxis]
        first = is_own - shares[:, np.newaxis]
        return LogDensity(logs, first, -_spread_of_shares(shares)[:, :, np.newaxis])

    def start(self, predictors: tuple[Predictor, ...], cells: Floats) -> Floats:  # noqa: ARG002 - as the other kinds
        return np.zeros(sum(len(each.names) for each in predictors))

    def means(self, predictors: Floats) -> tuple[Floats, Floats]:
        shares = np.exp(_logs(predictors))
        return shares, _spread_of_shares(shares)[1:]


def _logs(predictors: Floats) -> Floats:
    """The (categories, rows, cells) log probabilities."""
    whole = np.concatenate([np.zeros_like(predictors[:1]), predictors])
    return special.log_softmax(whole, axis=0)


def _spread_of_shares(shares: Floats) -> Floats:
    """diag(p) - p p', which is also the derivative of the shares by the predictors."""
    found: Floats = -shares[:, np.newaxis] * shares[np.newaxis]
    indexes = np.arange(len(shares))
    found[indexes, indexes] += shares
    return found


@dataclass(frozen=True, slots=True)
class Ordered:
    """logit P(at most category k) = threshold k - predictor.

    The thresholds replace the intercept.

    Source: McCullagh 1980, Regression models for ordinal data.
    """

    categories: tuple[str, ...]

    def designs(self, matrix: Floats, terms: tuple[str, ...]) -> tuple[Predictor, ...]:
        kept = [index for index, term in enumerate(terms) if term != INTERCEPT]
        if not kept:
            raise InvalidArgument(
                "got no predictor for an ordered outcome; allowed is at least one: name a column "
                "after the ~, or use link='logit' for shares alone"
            )
        pairs = zip(self.categories[:-1], self.categories[1:], strict=True)
        thresholds = [
            Predictor((f"{low}|{high}",), np.ones((len(matrix), 1, 1))) for low, high in pairs
        ]
        slopes = Predictor(tuple(terms[index] for index in kept), matrix[:, :, kept])
        return (*thresholds, slopes)

    def density(self, predictors: Floats, rows: slice) -> LogDensity:  # noqa: ARG002 - as the other kinds
        tails, slopes, curves = _tails(predictors)
        shares = np.diff(tails, axis=0)
        # If thresholds are out of order, no category has a density, because the shares of the
        # others then sum to more than 1. The search then steps back.
        has_density = (shares > 0) & (shares >= 0).all(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.where(has_density, np.log(shares), -np.inf)
            inverse = np.where(has_density, 1 / shares, 0.0)
        count = len(self.categories)
        at = np.arange(count - 1)
        second = np.zeros((count, count, count, *shares.shape[1:]))
        second[at, at, at], second[at, at, at + 1] = curves, -curves
        # The derivatives by the slopes' predictor are minus those by all thresholds.
        across = -second[:-1, :-1].sum(axis=1)
        second[:-1, -1] = second[-1, :-1] = across
        second[-1, -1] = -across.sum(axis=0)
        first = _by_predictors(slopes) * inverse
        second = second * inverse - first[:, np.newaxis] * first[np.newaxis]
        return LogDensity(value, first, second)

    def start(self, predictors: tuple[Predictor, ...], cells: Floats) -> Floats:  # noqa: ARG002 - as the other kinds
        even = np.arange(1, len(self.categories)) / len(self.categories)
        return np.concatenate([special.logit(even), np.zeros(len(predictors[-1].names))])

    def means(self, predictors: Floats) -> tuple[Floats, Floats]:
        tails, slopes, _ = _tails(predictors)
        return np.diff(tails, axis=0), _by_predictors(slopes)


def _tails(predictors: Floats) -> tuple[Floats, Floats, Floats]:
    """P(at most each category), with 0 and 1 at the ends, and its derivatives."""
    thresholds, slope = predictors[:-1], predictors[-1:]
    below = special.expit(thresholds - slope)
    density = below * special.expit(slope - thresholds)
    ends = np.zeros_like(below[:1])
    return np.concatenate([ends, below, ends + 1]), density, density * (1 - 2 * below)


def _by_predictors(slopes: Floats) -> Floats:
    """The (predictors, categories, rows, cells) derivatives of the probabilities."""
    count = len(slopes) + 1
    found = np.zeros((count, count, *slopes.shape[1:]))
    at = np.arange(count - 1)
    found[at, at], found[at, at + 1] = slopes, -slopes
    found[-1] = -found[:-1].sum(axis=0)
    return found


LOG_SPREAD = "log spread"


@dataclass(frozen=True, slots=True, eq=False)
class Normal:
    """A numeric outcome; the predictors are the mean and the log spread."""

    numbers: Floats = field(repr=False)
    categories: tuple[str, ...] = ("",)

    def designs(self, matrix: Floats, terms: tuple[str, ...]) -> tuple[Predictor, ...]:
        ones = np.ones((len(matrix), 1, 1))
        return (Predictor(terms, matrix), Predictor((LOG_SPREAD,), ones))

    def density(self, predictors: Floats, rows: slice) -> LogDensity:
        mean, log_spread = predictors
        inverse = np.exp(-log_spread)
        far = (self.numbers[rows, np.newaxis] - mean) * inverse
        value = -LOG_ROOT - log_spread - 0.5 * far**2
        first = np.stack([far * inverse, far**2 - 1])
        across = -2 * far * inverse
        steep = np.broadcast_to(-(inverse**2), far.shape)
        second = np.stack([np.stack([steep, across]), np.stack([across, -2 * far**2])])
        return LogDensity(value[np.newaxis], first[:, np.newaxis], second[:, :, np.newaxis])

    def start(self, predictors: tuple[Predictor, ...], cells: Floats) -> Floats:
        # Least squares on the expected matrix given the reports.
        matrix = np.einsum("izp,iz->ip", predictors[0].matrix, cells)
        found = np.linalg.lstsq(matrix, self.numbers)[0]
        spread = max(float(np.std(self.numbers - matrix @ found)), 1e-8)
        return np.append(found, np.log(spread))

    def means(self, predictors: Floats) -> tuple[Floats, Floats]:
        mean = predictors[:1]
        first = np.stack([np.ones_like(mean), np.zeros_like(mean)])
        return mean, first


OutcomeModel = Binary | Multinomial | Ordered | Normal
