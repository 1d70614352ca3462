"""Debiasing: from the options reports support to shares of respondents."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable_analysis.arguments import read_numbers, read_report_count
from deniable_analysis.errors import InvalidCounts
from deniable_analysis.estimators.channel import Channel, check_channel


def support_rates(support: ArrayLike, report_count: int) -> NDArray[Any]:
    """The part of all reports that supports each option.

    Raises:
        InvalidCounts: there is no report, or a count is not in 0..n.
    """
    reports = read_report_count(report_count)
    counts = read_numbers(support, "support")
    if not np.all((counts >= 0) & (counts <= reports)):
        raise InvalidCounts(
            f"got a count of supporting reports outside 0 to {reports}, the number of "
            "reports; count each report at most once for each option"
        )
    return np.asarray(counts / reports)


def debias(support: ArrayLike, report_count: int, channel: Channel) -> NDArray[Any]:
    """The unbiased share of each option among the respondents.

    Shares may be negative, above 1, or (with other mechanisms than subset
    selection) sum to other than 1; they are never clipped: see projection.

    Args:
        support: (options,) number of reports that support each option.
        report_count: n, at least 1.
        channel: of the block; the result is exact where it and the counts
            are fractions.
    Returns:
        (options,) shares, 1.0 being every respondent.
    Raises:
        InvalidCounts: there is no report, or a count is not in 0..n.
        InvalidChannel: the channel is none.
    Source: Wang et al. 2017 (USENIX Security), equation 1.
    """
    check_channel(channel)
    spread: Any = channel.spread
    return np.asarray((support_rates(support, report_count) - channel.flip) / spread)
