"""Checks that reports can come from the survey they claim to."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, bdtrc

from deniable_analysis.arrays import Bools, Floats
from deniable_analysis.estimators.channel import Channel
from deniable_analysis.estimators.shares import support_rates

FALSE_ALARM_RATE = 1e-4


def is_beyond_chance(
    support: ArrayLike, report_count: int, channel: Channel, among: int | None = None
) -> Bools:
    """Whether each raw share lies further beyond 0 or 1 than chance explains.

    Exact binomial tails at a true share of 0 and of 1, where they are
    heaviest. Each option has two of them, so each tail gets FALSE_ALARM_RATE
    divided by twice the options (Bonferroni): whatever the true shares, an
    honest question has any alarm at most that often.

    Args:
        support: (options,) counts of options of one question.
        report_count: n, at least 1.
        channel: of the block.
        among: how many options the question has, where these are only some.
    Returns:
        (options,) truths.
    Raises:
        InvalidCounts: there is no report, or a count is not in 0..n.
    """
    support_rates(support, report_count)  # refuses counts that cannot be
    counts = np.asarray(support, dtype=np.float64)
    below = bdtr(counts, report_count, float(channel.flip))
    above = bdtrc(counts - 1, report_count, float(channel.keep))
    limit = FALSE_ALARM_RATE / (2 * (among or counts.size))
    return np.asarray(np.minimum(below, above) < limit, dtype=np.bool_)


def errors_beyond(beyond: ArrayLike, variances: ArrayLike, report_count: int) -> NDArray[Any]:
    """How many standard errors some estimates are beyond what can be.

    For estimates that are no binomial counts.

    Args:
        beyond: how far, negative below; 0 of what is possible.
        variances: at the boundary, where the truth is if it is not within: of
            a share the mechanism part alone, for f (1 - f) is 0 there.
        report_count: behind each, at least 1.
    Returns:
        In these errors. Where a variance comes out at 0 or less, as it can far
        outside, the reports are taken to lie to either side as far as the estimate.
    """
    far, spread = np.asarray(beyond, np.float64), np.asarray(variances, np.float64)
    squares = np.where(spread > 0, spread, far**2 / report_count)
    return np.divide(far, np.sqrt(squares), out=np.zeros_like(far), where=squares > 0)


def largest_by_chance(among: int) -> float:
    """How many standard errors chance alone hardly ever exceeds, for any of some estimates.

    Chernoff's bound, not the tail of the normal distribution: with few reports
    the tails of sums are heavier.

    Args:
        among: of how many estimates each may be beyond either end.
    """
    return float(np.sqrt(2 * np.log(2 * among / FALSE_ALARM_RATE)))


def boundary_deviation(support: ArrayLike, report_count: int, channel: Channel) -> Floats:
    """How many standard errors each raw share is beyond 0 or 1.

    The standard error is the one at the boundary. It is for people to read;
    whether chance gives as much is for is_beyond_chance to say.

    Returns:
        (options,) negative below 0, positive above 1, 0 within.
    Raises:
        InvalidCounts: there is no report, or a count is not in 0..n.
    """
    rates = np.asarray(support_rates(support, report_count), dtype=np.float64)
    above = _deviation(rates, report_count, float(channel.keep))
    below = _deviation(rates, report_count, float(channel.flip))
    return np.maximum(above, 0.0) + np.minimum(below, 0.0)


def _deviation(rates: NDArray[Any], n: int, boundary: float) -> Floats:
    return np.asarray((rates - boundary) / np.sqrt(boundary * (1 - boundary) / n))
