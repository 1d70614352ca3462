"""What the outputs of `piecewise` contribute to a mean.

Reports are on a range of length 1, relative to the middle of the scale.
"""

from functools import lru_cache

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators.finite import sampling_scale
from deniable_analysis.estimators.noise import noise_variance
from deniable_analysis.mechanisms.mean_sums import MeanSums
from deniable_sdk.mechanisms import Piecewise
from deniable_sdk.theory.piecewise_mean import mean_table
from deniable_storage.counts import BlockCounts

# The largest tolerated variance of rounding, on a range of length 1; answers have at most 1 / 4.
MOST_ROUNDED = 0.01


def contributions(mechanism: Piecewise) -> tuple[Floats, Floats]:
    """(outputs,) each output's part of the sum of the answers, and of the number of answers."""
    numerators, denominators = np.array(_numerators(mechanism)), np.ones(mechanism.outputs)
    if mechanism.domain.offers_no_answer:
        is_none = np.arange(mechanism.outputs) == mechanism.places
        keep, flip = float(mechanism.no_answer_keep), float(mechanism.no_answer_flip)
        denominators = 1 - (is_none - flip) / (keep - flip)
    return numerators, denominators


@lru_cache(maxsize=256)
def _numerators(mechanism: Piecewise) -> tuple[float, ...]:
    """The contribution of each output to the sum; computed once for many simulated studies."""
    return tuple(map(float, mean_table(mechanism)))


def mean_square(mechanism: Piecewise, counts: BlockCounts, answering: float) -> float:
    """The mean square of the rounded answers, 0 without an answer.

    The expected square of an output's distance from the middle, in steps, is
    everywhere + around + slope·j² for an answer at position j from the middle,
    and everywhere for "no answer". So the reports also identify the mean square
    of the positions. The estimate is unbiased; it may be negative. `counts` have at
    least one report, and `answering` is the estimated share of those who answered.
    """
    total, window, steps = mechanism.total_weight, mechanism.window, mechanism.steps
    low, high = mechanism.weights.low, mechanism.weights.high
    everywhere = low / total * mechanism.places * (mechanism.places**2 - 1) / 12
    around = (high - low) / total * window * (window**2 - 1) / 12
    slope = window * (high - low) / total
    tally = np.asarray(counts.of(range(mechanism.places)), dtype=np.float64)
    centred = np.arange(mechanism.places) - (mechanism.places - 1) / 2
    square = float(tally @ centred**2) / counts.report_count
    return (square - everywhere - answering * around) / (slope * steps**2)


def most_rounded(mechanism: Piecewise) -> float:
    """The largest variance that rounding adds to an answer, on a range of length 1."""
    last = mechanism.cells - 1
    up = (np.arange(mechanism.cells) * mechanism.steps % last) / last
    return float(np.max(up * (1 - up))) / mechanism.steps**2


def sums_of_outputs(
    mechanism: Piecewise, counts: BlockCounts, length: float, population: int | None
) -> MeanSums:
    """The sums of at least one report, in the unit of the question.

    `length` is the difference of the largest and the smallest answer.
    """
    tally = np.asarray(counts.of(range(mechanism.outputs)), dtype=np.float64)
    reports, each = counts.report_count, np.array(contributions(mechanism))
    sums, to_unit = each @ tally / reports, np.array([length, 1.0])
    squared = np.outer(to_unit, to_unit)
    released = None
    if counts.noise:
        released = squared * (each @ each.T) * noise_variance(counts.noise) / reports**2
    if reports < 2:
        return MeanSums(to_unit * sums, None, None, released)
    around = each - sums[:, None]
    total = (around * tally) @ around.T / (reports * (reports - 1))
    drawn = _drawn(mechanism, counts, sums, total)
    if drawn is None:
        return MeanSums(to_unit * sums, squared * total, None, released)
    sampling = drawn * sampling_scale(1 / reports, population)
    total = total - drawn / reports + sampling
    return MeanSums(to_unit * sums, squared * total, squared * sampling, released)


def _drawn(
    mechanism: Piecewise, counts: BlockCounts, sums: Floats, total: Floats
) -> Floats | None:
    """(2, 2) covariances of one drawn respondent's answer and of having answered.

    None if rounding may be a large part of them.
    """
    rounded = most_rounded(mechanism)
    if rounded > MOST_ROUNDED:
        return None
    answer, answering = sums.tolist()
    squares = mean_square(mechanism, counts, answering) - rounded * answering
    # Products of estimated means are biased upwards by their covariances.
    return np.array([[squares, answer], [answer, answering]]) - (np.outer(sums, sums) - total)
