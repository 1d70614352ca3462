"""The maximum likelihood shares, between 0 and 1, and which of them are on a bound.

A point is an array (true + unknown,): the shares, then the unknown parameters. It
moves by Newton's method on the free coordinates. A coordinate on a bound stays
there until the score points inside.
"""

from dataclasses import dataclass
from itertools import product
from typing import Self

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.designs.answers import AnsweredGroups
from deniable_analysis.designs.moment import Solution, check_identified, solve_moments
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.ratio import quotients


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


_MOST_STEPS = 500
_EM_STEPS = 5
# Half the smallest gain in log likelihood for which a step is made.
_STANDSTILL = 1e-18
_SLACK = 1e-9


def _maximum(likelihood: LogLikelihood, start: Floats) -> tuple[Floats, Bools]:
    """The maximum that Newton's method reaches from a start, and its coordinates on a bound."""
    point = _expectation_maximization(likelihood, start)
    held = np.zeros(len(point), dtype=np.bool_)
    for _ in range(_MOST_STEPS):
        score = likelihood.score(point)
        step, gain = _newton_step(likelihood, point, score, ~held)
        if gain < _STANDSTILL * max(1.0, likelihood.rows):
            leaving = _most_wanting(likelihood, point, score, held)
            if leaving is None:
                break
            held[leaving] = False
            continue
        point, held = _advance(likelihood, point, step, held)
    return point, held


def tangent(size: int, free: Bools) -> Floats:
    """(coordinates, directions) basis of the free moves that keep the sum of the first `size`."""
    shares = np.flatnonzero(free[:size])
    others = size + np.flatnonzero(free[size:])
    identity = np.eye(len(free))
    moves = identity[:, shares[:-1]] - identity[:, shares[-1:]] if len(shares) else identity[:, :0]
    return np.column_stack([moves, identity[:, others]])


def _expectation_maximization(likelihood: LogLikelihood, start: Floats) -> Floats:
    """A few steps that increase the likelihood of the shares, with fixed parameters."""
    point = start.copy()
    size, rows = likelihood.size, likelihood.rows
    for _ in range(_EM_STEPS):
        shares = point[:size] * likelihood.score(point)[:size] / rows
        point[:size] = shares / shares.sum()
    return point


def _newton_step(
    likelihood: LogLikelihood, point: Floats, score: Floats, free: Bools
) -> tuple[Floats, float]:
    """The step to the maximum of the quadratic approximation, and twice its gain."""
    basis = tangent(likelihood.size, free)
    slope = basis.T @ score
    if not slope.size:
        return np.zeros(len(point)), 0.0
    bend = basis.T @ likelihood.observed_information(point) @ basis
    if np.linalg.eigvalsh(bend)[0] <= 0:
        bend = basis.T @ likelihood.expected_information(point) @ basis
    move = np.linalg.lstsq(bend, slope, rcond=1e-12)[0]
    return basis @ move, float(slope @ move)


def _advance(
    likelihood: LogLikelihood, point: Floats, step: Floats, held: Bools
) -> tuple[Floats, Bools]:
    """The point after the largest part of a step that bounds and likelihood allow."""
    # The other shares keep a share below 1.
    meets = (step < 0) | ((step > 0) & (np.arange(len(step)) >= likelihood.size))
    rooms = np.full(len(step), np.inf)
    np.divide((step > 0) - point, step, out=rooms, where=meets)
    blocking = int(np.argmin(rooms))
    reach, height = float(rooms[blocking]), likelihood.at(point)
    length = min(1.0, reach)
    tolerated = 1e-12 * max(1.0, abs(height))
    while length > 1e-16 and likelihood.at(point + length * step) < height - tolerated:
        length /= 2
    moved = point + length * step
    held = held.copy()
    if length == reach:
        held[blocking] = True
        moved[blocking] = np.round(moved[blocking]) + 0.0  # never -0.0
    return moved, held


