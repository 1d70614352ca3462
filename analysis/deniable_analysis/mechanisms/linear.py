"""Shares with all their covariances, for sums of shares.

The options of a question in a crosstab are sums of its cells; a mean is a sum
of levels times their shares. The variances of both need the covariances.
"""

from dataclasses import dataclass, replace

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.estimators import (
    Channel,
    covariance_matrix,
    debias,
    normal_ends,
    sampling_scale,
)
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.estimators.noise import released_shares, released_variance, stretched
from deniable_analysis.mechanisms.scores import scores
from deniable_analysis.results.numbers import MeanEstimate
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


@dataclass(frozen=True, slots=True)
class LinearShares:
    """Shares that sum to 1 unless their counts have noise, and the parts of their covariances.

    Args:
        shares: (options,) raw shares.
        mechanism_part: (options, options) covariances that the randomization
            causes.
        sampling_scale: factor of the covariances diag(f) - f f' of one drawn
            respondent: 1/n for n respondents.
        release_part: (options, options) covariances that the noise of releases causes; None
            without noise.
    """

    shares: Floats
    mechanism_part: Floats
    sampling_scale: float
    release_part: Floats | None = None

    @classmethod
    def of_total(cls, shares: Floats, covariances: Floats, reports: int) -> "LinearShares":
        """Shares without noise from their total covariances and the number of reports."""
        return cls(shares, covariances - _drawn(shares) / reports, 1 / reports)

    def variances(self) -> tuple[Floats, Floats]:
        """The mechanism and the sampling part of each share's variance."""
        return np.diag(self.mechanism_part), self.shares * (1 - self.shares) * self.sampling_scale

    @property
    def covariances(self) -> Floats:
        """The (options, options) covariances without those of the noise of releases."""
        return self.mechanism_part + self.sampling_part

    @property
    def sampling_part(self) -> Floats:
        """The (options, options) covariances that choosing the respondents causes."""
        return _drawn(self.shares) * self.sampling_scale

    def of_population(self, population: int | None) -> "LinearShares":
        """The same shares for a sample of a finite population."""
        scale = sampling_scale(self.sampling_scale, population)
        return replace(self, sampling_scale=scale)

    @property
    def released(self) -> Floats | None:
        """The part of each share's variance that the noise of releases causes; None without."""
        return None if self.release_part is None else np.diag(self.release_part)


def block_shares(mechanism: Subset, counts: BlockCounts) -> LinearShares:
    """The shares of a block's answers, which are cells if the block is joint.

    Raises:
        InvalidCounts: there is no report.
    """
    found = counts.of(range(mechanism.domain_size)), counts.report_count
    channel = Channel.of(mechanism).rounded()
    if not counts.noise:
        return linear_shares(debias(*found, channel), mechanism, counts.report_count)
    plain = linear_shares(released_shares(*found, channel), mechanism, counts.report_count)
    one = released_variance(counts.noise, counts.report_count, channel)
    # Of two options one count is released, and the other is the rest.
    across = -1.0 if mechanism.domain_size == 2 else 0.0
    pattern = np.where(np.eye(mechanism.domain_size, dtype=np.bool_), 1.0, across)
    return replace(plain, release_part=one * pattern)


def linear_shares(shares: Floats, mechanism: Subset, report_count: int) -> LinearShares:
    """Given shares of all answers of a block, with the covariances under these shares.

    Raises:
        InvalidCounts: there is no report.
    """
    total = covariance_matrix(shares, report_count, mechanism)
    return LinearShares.of_total(shares, total, report_count)


def _drawn(shares: Floats) -> Floats:
    """The covariances of the answers of one drawn respondent."""
    return np.asarray(np.diag(shares) - np.outer(shares, shares))


def merge(cells: LinearShares, membership: Floats) -> LinearShares:
    """The shares of groups of answers; membership is 1 where a group contains an answer."""
    released = cells.release_part
    return LinearShares(
        membership.T @ cells.shares,
        membership.T @ cells.mechanism_part @ membership,
        cells.sampling_scale,
        None if released is None else membership.T @ released @ membership,
    )


def mean_of_shares(
    question: Question, found: LinearShares | None, confidence: float
) -> MeanEstimate | None:
    """The mean among those who answered, from the shares of the answers.

    It is a ratio of two sums of shares; its variance is by the delta method.
    None for a question without numbers as answers; without numbers if nobody
    reported.
    """
    numbers = scores(question)
    if numbers is None:
        return None
    answering = float(found.shares[: len(numbers)].sum()) if found else 0.0
    if found is None or answering <= 0:
        return MeanEstimate(unit=question.unit)
    value = float(found.shares[: len(numbers)] @ numbers) / answering
    slopes = np.zeros(len(found.shares))
    slopes[: len(numbers)] = (np.array(numbers) - value) / answering
    mechanism_part = float(slopes @ found.mechanism_part @ slopes)
    # The slopes times the shares sum to 0, so no square is subtracted.
    sampling_part = float(found.shares @ slopes**2) * found.sampling_scale
    variances = mechanism_part + sampling_part, sampling_part
    of_noise = found.release_part
    released = None if of_noise is None else float(slopes @ of_noise @ slopes)
    return normal_mean(question, value, variances, confidence, released)


def normal_mean(
    question: Question,
    value: float,
    variances: tuple[float | None, float | None],
    confidence: float,
    released: float | None = None,
) -> MeanEstimate:
    """A mean with its normal interval.

    Args:
        question: the question.
        value: the mean.
        variances: its variance without that of noise, and the sampling part, None where unknown.
        confidence: of the interval.
        released: the part of the variance that the noise of releases causes; None without noise.
    """
    variance, sampling = variances
    apart = float(np.ptp(scores(question) or (0.0,)))
    spread, total = variance, variance
    if variance is not None and released is not None:
        total = variance + released
        spread = max(variance, 0.0) + float(stretched(released, confidence))
    low, high = normal_ends(value, spread, critical_value(confidence), apart)
    return MeanEstimate(
        value=value,
        low=low,
        high=high,
        variance=total,
        mechanism_variance=None if variance is None or sampling is None else variance - sampling,
        sampling_variance=sampling,
        release_variance=released,
        unit=question.unit,
    )
