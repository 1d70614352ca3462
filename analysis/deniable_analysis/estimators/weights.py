"""Shares from reports with design weights.

Weights make up for respondents who were not equally likely to be asked. They
must be public and must not depend on the answers.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import finite_floats, kind_of
from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidCounts, InvalidWeights
from deniable_analysis.estimators.channel import Channel, check_channel
from deniable_analysis.estimators.intervals import (
    DEFAULT_RULE,
    IntervalRule,
    check_rule,
    rate_interval,
)
from deniable_analysis.estimators.variance import mechanism_variance


@dataclass(frozen=True, slots=True)
class WeightedShares:
    """Shares by weighted reports, with their intervals and variances.

    Args:
        shares: (options,) raw shares.
        low: (options,) where their intervals begin.
        high: (options,) where they end.
        variance: (options,) of each share, both parts together.
        mechanism_variance: (options,) the part that the randomization causes.
        design_effect: how many times more reports the same accuracy takes,
            than with equal weights.
        effective_count: the reports over the design effect.
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
    """The share of each option among those whom the weighted reports stand for.

    Args:
        support: (reports, options) whether each report supports each option.
        weights: (reports,) 0 or more, not all 0.
        channel: of the block.
        rule: which interval; it counts the effective number of reports.
    Raises:
        InvalidWeights: a weight is negative, infinite or not a number, all
            are 0, or there is not one for each report.
        InvalidCounts: support is something other than 0 or 1.
        InvalidChannel, InvalidInterval: the channel or the rule is none.
    Source: Hajek 1971 for the ratio; Cochran 1977, equation 6.13, for its
        variance; Kish 1965 for the design effect.
    """
    check_channel(channel)
    check_rule(rule)
    says = finite_floats(support)
    if says is None or not np.all((says == 0) | (says == 1)):
        raise InvalidCounts(
            "got support that is neither 0 nor 1 somewhere; allowed is 1 (or True) where a report "
            "supports an option, and 0 where not"
        )
    given = _read_weights(weights, says.shape)
    # Over the largest first: sums and squares of huge weights are beyond a float.
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
        raise InvalidWeights(
            f"weights: got {kind_of(weights)}, or one with a weight that is no finite number; "
            "allowed are 0 and more, not all 0: leave out or mend the rows"
        )
    if len(shape) != 2 or given.shape != shape[:1]:
        raise InvalidWeights(
            f"got weights of shape {given.shape} for support of shape {shape}; allowed are a "
            "row of support and one weight for each report"
        )
    if not (np.all(given >= 0) and np.any(given > 0)):
        raise InvalidWeights(
            f"got {int(np.sum(given < 0))} negative weights of {given.size}; allowed are 0 and "
            "more, not all 0: leave out or mend the rows"
        )
    return given