def _most_wanting(
    likelihood: LogLikelihood, point: Floats, score: Floats, held: Bools
) -> int | None:
    """The held coordinate whose score points inside most, if any does."""
    size, rows = likelihood.size, likelihood.rows
    # At the maximum the score of every free share is the number of rows.
    inward = np.concatenate(
        (score[:size] - rows, np.where(point[size:] > 0.5, -1, 1) * score[size:])
    )
    inward[~held] = -np.inf
    index = int(np.argmax(inward))
    return index if inward[index] > _SLACK * rows else None


# Starts of unknown parameters, which are probabilities: low, middle, high.
_TRIED = (0.15, 0.5, 0.85)
# The distance of a start from the bounds.
_INSIDE = 0.02
_SINGULAR = 1e-10


def solve_likelihood(answered: AnsweredGroups) -> Solution:
    """The maximum likelihood estimates of the shares and parameters.

    They are computed by expectation maximization and Newton's method within the
    bounds, from several fixed starts if there are unknown parameters.
    Covariances come from the observed information of the values that are not on
    a bound; with weights, from the sandwich of the pseudo-likelihood.

    Raises:
        NotIdentified: the answers of these groups do not identify the shares.
        InvalidArgument: a group has a single answer.
    Source: van den Hout and van der Heijden 2002 (International Statistical
        Review 70); Binder 1983 for weights.
    """
    answered.check_sizes()
    likelihood = LogLikelihood.of(answered)
    tops = [_maximum(likelihood, start) for start in _starts(answered, likelihood)]
    point, held = max(tops, key=lambda top: likelihood.at(top[0]))
    size = len(answered.true)
    # If one of two shares is held at 0, the other is not free either.
    free_shares = ~held[:size]
    is_fixed = held.copy()
    if np.count_nonzero(free_shares) == 1:
        is_fixed[:size] = True
    covariance = _covariance(likelihood, point, is_fixed, is_weighted=answered.is_weighted)
    shares = point[:size]
    sampling = (np.diag(shares) - np.outer(shares, shares)) / answered.effective
    return Solution(
        shares=shares,
        parameters=point[size:],
        covariance=covariance,
        mechanism=covariance[:size, :size] - sampling,
        kind="sandwich" if answered.is_weighted else "observed",
        boundary=is_fixed,
    )


def _starts(answered: AnsweredGroups, likelihood: LogLikelihood) -> list[Floats]:
    """Equal shares with low to high parameters, and the unbiased estimate moved inside.

    The likelihood of shares alone has a single maximum; with unknown parameters
    it has several.
    """
    size, unknown = len(answered.true), len(answered.unknown)
    even = np.full(size, 1 / size)
    starts = [np.append(even, each) for each in product(_TRIED, repeat=unknown)]
    check_identified(answered, likelihood.slopes_at(np.append(even, np.full(unknown, 0.5))))
    if not unknown:
        return starts
    try:
        moments = solve_moments(answered)
    except NotIdentified:
        return starts
    shares = np.clip(moments.shares, _INSIDE, None)
    parameters = np.clip(moments.parameters, _INSIDE, 1 - _INSIDE)
    return [*starts, np.concatenate((shares / shares.sum(), parameters))]


def _covariance(
    likelihood: LogLikelihood, point: Floats, held: Bools, *, is_weighted: bool
) -> Floats:
    """The covariances of the free values; NaN for values on a bound.

    Also NaN where the likelihood is flat, as for a parameter of a category
    whose share is 0.
    """
    basis = tangent(likelihood.size, ~held)
    found = np.full((len(point), len(point)), np.nan)
    if not basis.shape[1]:
        return found
    information = basis.T @ likelihood.observed_information(point) @ basis
    values, vectors = np.linalg.eigh(information)
    is_told = values > _SINGULAR * max(values.max(), 1e-300)
    inverse = vectors[:, is_told] / values[is_told] @ vectors[:, is_told].T
    if is_weighted:
        middle = basis.T @ likelihood.score_variance(point) @ basis
        inverse = inverse @ middle @ inverse
    flat = np.abs(basis @ vectors[:, ~is_told]).max(axis=1, initial=0.0) > 1e-6
    told = ~held & ~flat
    found[np.ix_(told, told)] = (basis @ inverse @ basis.T)[np.ix_(told, told)]
    return found
