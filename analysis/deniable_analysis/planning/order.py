"""Plans for the order of two options: which one is chosen more often."""

import math
from fractions import Fraction

from scipy.special import ndtr, ndtri

from deniable_analysis.arguments import (
    Number,
    possible,
    read_probability,
    read_respondents,
    read_share,
)
from deniable_analysis.errors import InvalidPlan
from deniable_analysis.estimators.shares import both_supported
from deniable_analysis.planning.designs import check_subset, support_rate
from deniable_sdk.mechanisms import Subset


def respondents_for_order(
    mechanism: Subset, first: Number, second: Number, *, probability: Number = 0.95
) -> int:
    """The respondents needed to find the right order of two options.

    Args:
        mechanism: mechanism of the question, from plan_mechanism or a published
            block.
        first: true share of one option.
        second: true share of another option; together at most 1.
        probability: wanted probability that the estimate of the larger share is
            the larger one, by the normal approximation; above 0.5.
    Raises:
        InvalidPlan: an argument is out of range.
        Infeasible: more respondents are needed than there are people.
    Source: a report contributes +1, 0 or -1 to the difference in support, whose
    sign is that of the difference in shares; Ye and Barg 2018 for the
    covariance.
    """
    one, other = _read_shares(mechanism, first, second)
    wanted = read_probability("probability", probability)
    if wanted <= Fraction(1, 2):
        raise InvalidPlan(
            f"probability: got {float(probability):g}; allowed is a number above 0.5, the "
            "probability of a coin toss"
        )
    difference, variance = _difference(mechanism, one, other)
    reach = Fraction(float(ndtri(float(wanted))))
    return possible(max(1, math.ceil(reach**2 * variance / difference**2)))


def probability_of_order(
    mechanism: Subset, first: Number, second: Number, respondents: int
) -> float:
    """The probability that this number of respondents finds the right order.

    It is computed by the normal approximation. The respondents are asked the
    question. All else is as for respondents_for_order.
    """
    difference, variance = _difference(mechanism, *_read_shares(mechanism, first, second))
    count = read_respondents("respondents", respondents)
    return float(ndtr(abs(float(difference)) * math.sqrt(count / float(variance))))


def _read_shares(mechanism: Subset, first: Number, second: Number) -> tuple[Fraction, Fraction]:
    check_subset(mechanism)
    one, other = read_share("first", first), read_share("second", second)
    is_whole = one + other == 1
    if one == other or one + other > 1 or (mechanism.domain_size == 2 and not is_whole):
        raise InvalidPlan(
            f"first, second: got {float(first):g} and {float(second):g}; allowed are two "
            "different shares of one question, so together at most 1, and exactly 1 of two options"
        )
    return one, other


def _difference(mechanism: Subset, one: Fraction, other: Fraction) -> tuple[Fraction, Fraction]:
    """Mean and variance of one report's contribution to the difference in support."""
    rates = support_rate(mechanism, one), support_rate(mechanism, other)
    holding, missing = both_supported(mechanism)
    both = (one + other) * holding + (1 - one - other) * missing
    difference = rates[0] - rates[1]
    return difference, sum(rates) - 2 * both - difference**2
