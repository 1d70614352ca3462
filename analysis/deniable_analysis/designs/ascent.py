"""Climbing a likelihood of shares within their bounds, to the top or to an edge.

Newton's method on the coordinates that are free, with those that are on a
bound held there until the slope says that they should leave it.
"""

import numpy as np

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.designs.likelihood import LogLikelihood

_MOST_STEPS = 500
_EM_STEPS = 5
# Half the gain in log likelihood that is still worth a step.
_STANDSTILL = 1e-18
_SLACK = 1e-9


def active_set_newton(likelihood: LogLikelihood, start: Floats) -> tuple[Floats, Bools]:
    """The top that is reached from a start, and which coordinates are on a bound.

    Args:
        likelihood: of shares and unknown parameters.
        start: (true + unknown,) a point inside all bounds.
    Returns:
        The point, and which of its coordinates are held by a bound.
    """
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
    """The directions in which free coordinates may move, the shares' sum fixed.

    Args:
        size: how many coordinates are shares; they come first.
        free: (coordinates,) which may move.
    Returns:
        (coordinates, directions) a basis.
    """
    shares = np.flatnonzero(free[:size])
    others = size + np.flatnonzero(free[size:])
    identity = np.eye(len(free))
    moves = identity[:, shares[:-1]] - identity[:, shares[-1:]] if len(shares) else identity[:, :0]
    return np.column_stack([moves, identity[:, others]])


def _expectation_maximization(likelihood: LogLikelihood, start: Floats) -> Floats:
    """A few steps that raise the likelihood of the shares, parameters fixed."""
    point = start.copy()
    size, rows = likelihood.size, likelihood.rows
    for _ in range(_EM_STEPS):
        shares = point[:size] * likelihood.score(point)[:size] / rows
        point[:size] = shares / shares.sum()
    return point


def _newton_step(
    likelihood: LogLikelihood, point: Floats, score: Floats, free: Bools
) -> tuple[Floats, float]:
    """The step to the top of a paraboloid, and twice the height it would gain."""
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
    """The point after as much of a step as bounds and the likelihood allow."""
    reach, blocking = _reach(likelihood.size, point, step)
    height = likelihood.at(point)
    length = min(1.0, reach)
    tolerated = 1e-12 * max(1.0, abs(height))
    while length > 1e-16 and likelihood.at(point + length * step) < height - tolerated:
        length /= 2
    moved = point + length * step
    held = held.copy()
    if blocking is not None and length == reach:
        held[blocking] = True
        moved[blocking] = np.round(moved[blocking]) + 0.0  # never -0.0
    return moved, held


def _reach(size: int, point: Floats, step: Floats) -> tuple[float, int | None]:
    """How much of a step the bounds allow, and which coordinate is stopped."""
    reach, blocking = np.inf, None
    for place, (value, move) in enumerate(zip(point, step, strict=True)):
        if move == 0 or (move > 0 and place < size):
            continue  # the other shares hold this one below 1
        room = (0 - value) / move if move < 0 else (1 - value) / move
        if room < reach:
            reach, blocking = room, place
    return reach, blocking


def _most_wanting(
    likelihood: LogLikelihood, point: Floats, score: Floats, held: Bools
) -> int | None:
    """The held coordinate whose slope leads inside most, if any does."""
    size, rows = likelihood.size, likelihood.rows
    # At the top the score of every free share is the number of rows.
    inward = np.concatenate(
        (score[:size] - rows, np.where(point[size:] > 0.5, -1, 1) * score[size:])
    )
    inward[~held] = -np.inf
    place = int(np.argmax(inward))
    return place if inward[place] > _SLACK * rows else None
