"""Shares with all their covariances, for sums of shares.

The options of a question in a crosstab are sums of its cells; a mean is a sum
of levels times their shares. The variances of both need the covariances.
"""

from dataclasses import dataclass

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
from deniable_analysis.mechanisms.scores import scores
from deniable_analysis.results import MeanEstimate
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts


@dataclass(frozen=True, slots=True)
class LinearShares:
    """Shares that sum to 1, and the two parts of their covariances.

    Args:
        shares: (options,) raw shares.
        mechanism_part: (options, options) covariances that the randomization
            causes.
        sampling_scale: factor of the covariances diag(f) - f f' of one drawn
            respondent: 1/n for n respondents.
    """

    shares: Floats
    mechanism_part: Floats
    sampling_scale: float

    @classmethod
    def of_total(cls, shares: Floats, covariances: Floats, reports: int) -> "LinearShares":
        """Shares from their total covariances and the number of reports."""
        return cls(shares, covariances - _drawn(shares) / reports, 1 / reports)

    def variances(self) -> tuple[Floats, Floats]:
        """The mechanism and the sampling part of each share's variance."""
        return np.diag(self.mechanism_part), self.shares * (1 - self.shares) * self.sampling_scale

    @property
    def covariances(self) -> Floats:
        """The (options, options) total covariances."""
        return self.mechanism_part + self.sampling_part

    @property
    def sampling_part(self) -> Floats:
        """The (options, options) covariances that choosing the respondents causes."""
        return _drawn(self.shares) * self.sampling_scale

    def of_population(self, population: int | None) -> "LinearShares":
        """The same shares for a sample of a finite population."""
        scale = sampling_scale(self.sampling_scale, population)
        return LinearShares(self.shares, self.mechanism_part, scale)


def block_shares(mechanism: Subset, counts: BlockCounts) -> LinearShares:
    """The shares of a block's answers, which are cells if the block is joint.

    Raises:
        InvalidCounts: there is no report.
    """
    support = counts.of(range(mechanism.domain_size))
    shares = debias(support, counts.report_count, Channel.of(mechanism).rounded())
    return linear_shares(shares, mechanism, counts.report_count)


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
    return LinearShares(
        membership.T @ cells.shares,
        membership.T @ cells.mechanism_part @ membership,
        cells.sampling_scale,
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
    return normal_mean(question, value, variances, confidence)


def normal_mean(
    question: Question,
    value: float,
    variances: tuple[float | None, float | None],
    confidence: float,
) -> MeanEstimate:
    """A mean with its normal interval.

    `variances` are its total variance and the sampling part, None where unknown.
    """
    variance, sampling = variances
    apart = float(np.ptp(scores(question) or (0.0,)))
    low, high = normal_ends(value, variance, critical_value(confidence), apart)
    return MeanEstimate(
        value=value,
        low=low,
        high=high,
        variance=variance,
        mechanism_variance=None if variance is None or sampling is None else variance - sampling,
        sampling_variance=sampling,
        unit=question.unit,
    )
