"""Means from mechanisms whose outputs move evenly with the answer.

Centred, an output is on average slope times the centred answer, and 0 where
there is none; a second output tells "no answer" apart. Both are undone at
once: the sum of the answers, and the number of those who answered.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.estimators import Channel, Ratio, normal_ends, ratio_of_means
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.mechanisms.base import IntervalChoice
from deniable_analysis.mechanisms.scores import scores, unit
from deniable_analysis.mechanisms.share_numbers import binomial_numbers, clip, share_warnings
from deniable_analysis.reports.counts import BlockCounts
from deniable_analysis.results import MeanEstimate, OptionEstimate
from deniable_sdk.mechanisms import Sign, SquareWave
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NoAnswers:
    """The share of those who did not answer, where that is an answer."""

    options: tuple[OptionEstimate, ...]
    warnings: tuple[str, ...]


def estimate_no_answer(
    mechanism: SquareWave | Sign, counts: BlockCounts, choice: IntervalChoice
) -> NoAnswers:
    """The share of "no answer"; nothing where everybody must answer."""
    if not mechanism.domain.has_no_answer:
        return NoAnswers((), ())
    channel = Channel(float(mechanism.no_answer_keep), float(mechanism.no_answer_flip))
    support = counts.of(range(mechanism.output_count - 1, mechanism.output_count))
    (numbers,) = binomial_numbers(support, counts.report_count, channel, choice.among(1), clip)
    return NoAnswers(
        (OptionEstimate(option=NO_ANSWER, **numbers),),
        share_warnings([NO_ANSWER], support, counts.report_count, channel),
    )


def centred_mean(
    mechanism: SquareWave | Sign, counts: BlockCounts, centred_outputs: Floats
) -> Ratio | None:
    """The mean of the centred answers among those who answered.

    Args:
        mechanism: the block's.
        counts: of its outputs.
        centred_outputs: (outputs,) with 0 for that of "no answer".
    """
    numerators = centred_outputs / float(mechanism.slope)
    denominators = np.ones(mechanism.output_count)
    if mechanism.domain.has_no_answer:
        is_none = np.arange(mechanism.output_count) == mechanism.output_count - 1
        keep, flip = float(mechanism.no_answer_keep), float(mechanism.no_answer_flip)
        denominators = 1 - (is_none - flip) / (keep - flip)
    return ratio_of_means(counts.of(range(mechanism.output_count)), numerators, denominators)


def scaled_mean(
    question: Question,
    ratio: Ratio | None,
    range_of_centred: float,
    sampling_part: float | None,
    choice: IntervalChoice,
) -> MeanEstimate | None:
    """The mean in the question's own unit.

    Args:
        question: a scale or number.
        ratio: the mean of its centred answers.
        range_of_centred: how far apart the centred ends of the scale are.
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
    size = (numbers[-1] - numbers[0]) / range_of_centred
    value = (numbers[0] + numbers[-1]) / 2 + size * ratio.value
    variance = None if ratio.variance is None else size**2 * ratio.variance
    sampling = None if sampling_part is None else size**2 * sampling_part
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
