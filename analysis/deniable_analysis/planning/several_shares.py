"""Several shares of a question: the variance of their sum, their errors, and their order."""

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction

import numpy as np
from scipy.special import ndtr, ndtri

from deniable_analysis.arguments import (
    Number,
    possible,
    read_count,
    read_probability,
    read_respondents,
    read_share,
)
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.covariance import both_supported
from deniable_analysis.planning.designs import Share, check_subset, support_rate, unit_variance
from deniable_analysis.planning.goal import Goal
from deniable_sdk.mechanisms import Subset


def merged_unit_variance(
    mechanism: Subset, merged: int, share: Share | Number = Share.WORST
) -> Fraction:
    """The total variance of a sum of options' shares, times the reports.

    The distribution of the number of these options in a report's set depends
    only on whether the answer is one of them, so the variance is quadratic in
    their share.

    Args:
        mechanism: mechanism of a joint block, or of one question.
        merged: number of options in the sum.
        share: planned sum of their shares; EQUAL is merged / options.
    Raises:
        InvalidArgument: merged is not from 1 to one less than the options, or a
            given share is not from 0 to 1.
    Source: summed from the covariances of Ye and Barg 2018. Let T be the number
    of the m options that a set contains, and F their share. The mean of T is
    m·q + F·(p - q), and its second moment is linear in F.
    """
    check_subset(mechanism)
    read_count("merged", merged, 1, mechanism.domain_size - 1, ", one less than the options")
    keep, flip = mechanism.keep, mechanism.flip
    holding, missing = both_supported(mechanism)
    others = merged - 1
    # E[T²] is the sum of the probabilities of every option alone and of every ordered pair: if the
    # answer is one of the options, and if it is not.
    inside = keep + others * flip + 2 * others * holding + others * (others - 1) * missing
    outside = merged * flip + merged * others * missing
    slope, spread, base = inside - outside, keep - flip, merged * flip
    if share is Share.WORST:
        # The maximum of the quadratic below, clipped to 0 to 1.
        at = max(Fraction(0), min(Fraction(1), (slope / (2 * spread) - base) / spread))
    elif share is Share.EQUAL:
        at = Fraction(merged, mechanism.domain_size)
    else:
        at = read_share("share", share)
    return (outside + slope * at - (base + spread * at) ** 2) / spread**2


def expected_absolute_error(
    mechanism: Subset, respondents: int, shares: Sequence[Number]
) -> float:
    """The expected sum of the absolute errors of all shares of a question.

    It is computed by the normal approximation.

    Args:
        mechanism: mechanism of the question, from plan_mechanism or a published
            block.
        respondents: number of respondents who are asked the question.
        shares: true shares, one for each option.
    Raises:
        InvalidArgument: respondents is below 1, or there is not one share from 0 to
            1 for each option.
    """
    check_subset(mechanism)
    is_list = isinstance(shares, Sequence) or (isinstance(shares, np.ndarray) and shares.ndim == 1)
    given = list(shares) if is_list else []
    if len(given) != mechanism.domain_size:
        raise InvalidArgument(
            f"shares: got {len(given)}; allowed are {mechanism.domain_size}, one for each option"
        )
    count = read_respondents("respondents", respondents)
    variances = (unit_variance(mechanism, share) / count for share in given)
    return sum(math.sqrt(2 * variance / math.pi) for variance in variances)


@dataclass(frozen=True, slots=True)
class Order(Goal):
    """The right order of two options of a question under subset selection.

    Args:
        first: true share of one option.
        second: true share of another option; together at most 1.
        probability: wanted probability that the estimate of the larger share is
            the larger one, by the normal approximation; above 0.5.
    Source: a report contributes +1, 0 or -1 to the difference in support, whose
    sign is that of the difference in shares; Ye and Barg 2018 for the
    covariance.
    """

    WORDS = "the order of {first} and {second}"

    first: Number
    second: Number
    _: KW_ONLY
    probability: Number = 0.95

    def respondents(self, mechanism: Subset) -> int:
        """As in Goal."""
        difference, variance = self._difference(mechanism)
        wanted = read_probability("probability", self.probability)
        if wanted <= Fraction(1, 2):
            raise InvalidArgument(
                f"probability: got {float(wanted):g}; allowed is a number above 0.5, the "
                "probability of a coin toss"
            )
        reach = Fraction(float(ndtri(float(wanted))))
        return possible(max(1, math.ceil(reach**2 * variance / difference**2)))

    def reached(self, mechanism: Subset, respondents: int) -> float:
        """The probability that this number of respondents finds the right order."""
        difference, variance = self._difference(mechanism)
        count = read_respondents("respondents", respondents)
        return float(ndtr(abs(float(difference)) * math.sqrt(count / float(variance))))

    def _difference(self, mechanism: Subset) -> tuple[Fraction, Fraction]:
        """Mean and variance of one report's contribution to the difference in support."""
        check_subset(mechanism)
        one, other = read_share("first", self.first), read_share("second", self.second)
        is_whole = one + other == 1
        if one == other or one + other > 1 or (mechanism.domain_size == 2 and not is_whole):
            raise InvalidArgument(
                f"first, second: got {float(one):g} and {float(other):g}; allowed are two "
                "different shares of one question, so together at most 1, and exactly 1 of two "
                "options"
            )
        rates = support_rate(mechanism, one), support_rate(mechanism, other)
        holding, missing = both_supported(mechanism)
        both = (one + other) * holding + (1 - one - other) * missing
        difference = rates[0] - rates[1]
        return difference, sum(rates) - 2 * both - difference**2
