"""Debiased shares of one question, with their variances and covariances.

A variance has two parts. The sampling part exists because the respondents are a
sample of the population; the mechanism part exists because their answers were
randomized. The two are kept apart: if everybody were asked, only the mechanism
part would remain. Covariances are for differences, sums and means of shares.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable_analysis.arguments import read_floats, read_numbers, read_report_count
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimators.channel import (
    Channel,
    check_channel,
    check_subset,
    manipulation_margin,
    support_rates,
)
from deniable_analysis.estimators.confidence import critical_value, normal_interval
from deniable_analysis.estimators.finite import sampling_scale
from deniable_analysis.estimators.intervals import IntervalRule, share_interval
from deniable_analysis.estimators.noise import (
    NO_NOISE,
    Noise,
    released_interval,
    released_shares,
    released_variance,
    stretched,
)
from deniable_sdk.mechanisms import Subset

# The numbers of a share by their names, as in ShareEstimate.
Numbers = Mapping[str, Any]
NORMAL = "normal"


def debias(support: ArrayLike, report_count: int, channel: Channel) -> NDArray[Any]:
    """The unbiased share of each option among the respondents.

    Shares may be negative or above 1. With mechanisms other than subset
    selection their sum may differ from 1. They are never clipped; for display
    see project_to_simplex.

    Args:
        support: (options,) number of reports that support each option.
        report_count: n, at least 1.
        channel: channel of the block; the result is exact where it and the counts
            are fractions.
    Returns:
        (options,) shares, 1.0 being every respondent.
    Raises:
        InvalidArgument: there is no report, or a count is not in 0..n; channel is not a Channel.
    Source: Wang et al. 2017 (USENIX Security), equation 1.
    """
    check_channel(channel)
    spread: Any = channel.spread
    return np.asarray((support_rates(support, report_count) - channel.flip) / spread)


def total_variance(shares: ArrayLike, report_count: int, channel: Channel) -> NDArray[Any]:
    """The variance of each estimated share, both parts together.

    Args:
        shares: (options,) true shares, or raw estimated ones.
        report_count: n, at least 1.
        channel: channel of the block.
    Returns:
        (options,) lambda (1 - lambda) / (n (p - q)^2), where lambda is the
        probability that a report supports the option. At raw shares lambda is a
        rate of reports, so the variance is never negative.
    Raises:
        InvalidArgument: there is no report, or shares are no numbers.
    """
    found, reports = _read(shares, report_count)
    check_channel(channel)
    spread: Any = channel.spread
    rate = found * spread + channel.flip
    return np.asarray(rate * (1 - rate) / (reports * spread**2))


def mechanism_variance(shares: ArrayLike, report_count: int, channel: Channel) -> NDArray[Any]:
    """The part of the variance that the randomization causes.

    Arguments and errors are those of total_variance.

    Returns:
        (options,) [f p(1-p) + (1-f) q(1-q)] / (n (p - q)^2). At a raw share far
        outside 0 to 1 it can be negative; it is not clipped, so that the two
        parts always add up to the total.
    """
    found, reports = _read(shares, report_count)
    check_channel(channel)
    keep, flip = channel.keep, channel.flip
    noise = found * (keep * (1 - keep)) + (1 - found) * (flip * (1 - flip))
    scale: Any = reports * channel.spread**2
    return np.asarray(noise / scale)


def sampling_variance(shares: ArrayLike, report_count: int) -> NDArray[Any]:
    """The part of the variance that choosing the respondents causes.

    Arguments and errors are those of total_variance.

    Returns:
        (options,) f (1 - f) / n. At a raw share outside 0 to 1 it is negative,
        and not clipped either.
    """
    found, reports = _read(shares, report_count)
    return np.asarray(found * (1 - found) / reports)


def _read(shares: ArrayLike, report_count: int) -> tuple[NDArray[Any], int]:
    return read_numbers(shares, "shares"), read_report_count(report_count, "a variance")


def covariance_matrix(shares: ArrayLike, report_count: int, mechanism: Subset) -> Floats:
    """The covariances of the estimated shares of one question.

    The variance of a weighted sum of shares is weights @ matrix @ weights.
    Rows sum to 0, because the shares always sum to 1.

    Args:
        shares: (options,) true shares, or raw estimated ones; they sum to 1.
        report_count: n, at least 1.
        mechanism: the block's subset selection.
    Returns:
        (options, options) matrix, with the total variances on its diagonal.
    Raises:
        InvalidArgument: there is no report, or not one share for each option; the mechanism is not
            subset selection.
    """
    check_subset(mechanism)
    reports = read_report_count(report_count, "a covariance")
    vector = read_floats(shares, "shares")
    if vector.shape != (mechanism.domain_size,):
        raise InvalidArgument(
            f"got shares of shape {vector.shape}; allowed are {mechanism.domain_size} shares, "
            "one for each option"
        )
    return group_covariances(vector, np.ones(len(vector)), reports, mechanism)


def group_covariances(
    shares: Floats, sizes: Floats, report_count: int, mechanism: Subset
) -> Floats:
    """The covariances of the estimated shares of groups of options that have none in common.

    They depend on the options of a group only by their number. Arguments are those of
    covariance_matrix, and `sizes`, the (groups,) numbers of options in the groups.
    """
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    rates = flip * sizes + shares * (keep - flip)
    holding, missing = (float(both) for both in both_supported(mechanism))
    # The pairs of options of two groups, and the probability that the answer is in a pair.
    pairs, either = np.outer(sizes, sizes), np.outer(sizes, shares)
    either += either.T
    np.fill_diagonal(pairs, sizes * (sizes - 1))
    np.fill_diagonal(either, 2 * (sizes - 1) * shares)
    matrix: NDArray[Any] = either * holding + (pairs - either) * missing - np.outer(rates, rates)
    matrix[np.diag_indices(len(rates))] += rates
    return np.asarray(matrix / (report_count * (keep - flip) ** 2))


def both_supported(mechanism: Subset) -> tuple[Fraction, Fraction]:
    """The probability that one report supports two given options at once.

    Returns:
        r1, the probability if the answer is one of the two, and r0, the
        probability if it is not (0 if there are only two options).
    Source: Ye and Barg 2018; enumerated in the tests.
    """
    k, d, p = mechanism.domain_size, mechanism.size, mechanism.keep
    holding = p * (d - 1) / (k - 1)
    if k == 2:
        return holding, Fraction(0)
    missing = (p * (d - 1) * (d - 2) + (1 - p) * d * (d - 1)) / ((k - 1) * (k - 2))
    return holding, missing


def binomial_numbers(  # noqa: PLR0913 - the parts of a table
    support: Sequence[float],
    report_count: int,
    channel: Channel,
    rule: IntervalRule,
    valid: Callable[[Floats], Floats],
    *,
    noise: Noise = NO_NOISE,
) -> list[Numbers]:
    """The numbers of shares whose supporting reports are binomial counts; none without reports.

    Args:
        support: numbers of supporting reports.
        report_count: number of reports.
        channel: channel of the block.
        rule: which interval.
        valid: maps all raw shares to valid ones for display.
        noise: the noise of releases in each number in `support`.
    """
    if not report_count:
        return [{}] * len(support)
    found = support, report_count, channel
    columns: dict[str, Floats] = {}
    if noise:
        shares, (low, high) = released_shares(*found), released_interval(*found, rule, noise)
        released = released_variance(noise, report_count, channel)
        columns = {"release_variance": np.full(len(shares), released)}
    else:
        shares, (low, high) = debias(*found), share_interval(*found, rule)
    columns |= {
        "share": shares,
        "low": low,
        "high": high,
        "valid_share": valid(shares),
        "mechanism_variance": mechanism_variance(shares, report_count, channel),
        "sampling_variance": sampling_variance(shares, report_count)
        * (report_count * sampling_scale(1 / report_count, rule.population)),
        "manipulation_margin": np.full(len(shares), manipulation_margin(channel)),
    }
    return _rows(columns, report_count)


def normal_numbers(  # noqa: PLR0913 - the parts of a table
    shares: Floats,
    parts: tuple[Floats, Floats],
    report_count: int,
    rule: IntervalRule,
    valid: Callable[[Floats], Floats],
    *,
    ends: tuple[Floats, Floats] | None = None,
    released: Floats | None = None,
) -> list[Numbers]:
    """The numbers of shares that are not binomial counts, from their variances.

    Args:
        shares: raw shares.
        parts: mechanism and sampling part of their variances.
        report_count: number of reports.
        rule: confidence of normal intervals, which are for one look.
        valid: maps all raw shares to valid ones for display.
        ends: ends of other intervals, NaN where there is none.
        released: part of their variances that the noise of releases causes.
    Returns:
        Rows without an interval if the reports have a sample variance of 0.
    """
    mechanism_part, sampling_part = parts
    if ends is None:
        level = rule.confidence, rule.comparisons
        # A variance computed at raw shares far outside 0 to 1 can be negative.
        total = mechanism_part + sampling_part
        if released is not None:
            total = np.maximum(total, 0.0) + stretched(released, *level)
        ends = normal_interval(shares, total, critical_value(*level))
    low, high = ends
    columns = {} if released is None else {"release_variance": released}
    columns |= {
        "share": shares,
        "low": low,
        "high": high,
        "valid_share": valid(shares),
        "mechanism_variance": mechanism_part,
        "sampling_variance": sampling_part,
    }
    low, high = (np.where(np.isnan(low + high), np.nan, each) for each in (low, high))
    return _rows({**columns, "low": low, "high": high}, report_count)


def _rows(columns: Mapping[str, Floats], report_count: int) -> list[Numbers]:
    """The columns as rows; NaN, as of a variance that nobody knows, is None."""
    rows = zip(*(np.asarray(column).tolist() for column in columns.values()), strict=True)
    found = ([None if each != each else each for each in row] for row in rows)  # noqa: PLR0124 - NaN
    return [{**dict(zip(columns, row, strict=True)), "reports": report_count} for row in found]
