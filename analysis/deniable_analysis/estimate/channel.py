"""The probability that a report supports an option: p if it is the answer, q if not.

With these, it is also known how far forged reports could move a share.
"""

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable_analysis.arguments import (
    Number,
    check_kind,
    is_finite,
    is_whole,
    read_number,
    read_numbers,
    read_report_count,
    shown,
)
from deniable_analysis.arrays import Floats
from deniable_analysis.defaults import FORGED
from deniable_analysis.errors import InvalidArgument
from deniable_sdk.mechanisms import Subset


@dataclass(frozen=True, slots=True)
class Channel:
    """The probabilities with which a report supports an option.

    If keep and flip are fractions, everything computed from them stays exact.
    `rounded` returns the same channel in floats, for arrays of floats.

    Args:
        keep: p, the probability if the option is the respondent's answer; below
            1.
        flip: q, the probability if it is not; above 0 and below keep.
    Raises:
        InvalidArgument: they are not numbers with 0 < flip < keep < 1.
    Source: Wang et al. 2017 (USENIX Security), "pure protocol".
    """

    keep: Number
    flip: Number

    def __post_init__(self) -> None:
        are_numbers = isinstance(self.keep, Real) and isinstance(self.flip, Real)
        if not (are_numbers and 0 < self.flip < self.keep < 1):
            raise InvalidArgument(
                f"got keep {shown(self.keep)} and flip {shown(self.flip)}; "
                "allowed are 0 < flip < keep < 1, as in every private mechanism"
            )

    @classmethod
    def of(cls, mechanism: Subset) -> "Channel":
        """The exact channel of a published mechanism.

        Raises:
            InvalidArgument: the mechanism is not subset selection.
        """
        check_subset(mechanism)
        return cls(mechanism.keep, mechanism.flip)

    def rounded(self) -> "Channel":
        """The same channel in floats."""
        return Channel(float(self.keep), float(self.flip))

    @property
    def spread(self) -> Number:
        """The difference p - q of the two probabilities."""
        return self.keep - self.flip


def merged_channel(mechanism: Subset, merged: int) -> Channel:
    """The channel of a group of cells, of which a report can support at most one.

    Source: a group of m cells under k-ary randomized response is supported
    with probability p + (m - 1) q if it contains the answer, else m q.
    """
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    return Channel(keep + (merged - 1) * flip, merged * flip)


def support_rates(support: ArrayLike, report_count: int) -> NDArray[Any]:
    """The part of all reports that supports each option.

    Raises:
        InvalidArgument: there is no report, or a count is not in 0..n.
    """
    reports = read_report_count(report_count)
    counts = read_numbers(support, "support")
    if not np.all((counts >= 0) & (counts <= reports)):
        raise InvalidArgument(
            f"got a count of supporting reports outside 0 to {reports}, the number of "
            "reports; count each report at most once for each option"
        )
    return np.asarray(counts / reports)


def check_channel(channel: object) -> None:
    """Raise InvalidArgument unless it is a Channel."""
    allowed = "a Channel(keep, flip), such as that of a block's mechanism: Channel.of(mechanism)"
    check_kind("channel", channel, Channel, allowed)


def check_subset(mechanism: object) -> None:
    """Raise InvalidArgument unless it is subset selection."""
    allowed = "subset selection, the mechanism of a yes_no, choice or scale"
    check_kind("mechanism", mechanism, Subset, allowed)


def manipulation_margin(
    channel: Channel,
    forged: float = FORGED,
    *,
    options: int = 1,
    supported: int = 1,
    share: float = 0.0,
) -> float:
    """The largest increase of a share that forged reports can cause.

    The forgers know the mechanism and send the report that supports the share
    most.

    Args:
        channel: channel of the block.
        forged: forged part of all reports, 0 to 1.
        options: number of options whose shares are summed to the share.
        supported: largest number of these that one report can support.
        share: true share of the options; the increase is largest at 0.
    Raises:
        InvalidArgument: channel is not a Channel, or forged is not within 0 to 1; options,
            supported or share is out of range.
    Source: Cao, Jia and Gong 2021 (USENIX Security), "maximal gain attack";
        forged (supported - options q) / (p - q) - forged f.
    """
    check_channel(channel)
    if not (is_finite(forged) and 0 <= forged <= 1):
        raise InvalidArgument(
            f"got {shown(forged)} as the forged share of the reports; allowed are 0 to 1"
        )
    if not (is_whole(options, 1) and is_whole(supported, 0)):
        raise InvalidArgument(
            f"got {shown(options)} options, of which a report supports {shown(supported)}; "
            "allowed are whole numbers"
        )
    return forged * (forged_gain(channel, options, supported) - float(read_number("share", share)))


def forged_gain(channel: Channel, options: int = 1, supported: int = 1) -> float:
    """What a forged report adds to a share of 0, as manipulation_margin; arguments are right."""
    return (supported - options * float(channel.flip)) / float(channel.spread)


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


def raw_shares(support: ArrayLike, report_count: int, channel: Channel) -> Floats:
    """The shares as in debias, in floats; with the noise of releases, counts may be impossible."""
    rates = np.asarray(support, np.float64) / report_count
    return np.asarray((rates - float(channel.flip)) / float(channel.spread))


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
    return mechanism_part(found, reports, channel)


def mechanism_part(shares: NDArray[Any], reports: int, channel: Channel) -> NDArray[Any]:
    """As mechanism_variance, of arguments that are right."""
    keep, flip = channel.keep, channel.flip
    noise = shares * (keep * (1 - keep)) + (1 - shares) * (flip * (1 - flip))
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


def sampling_scale(scale: float, population: int | None) -> float:
    """The factor of f (1 - f) in the variance, for a sample of a finite population.

    Args:
        scale: the factor for an infinite population: 1/n for one sample of n.
        population: N; None if it is so large that it does not matter.
    Returns:
        (scale - 1/N) N/(N - 1), which is (N - n)/(N - 1)/n for one sample.
    Source: Cochran 1977, "Sampling Techniques", theorem 3.2.
    """
    if population is None:
        return scale
    if population == 1:
        return 0.0
    return max(0.0, scale - 1 / population) * population / (population - 1)
