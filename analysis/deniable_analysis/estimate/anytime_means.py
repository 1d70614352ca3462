"""Intervals for means that hold at every look, by bets; see estimate.anytime."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.estimate.anytime import furthest

# Bets from nearly everything down to 1/8,192 of the capital: enough for 10^9 reports.
_OCTAVES = np.arange(27) / 2
BETS = 0.999 * 2.0**-_OCTAVES
# The best bet is about this, divided by the root of the number of reports. Bets within so many
# octaves of it have most of the capital, and all others some.
_BEST_BET, _SPREAD, _PLANNED_SPREAD, _ELSEWHERE = 9.0, 2.0, 1.5, 0.02
# The reports that bets on a mean are best for, if no number is planned: few have the widest ends.
_USUAL = 200.0
# Points of a grid on the scale of a mean.
_STEPS = 33


def anytime_mean(  # noqa: PLR0913 - what a mean and its bets follow from
    contributions: tuple[ArrayLike, ArrayLike],
    counts: ArrayLike,
    scale: tuple[float, float],
    missed: float,
    members: int = 1,
    *,
    planned: float | None = None,
) -> tuple[float | None, float | None]:
    """The ends for the mean among those who answered that holds at every look.

    A mean t is tested by sum - t * number, whose true mean is 0. The capital is
    a mixture of fixed bets on it, so that it depends on the counts of the
    values and not on the order of the reports.

    Args:
        contributions: (values,) of each kind of report to the sum of the
            answers, and (values,) to their number, 1 if everybody answers; both
            unbiased, and those of a member if a report is a set and contributes
            the mean of its members.
        counts: (values,) number of reports, or of members, of each kind.
        scale: smallest and largest mean that is tested.
        missed: as for anytime_ends.
        members: members of one report. The geometric mean of their bets is at
            most the bet on their mean, so the interval holds, but it is wider
            than necessary if there are many.
        planned: number of reports after which the interval is narrowest beside
            a fixed one; fixed before the first look.
    Returns:
        Both ends; None where the reports exclude no mean on this side, or all.
    Source: Orabona and Jun 2024 (IEEE Transactions on Information Theory 70),
        with fixed bets.
    """
    # Many kinds contribute the same: of a cell, all that support neither of its answers.
    (above, below), kinds = np.unique(
        np.asarray(np.broadcast_arrays(*contributions), np.float64), axis=1, return_inverse=True
    )
    weights = np.bincount(kinds, np.asarray(counts, np.float64) / members)
    most, parts = np.log(2 / missed), stakes(planned)

    def is_inside(tested: Floats) -> Bools:
        values = above - tested[:, None] * below
        bottom, top = values.min(axis=1), values.max(axis=1)
        is_possible = (bottom < 0) & (top > 0)
        placed = values / np.where(is_possible, top - bottom, np.inf)[:, None]
        logs = [np.log1p(sign * BETS[:, None, None] * placed) @ weights for sign in (1.0, -1.0)]
        capitals = np.logaddexp.reduce(logs + parts[:, None], axis=1)
        return np.asarray(is_possible & (capitals.max(axis=0) < most))

    return ends_around(weights @ above / (weights @ below), scale, is_inside)


def ends_around(
    estimate: float, scale: tuple[float, float], is_inside: Callable[[Floats], Bools]
) -> tuple[float | None, float | None]:
    """The ends of what a test does not exclude; None where it excludes nothing, or all.

    Args:
        estimate: a value that should be inside, if it is on the scale.
        scale: smallest and largest value that is tested.
        is_inside: function from (tested,) values to whether each is not excluded.
    """
    tested = np.sort(np.append(np.linspace(*scale, _STEPS), np.clip(estimate, *scale)))
    inside = np.flatnonzero(is_inside(tested))
    if not len(inside):
        return None, None
    first, last = inside[0], inside[-1]
    outer, inner = tested[[max(first - 1, 0), min(last + 1, _STEPS)]], tested[[first, last]]
    low, high = map(float, furthest(outer, inner, is_inside))
    return (low if first else None), (high if last < _STEPS else None)


def stakes(planned: float | None) -> Floats:
    """(bets,) logarithms of the parts of the capital that go on each bet."""
    spread = _SPREAD if planned is None else _PLANNED_SPREAD
    best = max(0.0, -np.log2(_BEST_BET / np.sqrt(planned or _USUAL)))
    parts = np.exp(-(((_OCTAVES - best) / spread) ** 2) / 2) + _ELSEWHERE
    return np.asarray(np.log(parts / parts.sum()))


def ends_within(
    ends: tuple[float | None, float | None], range_of: tuple[float, float]
) -> tuple[float, float]:
    """Both ends; one that the reports do not determine is that of the range of possible values."""
    (low, high), (least, most) = ends, range_of
    return (
        min(least, high if high is not None else least) if low is None else low,
        max(most, low if low is not None else most) if high is None else high,
    )
