"""The mean from `piecewise` reports: what each output adds, and the worst variance.

A table gives every output a number whose expectation is the answer's place
from the middle of a range of length 1, and 0 for no answer. Outputs a window
apart differ by a fixed rise. Where windows divide the steps, the slope within
a window is free: the table is unbiased for every slope, and the one with the
least worst variance is taken. Elsewhere outputs rise evenly.

All of it is the analyst's, and nothing that a device does depends on it.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from deniable_sdk.mechanisms.piecewise import Piecewise

# A slope is a fraction with at most this denominator; a finer one wins nothing.
_FINEST_SLOPE = 10**6
_ACCURACY = 1e-12
_MOST_CUTS = 60


class Shape(NamedTuple):
    """What the table of a mechanism depends on; `ratio` is high / low."""

    cells: int
    steps: int
    window: int
    ratio: float
    offers_no_answer: bool


def mean_table(mechanism: Piecewise, slope: Fraction | None = None) -> tuple[Fraction, ...]:
    """What each output adds to the mean, on a range of length 1 around 0.

    Within a window outputs rise by `slope`, the best one if left out.
    """
    numbers, unit = _whole_table(mechanism, best_slope(mechanism) if slope is None else slope)
    return (
        *(number * unit for number in numbers),
        *[Fraction(0)] * mechanism.domain.offers_no_answer,
    )


def worst_square(mechanism: Piecewise, curvature: Fraction) -> Fraction:
    """The largest E[table²] + curvature·place² over all answers.

    With -1 that is the variance; places are from the middle of a range of
    length 1, and no answer is there.
    """
    numbers, unit = _whole_table(mechanism, best_slope(mechanism))
    last, low = mechanism.cells - 1, mechanism.weights.low
    spread = mechanism.weights.high - low
    sums = [0, *itertools.accumulate(number**2 for number in numbers)]
    everywhere = low * sums[-1]
    squares = [
        everywhere + spread * (sums[start + mechanism.window] - sums[start])
        for start in range(mechanism.steps + 1)
    ]
    squares.append(0)  # never counts: the last place is rounded to no higher position
    scale = unit**2 / (mechanism.total_weight * last)
    # All as multiples of 1 / common: a fraction for each of many places is slow.
    common = scale.denominator * 4 * last**2 * curvature.denominator
    per_square = int(scale * common)
    per_place = int(curvature * common) // (4 * last**2)
    worst = per_square * last * everywhere * mechanism.domain.offers_no_answer
    for index in range(mechanism.cells):
        position, beyond = divmod(index * mechanism.steps, last)
        square = (last - beyond) * squares[position] + beyond * squares[position + 1]
        worst = max(worst, per_square * square + per_place * (2 * index - last) ** 2)
    return Fraction(worst, common)


def best_slope(mechanism: Piecewise) -> Fraction:
    """The slope with the least worst variance."""
    ratio = mechanism.weights.high / mechanism.weights.low
    offers_no_answer = mechanism.domain.offers_no_answer
    shape = Shape(mechanism.cells, mechanism.steps, mechanism.window, ratio, offers_no_answer)
    return Fraction(repr(least_worst(shape).slope)).limit_denominator(_FINEST_SLOPE)


def _whole_table(mechanism: Piecewise, slope: Fraction) -> tuple[list[int], Fraction]:
    """The table but for no answer, as whole numbers of a unit."""
    weights, window = mechanism.weights, mechanism.window
    coarse, fine, parts = _outlines(mechanism.steps, window)
    answered = window * weights.high + mechanism.steps * weights.low
    rise = Fraction(answered, window * (weights.high - weights.low) * parts)
    numbers = [
        rise.numerator * slope.denominator * a + slope.numerator * rise.denominator * b
        for a, b in zip(coarse, fine, strict=True)
    ]
    common = 2 * rise.denominator * slope.denominator
    return numbers, Fraction(mechanism.total_weight, answered * common)


def _outlines(steps: int, window: int) -> tuple[list[int], list[int], int]:
    """A table is half of rise·coarse + slope·fine; and how many rises it makes."""
    outputs = steps + window
    if steps % window:
        return [2 * output + 1 - outputs for output in range(outputs)], [0] * outputs, steps
    parts = steps // window
    return (
        [2 * (output // window) - parts for output in range(outputs)],
        [2 * (output % window) + 1 - window for output in range(outputs)],
        parts,
    )


class Best(NamedTuple):
    """The best slope of a shape and the worst variance with it, as floats."""

    slope: float
    variance: float


@lru_cache(maxsize=4096)
def least_worst(shape: Shape) -> Best:
    """The slope with the least worst variance over all places.

    The variance of each place is a parabola in the slope, and all of them have
    the same curvature: the worst is a convex function, cut from both sides.
    """
    return _Worst(shape).least()


class _Cut(NamedTuple):
    """The variance of one place but for the term that all have: at + by·slope."""

    at: float
    by: float


class _Worst:
    """The worst variance of a shape as a function of the slope."""

    def __init__(self, shape: Shape) -> None:
        _, steps, window, ratio, offers_no_answer = shape
        coarse, fine, parts = _outlines(steps, window)
        answered = window * ratio + steps
        rise = answered / (window * (ratio - 1) * parts)
        scale = (answered + window * offers_no_answer) / (2 * answered) ** 2

        def moments(numbers: list[int], factor: float) -> list[float]:
            sums = [0, *itertools.accumulate(numbers)]
            return [
                factor * scale * (sums[-1] + (ratio - 1) * (sums[j + window] - sums[j]))
                for j in range(steps + 1)
            ]

        self._shape = shape
        self._rise = rise
        self._at = moments([a * a for a in coarse], rise**2)
        self._by = moments([a * b for a, b in zip(coarse, fine, strict=True)], 2 * rise)
        self._curvature = moments([b * b for b in fine], 1.0)[0]

    def least(self) -> Best:
        if not self._curvature:
            return Best(0.0, self._cut(0.0).at)
        left, right = self._cut(-self._rise), self._cut(self._rise)
        slope, found = 0.0, math.inf
        for _ in range(_MOST_CUTS):
            slope = self._lowest(left, right)
            bound = max(left.at + left.by * slope, right.at + right.by * slope)
            cut = self._cut(slope)
            found = cut.at + cut.by * slope
            if found - bound <= _ACCURACY * abs(found):
                break
            if cut.by + 2 * self._curvature * slope > 0:
                right = cut
            else:
                left = cut
        return Best(slope, found + self._curvature * slope**2)

    def _lowest(self, left: _Cut, right: _Cut) -> float:
        """Where the larger of two parabolas is least: at its lowest, or where they cross."""
        for one, other in ((left, right), (right, left)):
            slope = -one.by / (2 * self._curvature)
            if one.at + one.by * slope >= other.at + other.by * slope:
                return slope
        return (left.at - right.at) / (right.by - left.by)

    def _cut(self, slope: float) -> _Cut:
        """That of the worst place, for a slope.

        Between two positions the second moment is a line, and the variance a
        parabola in the place: the worst is the place next to where it is largest.
        """
        last, steps = self._shape.cells - 1, self._shape.steps
        worst, found = float("-inf"), _Cut(0.0, 0.0)
        squares = [at + by * slope for at, by in zip(self._at, self._by, strict=True)]
        for position in range(steps):
            least, most = -(-position * last // steps), (position + 1) * last // steps
            growth = (squares[position + 1] - squares[position]) * steps
            index = min(max(round((0.5 + growth / 2) * last), least), most)
            up = index * steps / last - position
            variance = (1 - up) * squares[position] + up * squares[position + 1]
            variance -= (index / last - 0.5) ** 2
            if variance > worst:
                worst = variance
                at, by = (
                    (1 - up) * each[position] + up * each[position + 1]
                    for each in (self._at, self._by)
                )
                found = _Cut(at - (index / last - 0.5) ** 2, by)
        return found
