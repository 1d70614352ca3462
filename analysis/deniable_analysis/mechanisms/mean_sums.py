"""The mean among those who answered, as the ratio of two estimated sums.

It is the sum of the answers divided by the number of answers. Both are sums of
shares, or of what the outputs of `piecewise` contribute, and add up over strata
and editions. A weighted mean of their own means would be wrong if people answer
more often in some of them.

Sums of answers are relative to the middle of the scale, so that squares of large
numbers are not subtracted from each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators.confidence import critical_value, normal_ends
from deniable_analysis.estimators.noise import stretched
from deniable_analysis.mechanisms.linear import LinearShares
from deniable_analysis.results.numbers import MeanEstimate
from deniable_sdk.survey.questions import Question


@dataclass(frozen=True, slots=True)
class MeanSums:
    """What reports contribute to a mean.

    Args:
        sums: (2,) the sum of the answers, relative to the middle of the scale, and
            their number, both divided by the number of respondents.
        covariances: (2, 2) covariances of the two without those of the noise of
            releases; None if the reports do not show them.
        sampling_part: (2, 2) the part that choosing the respondents causes;
            None if it is unknown.
        release_part: (2, 2) covariances that the noise of releases causes; None
            without noise.
    """

    sums: Floats
    covariances: Floats | None
    sampling_part: Floats | None
    release_part: Floats | None = None


def sums_of_shares(
    numbers: Sequence[float], shares: LinearShares, near: LinearShares | None = None
) -> MeanSums:
    """The sums from the raw shares of the answers, "no answer" last.

    `numbers` are the values of the other answers. The covariances are those at the
    shares `near`, by default the estimated ones.
    """
    at = near or shares
    values = np.zeros((2, len(shares.shares)))
    values[0, : len(numbers)], values[1, : len(numbers)] = np.array(numbers) - middle(numbers), 1.0
    sampling = values @ at.sampling_part @ values.T
    released = shares.release_part
    return MeanSums(
        values @ shares.shares,
        sampling + values @ at.mechanism_part @ values.T,
        sampling,
        None if released is None else values @ released @ values.T,
    )


def middle(numbers: Sequence[float]) -> float:
    """The middle of a scale, from the values of its answers."""
    return (min(numbers) + max(numbers)) / 2


def weighted_sums(parts: Sequence[MeanSums], weights: Floats) -> MeanSums:
    """The weighted sums of independent strata; without covariances if those of one are unknown."""

    def weighed(covariances: Sequence[Floats | None]) -> Floats | None:
        known = [each for each in covariances if each is not None]
        return np.tensordot(weights**2, known, axes=1) if len(known) == len(parts) else None

    return MeanSums(
        weights @ np.array([each.sums for each in parts]),
        weighed([each.covariances for each in parts]),
        weighed([each.sampling_part for each in parts]),
    )


def mean_of_sums(
    question: Question, numbers: Sequence[float], found: MeanSums | None, confidence: float
) -> MeanEstimate:
    """The mean among those who answered, with a normal interval.

    `numbers` are the values of the answers. The estimate has no numbers without
    reports, or if the reports do not show that anybody answered, and no variances if
    the covariances are unknown.

    Source: Cochran 1977, "Sampling Techniques", equation 6.13, and section 6.11
        for strata (combined ratio estimate).
    """
    if found is None or found.sums[1] <= 0:
        return MeanEstimate(unit=question.unit)
    total, number = found.sums.tolist()
    slopes = np.array([1.0, -total / number]) / number
    variance, sampling, released = (
        None if part is None else float(slopes @ part @ slopes)
        for part in (found.covariances, found.sampling_part, found.release_part)
    )
    value = middle(numbers) + total / number
    spread, whole = variance, variance
    if variance is not None and released is not None:
        whole = variance + released
        spread = max(variance, 0.0) + float(stretched(released, confidence))
    low, high = normal_ends(value, spread, critical_value(confidence), float(np.ptp(numbers)))
    return MeanEstimate(
        value=value,
        low=low,
        high=high,
        variance=whole,
        mechanism_variance=None if variance is None or sampling is None else variance - sampling,
        sampling_variance=sampling,
        release_variance=released,
        unit=question.unit,
    )
