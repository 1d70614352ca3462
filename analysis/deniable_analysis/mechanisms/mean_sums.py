"""The mean of a population from its strata, as a ratio of two weighted sums.

The mean among those who answered is the sum of the answers divided by the
number of answers. Both are weighted sums over strata. A weighted mean of the
strata's own means would be wrong if people answer more often in some of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.mechanisms.linear import LinearShares, normal_mean
from deniable_analysis.results.numbers import MeanEstimate
from deniable_sdk.survey.questions import Question


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
    question: Question,
    strata: Sequence[MeanSums],
    weights: Floats,
    confidence: float,
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
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return float(weights**2 @ [slopes @ part @ slopes for part in known])
