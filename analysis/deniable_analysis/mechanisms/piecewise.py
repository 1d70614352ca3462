"""Piecewise: the mean in closed form, the distribution by likelihood.

Each output adds a number to the sum of the answers, from the middle of the
scale, and one to the number of those who answered; both are unbiased, and the
mean is their ratio.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from deniable_analysis.estimators import (
    Channel,
    Ratio,
    likeliest_shares,
    normal_ends,
    ratio_of_means,
    sampling_scale,
)
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.mechanisms.base import Findings, IntervalChoice
from deniable_analysis.mechanisms.scores import scores, unit
from deniable_analysis.mechanisms.share_numbers import binomial_numbers, clip, share_warnings
from deniable_analysis.results import DistributionEstimate, MeanEstimate, OptionEstimate
from deniable_sdk.mechanisms import Piecewise
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question
from deniable_sdk.theory.piecewise_mean import mean_table
from deniable_storage.counts import BlockCounts

# Of the variance that answers have on a range of length 1, at most 1 / 4.
_MOST_ROUNDED = 0.01


def analyse_piecewise(
    question: Question, mechanism: Piecewise, counts: BlockCounts, choice: IntervalChoice
) -> Findings:
    """The share of "no answer", the mean and the distribution of the rest.

    No distribution where answers were rounded: only that of the positions
    they were rounded to could be told.
    """
    none = _estimate_no_answer(mechanism, counts, choice)
    ratio = centred_mean(mechanism, counts)
    sampling = sampling_part(mechanism, counts, ratio)
    if ratio and ratio.variance is not None and sampling is not None:
        count = counts.report_count
        drawn = sampling * count * sampling_scale(1 / count, choice.population)
        ratio = replace(ratio, variance=ratio.variance - sampling + drawn)
        sampling = drawn
    return Findings(
        interval=choice.interval.value,
        options=none.options,
        mean=scaled_mean(question, ratio, sampling, choice),
        distribution=_distribution(question, mechanism, counts),
        warnings=none.warnings,
    )


@dataclass(frozen=True, slots=True)
class _NoAnswers:
    """The share of those who did not answer, where that is an answer."""

    options: tuple[OptionEstimate, ...]
    warnings: tuple[str, ...]


def _estimate_no_answer(
    mechanism: Piecewise, counts: BlockCounts, choice: IntervalChoice
) -> _NoAnswers:
    """The share of "no answer"; nothing where everybody must answer."""
    if not mechanism.domain.offers_no_answer:
        return _NoAnswers((), ())
    channel = Channel(float(mechanism.no_answer_keep), float(mechanism.no_answer_flip))
    support = counts.of(range(mechanism.places, mechanism.outputs))
    (numbers,) = binomial_numbers(support, counts.report_count, channel, choice.among(1), clip)
    return _NoAnswers(
        (OptionEstimate(option=NO_ANSWER, **numbers),),
        share_warnings([NO_ANSWER], support, counts.report_count, channel),
    )


def centred_mean(mechanism: Piecewise, counts: BlockCounts) -> Ratio | None:
    """The mean among those who answered, from the middle of a range of length 1."""
    numerators = np.array(_numerators(mechanism))
    denominators = np.ones(mechanism.outputs)
    if mechanism.domain.offers_no_answer:
        is_none = np.arange(mechanism.outputs) == mechanism.places
        keep, flip = float(mechanism.no_answer_keep), float(mechanism.no_answer_flip)
        denominators = 1 - (is_none - flip) / (keep - flip)
    return ratio_of_means(counts.of(range(mechanism.outputs)), numerators, denominators)


@lru_cache(maxsize=256)
def _numerators(mechanism: Piecewise) -> tuple[float, ...]:
    """What each output adds; worked out once for many simulated studies."""
    return tuple(map(float, mean_table(mechanism)))


def sampling_part(mechanism: Piecewise, counts: BlockCounts, ratio: Ratio | None) -> float | None:
    """The part of the mean's variance that choosing the respondents causes.

    A place of an output from the middle, in steps, has the expected square
    everywhere + around + slope·j² under the position j from the middle, and
    everywhere under none, so the mean square of the positions is known too.
    Unbiased where everybody answers and no answer is rounded, not clipped.
    How much rounding moves the positions is not known, and is counted at its
    most with the mechanism. None where that could be a large part.
    """
    rounded = _most_rounded(mechanism)
    if ratio is None or ratio.variance is None or rounded > _MOST_ROUNDED:
        return None
    total, window, steps = mechanism.total_weight, mechanism.window, mechanism.steps
    base, favoured = mechanism.weights.base, mechanism.weights.favoured
    everywhere = base / total * mechanism.places * (mechanism.places**2 - 1) / 12
    around = (favoured - base) / total * window * (window**2 - 1) / 12
    slope = window * (favoured - base) / total
    tally = np.asarray(counts.of(range(mechanism.places)), dtype=np.float64)
    centred = np.arange(mechanism.places) - (mechanism.places - 1) / 2
    square = float(tally @ centred**2) / counts.report_count
    answering = ratio.denominator
    squares = (square - everywhere - answering * around) / (slope * steps**2)
    # The square of an estimated mean is too large by its variance.
    spread = squares / answering - (ratio.value**2 - ratio.variance)
    return (spread - rounded) / (answering * counts.report_count)


def _most_rounded(mechanism: Piecewise) -> float:
    """The largest variance that rounding adds to an answer, on a range of length 1."""
    last = mechanism.cells - 1
    up = (np.arange(mechanism.cells) * mechanism.steps % last) / last
    return float(np.max(up * (1 - up))) / mechanism.steps**2


def scaled_mean(
    question: Question, ratio: Ratio | None, sampling_part: float | None, choice: IntervalChoice
) -> MeanEstimate | None:
    """The mean in the question's own unit.

    Args:
        question: a scale or number.
        ratio: the mean of its answers, on a range of length 1 around 0.
        sampling_part: of the variance of that mean, where it is known.
        choice: how sure the interval is.
    Returns:
        None where the answers are no evenly spaced numbers.
    """
    numbers = scores(question)
    if numbers is None or not np.allclose(np.diff(numbers, n=2), 0.0, rtol=0, atol=1e-9):
        return None
    if ratio is None:
        return MeanEstimate(unit=unit(question))
    length = numbers[-1] - numbers[0]
    value = (numbers[0] + numbers[-1]) / 2 + length * ratio.value
    variance = None if ratio.variance is None else length**2 * ratio.variance
    sampling = None if sampling_part is None else length**2 * sampling_part
    apart = float(np.ptp(numbers))
    low, high = normal_ends(value, variance, critical_value(choice.confidence), apart)
    return MeanEstimate(
        value=value,
        low=low,
        high=high,
        variance=variance,
        mechanism_variance=(None if variance is None or sampling is None else variance - sampling),
        sampling_variance=sampling,
        unit=unit(question),
    )


def _distribution(
    question: Question, mechanism: Piecewise, counts: BlockCounts
) -> DistributionEstimate | None:
    if mechanism.rounds or not counts.report_count:
        return None
    shares = likeliest_shares(counts.of(range(mechanism.outputs)), mechanism)
    answered = shares[: mechanism.cells]
    names = question.names[: mechanism.cells]
    return DistributionEstimate(names, tuple((answered / answered.sum()).tolist()))
