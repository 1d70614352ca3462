"""The maximum likelihood shares, between 0 and 1, and which of them are on a bound.

It is Newton's method on the free coordinates. A coordinate on a bound stays
there until the score points inside.
"""

from itertools import product

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.designs.groups import AnsweredGroups
from deniable_analysis.designs.likelihood import LogLikelihood
from deniable_analysis.designs.moment import (
    Solution,
    check_identified,
    check_sizes,
    solve_moments,
)
from deniable_analysis.errors import NotIdentified

_MOST_STEPS = 500
_EM_STEPS = 5
# Half the smallest gain in log likelihood for which a step is made.
_STANDSTILL = 1e-18
_SLACK = 1e-9


def active_set_newton(likelihood: LogLikelihood, start: Floats) -> tuple[Floats, Bools]:
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
    """A basis of the moves of free coordinates that keep the sum of the shares.

    Args:
        size: number of coordinates that are shares; they come first.
        free: (coordinates,) True for those that may move.
    Returns:
        (coordinates, directions) basis.
    """
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
    reach, blocking = _reach(likelihood.size, point, step)
    height = likelihood.at(point)
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


def _reach(size: int, point: Floats, step: Floats) -> tuple[float, int]:
    """The part of a step that the bounds allow, and the coordinate that stops it."""
    # The other shares keep a share below 1.
    meets = (step < 0) | ((step > 0) & (np.arange(len(step)) >= size))
    rooms = np.full(len(step), np.inf)
    np.divide((step > 0) - point, step, out=rooms, where=meets)
    blocking = int(np.argmin(rooms))
    return float(rooms[blocking]), blocking


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
        InvalidCounts: a group has a single answer.
    Source: van den Hout and van der Heijden 2002 (International Statistical
        Review 70); Binder 1983 for weights.
    """
    check_sizes(answered)
    likelihood = LogLikelihood.of(answered)
    tops = [active_set_newton(likelihood, start) for start in _starts(answered, likelihood)]
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
