"""Shares from several groups or editions, or from reports with design weights.

Weights correct for unequal probabilities of being asked. They must be public
and must not depend on the answers.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaincc

from deniable_analysis.arguments import finite_floats, kind_of
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.channel import Channel, check_channel, mechanism_variance
from deniable_analysis.estimate.choice import DEFAULT_RULE, IntervalRule, check_rule, read_interval
from deniable_analysis.estimate.intervals import rate_interval, two_sided


@dataclass(frozen=True, slots=True)
class WeightedShares:
    """Shares estimated from weighted reports, with their intervals and variances.

    Args:
        shares: (options,) raw shares.
        low: (options,) lower ends of their intervals.
        high: (options,) upper ends of their intervals.
        variance: (options,) total variance of each share.
        mechanism_variance: (options,) the part that the randomization causes.
        design_effect: factor by which unequal weights increase the number of
            reports that a given accuracy needs.
        effective_count: number of reports divided by the design effect.
    """

    shares: Floats
    low: Floats
    high: Floats
    variance: Floats
    mechanism_variance: Floats
    design_effect: float
    effective_count: float

    @property
    def sampling_variance(self) -> Floats:
        """The rest of the variance, which choosing the respondents causes."""
        return self.variance - self.mechanism_variance

    @property
    def standard_errors(self) -> Floats:
        """The square roots of the variances."""
        return np.sqrt(self.variance)


def weighted_shares(
    support: ArrayLike, weights: ArrayLike, channel: Channel, rule: IntervalRule = DEFAULT_RULE
) -> WeightedShares:
    """The share of each option in the population that the weighted reports represent.

    Args:
        support: (reports, options) 1 or True where the report supports the
            option.
        weights: (reports,) 0 or more, not all 0.
        channel: channel of the block.
        rule: which interval; it is computed with the effective number of
            reports.
    Raises:
        InvalidArgument: a weight is negative, infinite or not a number, all are 0, or there is not
            one for each report; support is something other than 0 or 1; channel is not a Channel;
            rule is not an IntervalRule, or its interval is not for one look; weighted reports have
            no other.
    Source: Hajek 1971 for the ratio; Cochran 1977, equation 6.13, for its
        variance; Kish 1965 for the design effect.
    """
    check_channel(channel)
    check_rule(rule)
    read_interval(rule.interval)
    says = finite_floats(support)
    if says is None or not np.all((says == 0) | (says == 1)):
        raise InvalidArgument(
            "got support that is neither 0 nor 1 somewhere; allowed is 1 (or True) where a report "
            "supports an option, and 0 where not"
        )
    given = _read_weights(weights, says.shape)
    # Divided by the largest first: sums and squares of huge weights overflow a
    # float.
    parts = given / given.max()
    parts = parts / parts.sum()
    rates = parts @ says
    spread = float(channel.spread)
    squares = parts**2
    sum_of_squares = float(squares.sum())
    effective = 1 / sum_of_squares
    low, high = rate_interval(rates, effective, rule)
    shares = (rates - float(channel.flip)) / spread
    return WeightedShares(
        shares=shares,
        low=(low - float(channel.flip)) / spread,
        high=(high - float(channel.flip)) / spread,
        variance=squares @ (says - rates) ** 2 / spread**2,
        mechanism_variance=mechanism_variance(shares, 1, channel.rounded()) * sum_of_squares,
        design_effect=float(np.count_nonzero(given) * sum_of_squares),
        effective_count=effective,
    )


def _read_weights(weights: ArrayLike, shape: tuple[int, ...]) -> Floats:
    given = finite_floats(weights)
    if given is None:
        raise InvalidArgument(
            f"weights: got {kind_of(weights)}, or one with a weight that is not a finite number; "
            "allowed are 0 and more, not all 0: leave out or correct the rows"
        )
    if len(shape) != 2 or given.shape != shape[:1]:
        raise InvalidArgument(
            f"got weights of shape {given.shape} for support of shape {shape}; allowed are a "
            "row of support and one weight for each report"
        )
    if not (np.all(given >= 0) and np.any(given > 0)):
        raise InvalidArgument(
            f"got {int(np.sum(given < 0))} negative weights of {given.size}; allowed are 0 and "
            "more, not all 0: leave out or correct the rows"
        )
    return given


def pooled_interval(
    share: float, variance_if: Callable[[float], float], rule: IntervalRule
) -> tuple[float, float]:
    """A score interval of a share that was pooled from several binomial counts.

    If all counts have the same true share f, the variance of the pooled share
    is A + B f - C f². The variance of a single count has the same form. The
    single count with these A, B and C has 1 / C reports and a channel of its
    own, and its interval is the result. With one count, or several of the same
    channel, this is the interval of their sum.

    `variance_if` is the variance of the pooled share under a true share of 0 to 1.
    """
    at_none, at_half, at_all = (variance_if(each) for each in (0.0, 0.5, 1.0))
    square = 4 * at_half - 2 * (at_none + at_all)
    reports = math.floor(1 / square + 1e-9)
    slope, constant = (at_all - at_none) / square + 1, at_none / square
    # For a channel with keep p and flip q: C n = 1, B n = (1 - 2 q) / (p - q) and A n = q (1 - q)
    # / (p - q)^2.
    spread = 1 / math.sqrt(slope**2 + 4 * constant)
    flip = (1 - slope * spread) / 2
    rate = min(1.0, max(0.0, flip + share * spread))
    ends = rate_interval(np.array([rate]), max(1, reports), rule, (flip, min(1.0, flip + spread)))
    low, high = ((float(each[0]) - flip) / spread for each in ends)
    return min(low, share), max(high, share)


# Shewhart's limits: by chance, about 3 in 1,000 points are outside them.
CONTROL_LIMIT = 3.0


@dataclass(frozen=True, slots=True)
class Series:
    """Statistics of independent estimates over time; see OptionTrend for the other fields.

    `limits` are the (points, 2) lower and upper control limits, if nothing changed.
    """

    centre: float
    limits: Floats
    slope: float
    slope_error: float
    p_value: float
    change_p_value: float

    @property
    def z(self) -> float:
        """The z statistic of the slope."""
        return self.slope / self.slope_error


def series(times: ArrayLike, values: ArrayLike, variances: ArrayLike) -> Series:
    """The centre, the limits and the slope of independent estimates.

    Args:
        times: (points,) at least two, not all the same.
        values: (points,) estimates.
        variances: (points,) variances of the values, above 0; where possible
            under the hypothesis of no change, so that weights do not depend on
            chance.
    Raises:
        InvalidArgument: there are fewer than two points, all times are the
            same, the numbers differ, or a variance is not above 0.
    Source: Shewhart 1931; the limits account for the correlation of a point
        with the centre. Weighted least squares; Cochran 1954 for any change.
    """
    when, found, spread = (np.asarray(each, np.float64) for each in (times, values, variances))
    is_legal = found.size >= 2 and when.shape == found.shape == spread.shape
    if not (is_legal and np.all(spread > 0) and np.ptp(when) > 0):
        raise InvalidArgument(
            f"got {when.size} times, {found.size} estimates and {spread.size} variances; allowed "
            "are as many of each, at least two, variances above 0, and times that are not all "
            "the same"
        )
    weights = 1 / spread
    total = float(weights.sum())
    centre = float(weights @ found) / total
    reach = CONTROL_LIMIT * np.sqrt(np.maximum(0.0, spread - 1 / total))
    centred = when - float(weights @ when) / total
    moved = float(weights @ centred**2)
    slope, slope_error = float(weights @ (centred * found)) / moved, 1 / math.sqrt(moved)
    statistic = float(weights @ (found - centre) ** 2)
    return Series(
        centre=centre,
        limits=np.stack((centre - reach, centre + reach), axis=1),
        slope=slope,
        slope_error=slope_error,
        p_value=two_sided(slope / slope_error) or 0.0,
        change_p_value=float(gammaincc((found.size - 1) / 2, statistic / 2)),
    )
