"""Piecewise: its best steps and window, its error, its channel, and its words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.mechanisms.domains import Domain, OneOf
from deniable_sdk.mechanisms.parameters import is_grid
from deniable_sdk.mechanisms.piecewise import Piecewise
from deniable_sdk.randomness import DRAW_RANGE
from deniable_sdk.theory import Need
from deniable_sdk.theory.piecewise_mean import Shape, least_worst, worst_square
from deniable_sdk.weights import Weights

# More steps make a mean less than 1 in 300 better up to epsilon 6.
MOST_STEPS_FOR_MEAN = 24
# What the mean may cost the distribution: a twentieth of its standard error.
MOST_DISTRIBUTION_ERROR = 1.1


def candidates(need: Need) -> Iterable[Piecewise]:
    """The best steps and window for the target, on an evenly spaced grid."""
    domain = need.domain
    is_wanted = need.scale is Scale.NUMERIC or need.target is Target.MEAN or need.is_named
    if is_grid(domain) and need.scale is not Scale.NOMINAL and is_wanted:
        is_mean = need.target is Target.MEAN
        best = best_for_mean if is_mean else best_for_distribution
        weights = need.weights(1, units(domain, is_mean=is_mean))
        shape = best(domain, weights, need.most_outputs)
        if shape is not None:
            yield Piecewise(domain, *shape, weights)


def error(mechanism: Piecewise, target: Target, domain: Domain | None = None) -> Fraction:
    """The worst-case variance of the mean, whatever the target.

    It is exact, over all places of the grid. The distribution's error falls
    with the same epsilon and number of reports.
    """
    del target, domain  # there is one domain only that it fits
    return worst_square(mechanism, Fraction(-1))


def channel(mechanism: Piecewise) -> dict[str, tuple[Fraction, ...]]:
    """Every output with its probability under each answer."""
    answers = list(mechanism.domain.answers())
    return {
        str(output): tuple(likelihood(mechanism, output, answer) for answer in answers)
        for output in range(mechanism.outputs)
    }


def likelihood(mechanism: Piecewise, output: int, answer: int) -> Fraction:
    """The probability of an output under an answer."""
    high, low = mechanism.weights.high, mechanism.weights.low
    copies = mechanism.window if output == mechanism.places else 1
    return (
        copies
        * (low + _favouring(mechanism, output, answer) * (high - low))
        / mechanism.total_weight
    )


def _favouring(mechanism: Piecewise, output: int, answer: int) -> Fraction:
    """The probability that the answer is rounded to a position that favours the output."""
    if answer == mechanism.cells or output == mechanism.places:
        return Fraction(answer == mechanism.cells and output == mechanism.places)
    position, beyond = divmod(answer * mechanism.steps, mechanism.cells - 1)
    up = Fraction(beyond, mechanism.cells - 1)
    window = mechanism.window
    here, above = (start <= output < start + window for start in (position, position + 1))
    return (1 - up) * here + up * above


def describe(mechanism: Piecewise) -> str:
    """Whether it rounds, and how often it reports a place around the true one."""
    near = float(mechanism.window * Fraction(mechanism.weights.high, mechanism.total_weight))
    rounded = f"rounds the answer by chance to one of {mechanism.steps + 1} positions, and "
    window = mechanism.window
    where = f"one of the {window} places around it" if window > 1 else "its place"
    return (
        f"{rounded if mechanism.rounds else ''}reports {where} with probability {near:.1%}, "
        f"else another one of {mechanism.places}"
    )


def units(domain: OneOf, *, is_mean: bool) -> int:
    """About how many times the low weight the total weight is."""
    return 10 * min(MOST_STEPS_FOR_MEAN, domain.options - 1) if is_mean else 5 * domain.options


def best_for_mean(
    domain: OneOf, weights: Weights, most_outputs: int | None = None
) -> tuple[int, int] | None:
    """The steps and the window with the least worst variance of the mean.

    Steps are whole windows, as many as fit into 24 steps and into the grid.
    The best number of windows is about e^(epsilon/3): those from half to three
    times that are compared. Where that is beyond 24, so are all steps of the
    grid, which round nothing. None where one draw holds no window, or more
    than `most_outputs` outputs are needed.
    """
    room, ratio = min(MOST_STEPS_FOR_MEAN, domain.options - 1), weights.high / weights.low
    about = ratio ** (1 / 3)
    fewest, most = min(room, max(1, int(about / 2))), min(room, 1 + int(3 * about))

    shapes = []
    compared = [*range(fewest, most + 1), *[domain.options - 1] * (room == most)]
    for parts in compared:
        window = min(max(1, room // parts), _largest_window(domain, weights, parts))
        if most_outputs is not None:
            window = min(window, (most_outputs - domain.offers_no_answer) // (parts + 1))
        if window > 0:
            shapes.append((parts * window, window))
    return min(shapes, key=lambda shape: _worst_variance(domain, ratio, *shape), default=None)


def best_for_distribution(
    domain: OneOf, weights: Weights, most_outputs: int | None = None
) -> tuple[int, int] | None:
    """All steps of the grid, and a window for the distribution and the mean.

    The sum of the variances of the cumulative shares, where all answers are
    equally common, is at most a tenth above the least that any window has.
    Of such windows the one with the least worst variance of the mean is
    taken: wider ones have less, and those that divide the steps have less
    than their neighbours, so these and the widest are compared. None as for
    the mean.
    """
    steps, ratio = domain.options - 1, weights.high / weights.low
    most = min(steps, _largest_window(domain, weights, None))
    if most_outputs is not None:
        most = min(most, most_outputs - domain.offers_no_answer - steps)
    errors = {window: distribution_error(domain, window, ratio) for window in range(1, most + 1)}
    if not errors:
        return None
    most_error = MOST_DISTRIBUTION_ERROR * min(errors.values())
    allowed = [window for window, error in errors.items() if error <= most_error]
    compared = [window for window in allowed if steps % window == 0 or window == allowed[-1]]
    return steps, min(compared, key=lambda window: _worst_variance(domain, ratio, steps, window))


def _worst_variance(domain: OneOf, ratio: float, steps: int, window: int) -> float:
    """That of the mean, with the best slope."""
    shape = Shape(domain.options, steps, window, ratio, domain.offers_no_answer)
    return least_worst(shape).variance


def distribution_error(domain: OneOf, window: int, ratio: float) -> float:
    """The summed variances of the cumulative shares, times the reports.

    If all answers are equally common, and the estimate is the likeliest one.
    An output's probability moves with the difference of two cumulative
    shares, a window apart, so that these fall apart into chains: one for each
    place in a window. The information about a chain is that of resistors in a
    row, grounded at both ends, where an output's resistance is its
    probability; a variance is the resistance between its place and the ground.
    """
    cells, spread = domain.options, ratio - 1
    longer = (cells - 1) % window
    total = window * ratio + cells - 1 + window * domain.offers_no_answer
    inner = cells + spread * window
    error = 0.0
    for first, behind, length in (
        (0, longer, (cells - 1) // window + 1),
        (longer, window, (cells - 1) // window),
    ):
        # Sums over the chains of their first resistor, and of its square.
        sums = [_sum_of_powers(cells + spread, spread, first, behind, power) for power in (1, 2)]
        chains = behind - first
        whole = 2 * cells + spread * (cells + window - window * length) + (length - 1) * inner
        pairs = length * (length - 1)
        left = length * sums[0] + chains * inner * pairs / 2
        squares = length * sums[1] + inner * pairs * sums[0]
        squares += chains * inner**2 * pairs * (2 * length - 1) / 6
        error += left - squares / whole
    return error * total / (cells * spread**2)


def _sum_of_powers(start: float, step: float, first: int, behind: int, power: int) -> float:
    """The sum of (start + step·r)^power over first <= r < behind, for power 1 or 2."""
    count = behind - first
    ranks = (first + behind - 1) * count / 2
    if power == 1:
        return count * start + step * ranks
    squares = sum(n * (n - 1) * (2 * n - 1) / 6 * sign for n, sign in ((behind, 1), (first, -1)))
    return count * start**2 + 2 * start * step * ranks + step**2 * squares


def _largest_window(domain: OneOf, weights: Weights, parts: int | None) -> int:
    """The largest window whose total weight one draw holds; 0 if none.

    The steps are so many windows, or all that the grid has.
    """
    each = weights.high + weights.low * (domain.offers_no_answer + (parts or 0))
    fixed = 0 if parts else (domain.options - 1) * weights.low
    return max(0, math.floor((DRAW_RANGE - fixed) // each))
