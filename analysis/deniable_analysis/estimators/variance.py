"""How far an estimated share strays, in two parts that are never mixed.

The sampling part is there because the respondents are a sample of those the
survey is about; the mechanism part because their answers were randomized.
Only the mechanism part would be left if everybody were asked.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable_analysis.arguments import read_numbers, read_report_count
from deniable_analysis.estimators.channel import Channel, check_channel


def total_variance(shares: ArrayLike, report_count: int, channel: Channel) -> NDArray[Any]:
    """The variance of each estimated share, both parts together.

    Args:
        shares: (options,) true shares, or raw estimated ones.
        report_count: n, at least 1.
        channel: of the block.
    Returns:
        (options,) lambda (1 - lambda) / (n (p - q)^2), where lambda is the
        probability that a report supports the option. At raw shares lambda is
        a part of the reports, so the variance is never negative.
    Raises:
        InvalidCounts: there is no report, or shares are no numbers.
    """
    found, reports = _read(shares, report_count)
    check_channel(channel)
    spread: Any = channel.spread
    rate = found * spread + channel.flip
    return np.asarray(rate * (1 - rate) / (reports * spread**2))


def mechanism_variance(shares: ArrayLike, report_count: int, channel: Channel) -> NDArray[Any]:
    """The part of the variance that the randomization causes.

    Args:
        shares: (options,) true shares, or raw estimated ones.
        report_count: n, at least 1.
        channel: of the block.
    Returns:
        (options,) [f p(1-p) + (1-f) q(1-q)] / (n (p - q)^2). At a raw share
        far outside 0 to 1 it can come out negative; it is not clipped, so
        that the two parts always add up to the total.
    Raises:
        InvalidCounts: there is no report, or shares are no numbers.
    """
    found, reports = _read(shares, report_count)
    check_channel(channel)
    keep, flip = channel.keep, channel.flip
    noise = found * (keep * (1 - keep)) + (1 - found) * (flip * (1 - flip))
    scale: Any = reports * channel.spread**2
    return np.asarray(noise / scale)


def sampling_variance(shares: ArrayLike, report_count: int) -> NDArray[Any]:
    """The part of the variance that choosing the respondents causes.

    Args:
        shares: (options,) true shares, or raw estimated ones.
        report_count: n, at least 1.
    Returns:
        (options,) f (1 - f) / n. At a raw share outside 0 to 1 it is
        negative; it is not clipped, so that the two parts always add up.
    Raises:
        InvalidCounts: there is no report, or shares are no numbers.
    """
    found, reports = _read(shares, report_count)
    return np.asarray(found * (1 - found) / reports)


def _read(shares: ArrayLike, report_count: int) -> tuple[NDArray[Any], int]:
    return read_numbers(shares, "shares"), read_report_count(report_count, "a variance")
