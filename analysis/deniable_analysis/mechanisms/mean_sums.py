"""The mean of a population from its strata, as a ratio of two weighted sums.

The mean among those who answered is the sum of the answers divided by the
number of answers. Both are weighted sums over strata. A weighted mean of the
strata's own means would be wrong if people answer more often in some of them.

Piecewise reports are on a range of length 1, relative to the middle of the scale.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators.finite import sampling_scale
from deniable_analysis.mechanisms.linear import LinearShares, normal_mean
from deniable_analysis.results.numbers import MeanEstimate
from deniable_sdk.mechanisms import Piecewise
from deniable_sdk.survey.questions import Question
from deniable_sdk.theory.piecewise_mean import mean_table
from deniable_storage.counts import BlockCounts


@dataclass(frozen=True, slots=True)
class MeanSums:
    """What the reports of a stratum contribute to a mean.

    Args:
        sums: (2,) the sum of the answers, and their number, both divided by
            the number of respondents.
        covariances: (2, 2) total covariances of the two; None if the reports do
            not show them.
        sampling_part: (2, 2) the part that choosing the respondents causes;
            None if it is unknown.
    """

    sums: Floats
    covariances: Floats | None
    sampling_part: Floats | None


def sums_of_shares(numbers: Sequence[float], shares: LinearShares, near: LinearShares) -> MeanSums:
    """The sums of a stratum from the raw shares of its answers, "no answer" last.

    `numbers` are the values of the other answers. The covariances are those at the
    shares `near`.
    """
    values = np.zeros((2, len(shares.shares)))
    values[0, : len(numbers)], values[1, : len(numbers)] = numbers, 1.0
    sampling = values @ near.sampling_part @ values.T
    return MeanSums(
        values @ shares.shares, sampling + values @ near.mechanism_part @ values.T, sampling
    )


def stratified_mean(
    question: Question, strata: Sequence[MeanSums], weights: Floats, confidence: float
) -> MeanEstimate:
    """The mean among those who answered, with a normal interval.

    `weights` are the parts of the population in each stratum. The estimate has no
    numbers if the reports do not show that anybody answered, and no variances if
    those of a stratum are unknown.

    Source: Cochran 1977, "Sampling Techniques", section 6.11 (combined ratio
        estimate).
    """
    total, number = weights @ np.array([stratum.sums for stratum in strata])
    if number <= 0:
        return MeanEstimate(unit=question.unit)
    value = float(total / number)
    slopes = np.array([1.0, -value]) / number
    variance = _variance([stratum.covariances for stratum in strata], weights, slopes)
    sampling = _variance([stratum.sampling_part for stratum in strata], weights, slopes)
    return normal_mean(question, value, (variance, sampling), confidence)


def _variance(parts: Sequence[Floats | None], weights: Floats, slopes: Floats) -> float | None:
    known = [slopes @ part @ slopes for part in parts if part is not None]
    return float(weights**2 @ known) if len(known) == len(parts) else None


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
    mechanism: Piecewise, counts: BlockCounts, ends: tuple[float, float], population: int | None
) -> MeanSums:
    """The sums of a stratum of at least one report, in the unit of the question.

    `ends` are the smallest and the largest answer.
    """
    tally = np.asarray(counts.of(range(mechanism.outputs)), dtype=np.float64)
    reports, each = counts.report_count, np.array(contributions(mechanism))
    sums = each @ tally / reports
    length, middle = ends[1] - ends[0], (ends[0] + ends[1]) / 2
    to_unit = np.array([[length, middle], [0.0, 1.0]])
    if reports < 2:
        return MeanSums(to_unit @ sums, None, None)
    around = each - sums[:, None]
    total = (around * tally) @ around.T / (reports * (reports - 1))
    drawn = _drawn(mechanism, counts, sums, total)
    if drawn is None:
        return MeanSums(to_unit @ sums, to_unit @ total @ to_unit.T, None)
    sampling = drawn * sampling_scale(1 / reports, population)
    total = total - drawn / reports + sampling
    return MeanSums(to_unit @ sums, to_unit @ total @ to_unit.T, to_unit @ sampling @ to_unit.T)


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
