"""The mean among those who answered, as the ratio of two estimated sums.

It is the sum of the answers divided by the number of answers. Both are sums of
shares, or of what the outputs of `piecewise` contribute, and add up over strata
and editions. A weighted mean of their own means would be wrong if people answer
more often in some of them.

Sums of answers are relative to the middle of the scale, so that squares of large
numbers are not subtracted from each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.alarms import mean_warnings
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.estimate.heterogeneity import NOTHING, Repeated, variance_of_sum
from deniable_analysis.estimate.intervals import shows_variance
from deniable_analysis.estimate.linear import LinearShares
from deniable_analysis.estimate.noise import stretched
from deniable_analysis.estimate.ratio import score_ratio
from deniable_analysis.forms import finite_or_none
from deniable_analysis.results.numbers import MeanEstimate
from deniable_sdk.survey.questions import Question

UNKNOWN = np.full((2, 2), np.nan)


@dataclass(frozen=True, slots=True)
class MeanSums:
    """What reports contribute to a mean.

    Args:
        sums: (2,) the sum of the answers, relative to the middle of the scale, and
            their number, both divided by the number of respondents.
        covariances: (2, 2) covariances of the two without those of the noise of
            releases; NaN if the reports do not show them.
        sampling_part: (2, 2) the part that choosing the respondents causes;
            NaN if it is unknown.
        release_part: (2, 2) covariances that the noise of releases causes; None
            without noise.
    """

    sums: Floats
    covariances: Floats
    sampling_part: Floats
    release_part: Floats | None = None

    def variances(self, slopes: Floats) -> tuple[float, float]:
        """The variance of a weighted sum of the two, without noise, and its sampling part."""
        return float(slopes @ self.covariances @ slopes), float(
            slopes @ self.sampling_part @ slopes
        )


@dataclass(frozen=True, slots=True)
class PooledSums:
    """The weighted sums of several studies or strata, without noise.

    Args:
        parts: the sums of each.
        weights: (parts,) their weights.
        common: errors that the parts may have in common.
    """

    parts: Sequence[MeanSums]
    weights: Floats
    common: Repeated = NOTHING
    release_part: None = None

    @property
    def sums(self) -> Floats:
        """As in MeanSums."""
        return np.asarray(self.weights @ np.array([each.sums for each in self.parts]))

    def variances(self, slopes: Floats) -> tuple[float, float]:
        """As in MeanSums; an unknown sampling part may be all of the variance of a part."""
        total, sampling = np.transpose([each.variances(slopes) for each in self.parts])
        of_people = np.where(np.isnan(sampling), total, sampling)
        by_people = variance_of_sum(self.weights, of_people, is_common=self.common.people)
        rest = variance_of_sum(self.weights, total - of_people, is_common=self.common.reports)
        is_known = not np.isnan(sampling).any()
        return float(by_people + rest), float(by_people) if is_known else np.nan


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


def impossible_mean(found: MeanSums | PooledSums, length: float, tails: Floats) -> tuple[str, ...]:
    """A sentence if the mean is further outside its scale than chance explains.

    The sum of the answers is compared with that of as many smallest or largest answers,
    so the limit does not depend on how many people answered.

    Args:
        found: the sums; those of counts with noise have no such sentence.
        length: the difference of the largest and the smallest answer.
        tails: (2,) tail variances of the two distances; see alarms.
    """
    if found.release_part is not None:
        return ()
    total, number = found.sums.tolist()
    most = length / 2 * number
    return mean_warnings((-total - most, total - most), tails)


def mean_of_sums(
    question: Question,
    numbers: Sequence[float],
    found: MeanSums | PooledSums | None,
    confidence: float,
) -> MeanEstimate:
    """The mean among those who answered, with the interval of a test of each mean.

    A mean is a share of the way from the smallest to the largest answer, so its interval is
    that of score_ratio; it is normal if everybody answers.

    `numbers` are the values of the answers. The estimate has no numbers without
    reports. It has no interval if the covariances are unknown or all reports are the same,
    and no variances if these are unknown or the reports do not show that anybody answered.

    Source: Fieller 1954; Cochran 1977, "Sampling Techniques", equation 6.13, and section
        6.11 for strata (combined ratio estimate).
    """
    if found is None:
        return MeanEstimate(unit=question.unit)
    total, number = found.sums.tolist()
    least, length = min(numbers), float(np.ptp(numbers))

    def variance_if(ratio: float) -> float:
        variance, _, released = _parts_of(found, np.array([1 / length, 0.5 - ratio]))
        if released is None:
            return variance
        return max(variance, 0.0) + float(stretched(released, confidence))

    if not shows_variance(total / length, variance_if(0.5)):
        return _with_variances(MeanEstimate(unit=question.unit), numbers, found)
    shares = number, total / length + number / 2
    ratio = score_ratio(shares, variance_if, critical_value(confidence))
    value, low, high = (least + length * each for each in (ratio.value, ratio.low, ratio.high))
    estimate = MeanEstimate(value=value, low=low, high=high, unit=question.unit)
    return _with_variances(estimate, numbers, found) if ratio.is_bounded else estimate


def _with_variances(
    estimate: MeanEstimate, numbers: Sequence[float], found: MeanSums | PooledSums
) -> MeanEstimate:
    """The same mean with its variances by the delta method, if somebody seems to have answered."""
    total, number = found.sums.tolist()
    if number <= 0:
        return estimate
    variance, sampling, released = _parts_of(found, np.array([1.0, -total / number]) / number)
    return replace(
        estimate,
        value=middle(numbers) + total / number,
        variance=finite_or_none(variance + (released or 0.0)),
        mechanism_variance=finite_or_none(variance - sampling),
        sampling_variance=finite_or_none(sampling),
        release_variance=released,
    )


def _parts_of(found: MeanSums | PooledSums, slopes: Floats) -> tuple[float, float, float | None]:
    """The variance of a weighted sum without noise, its sampling part, and that of the noise."""
    variance, sampling = found.variances(slopes)
    part = found.release_part
    return variance, sampling, None if part is None else float(slopes @ part @ slopes)
