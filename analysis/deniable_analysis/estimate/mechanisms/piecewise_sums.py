"""What the outputs of `piecewise` contribute to a mean.

Reports are on a range of length 1, relative to the middle of the scale.
"""

from functools import lru_cache

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.alarms import tail_variance
from deniable_analysis.estimate.channel import sampling_scale
from deniable_analysis.estimate.means import UNKNOWN, MeanSums
from deniable_analysis.estimate.outputs import output_shares
from deniable_analysis.estimate.tallies import member_counts
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


@lru_cache(maxsize=256)
def mean_tails(mechanism: Piecewise) -> tuple[float, float]:
    """Tail variances, for one report, of the sum of the answers at either end of the scale.

    They are those of the distance of the sum from the least and from the most that as
    many answers can sum to. Answers at this end, and "no answer", have the expectation
    0. Answers further away never matter more: outputs a window apart differ by a
    fixed rise.
    """
    above, below = contributions(mechanism)
    ends = (above + below / 2, 0), (below / 2 - above, mechanism.steps)
    at_none, at_all = (tail_variance(each, _end_law(mechanism, first)) for each, first in ends)
    return at_none, at_all


def _end_law(mechanism: Piecewise, first: int) -> Floats:
    """(outputs, answers) probabilities of the outputs at a position, and for "no answer"."""
    weights, total, window = mechanism.weights, mechanism.total_weight, mechanism.window
    low, high = weights.low / total, weights.high / total
    law = np.full((mechanism.outputs, 1 + mechanism.domain.offers_no_answer), low)
    law[first : first + window, 0] = high
    if mechanism.domain.offers_no_answer:
        law[mechanism.places] = window * low, window * high
    return law


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
    mechanism: Piecewise,
    counts: BlockCounts,
    length: float,
    population: int | None,
    answers: Floats | None = None,
) -> MeanSums:
    """The sums of at least one report, in the unit of the question.

    Args:
        mechanism: mechanism of the block.
        counts: counts of the block.
        length: difference of the largest and the smallest answer.
        population: number of people that the reports are a sample of.
        answers: shares of the answers at which the covariances are computed; by
            default they are estimated from the reports.
    """
    tally, noise = member_counts(counts, mechanism.outputs)
    reports, each = counts.report_count, np.array(contributions(mechanism))
    sums = each @ tally / reports
    if answers is None:
        spread = _spread(each, tally, sums)
        total = spread / (reports * (reports - 1)) if reports > 1 else UNKNOWN
        drawn = _drawn(mechanism, counts, sums, total)
    else:
        law = output_shares(answers, mechanism)
        total, drawn = _spread(each, law, each @ law) / reports, _drawn_of(mechanism, answers)
    sampling = drawn * sampling_scale(1 / reports, population)
    if not np.isnan(drawn).any():
        total = total - drawn / reports + sampling
    to_unit = np.outer([length, 1.0], [length, 1.0])
    released = None
    if noise:
        # The sum of all counts has no noise.
        around = each - each.mean(axis=1, keepdims=True)
        one = noise.variance / (1 - 1 / mechanism.outputs)
        released = to_unit * (around @ around.T) * one / reports**2
    return MeanSums(np.array([length, 1.0]) * sums, to_unit * total, to_unit * sampling, released)


def _spread(each: Floats, weights: Floats, means: Floats) -> Floats:
    """The (2, 2) weighted products of contributions around these means."""
    around = each - means[:, None]
    return np.asarray((around * weights) @ around.T)


def _drawn(mechanism: Piecewise, counts: BlockCounts, sums: Floats, total: Floats) -> Floats:
    """(2, 2) covariances of one drawn respondent's answer and of having answered.

    NaN if rounding may be a large part of them.
    """
    rounded = most_rounded(mechanism)
    if rounded > MOST_ROUNDED:
        return UNKNOWN
    answer, answering = sums.tolist()
    squares = mean_square(mechanism, counts, answering) - rounded * answering
    # Products of estimated means are biased upwards by their covariances.
    return np.array([[squares, answer], [answer, answering]]) - (np.outer(sums, sums) - total)


def _drawn_of(mechanism: Piecewise, answers: Floats) -> Floats:
    """The same for known shares of the answers."""
    if most_rounded(mechanism) > MOST_ROUNDED:
        return UNKNOWN
    shares = answers[: mechanism.cells]
    values = np.array([np.linspace(-0.5, 0.5, mechanism.cells), np.ones(mechanism.cells)])
    return np.asarray((values * shares) @ values.T - np.outer(values @ shares, values @ shares))
