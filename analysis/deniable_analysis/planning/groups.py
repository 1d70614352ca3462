"""Comparing the share of one option in two groups."""

import math
from fractions import Fraction

from scipy.special import ndtr, ndtri

from deniable_analysis.confidence import Number, critical_value
from deniable_analysis.errors import InvalidPlan
from deniable_analysis.planning.designs import support_rate
from deniable_analysis.planning.inputs import read_probability, read_respondents, read_share
from deniable_sdk.mechanisms import Subset


def respondents_for_difference(
    mechanism: Subset,
    first: Number,
    second: Number,
    *,
    significance: Number = 0.05,
    power: Number = 0.8,
) -> int:
    """The respondents each of two groups needs to tell their shares apart.

    Args:
        mechanism: of the question in both groups.
        first: true share in one group, from 0 to 1.
        second: true share in the other group, another one.
        significance: how often equal shares are called different (two-sided).
        power: how often these shares are called different.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
    Source: the two-proportion z test on the reports, whose z is that of the
    debiased shares; Fleiss, Levin and Paik 2003, section 4.2.
    """
    difference, pooled, separate = _rates(mechanism, first, second)
    reach = critical_value(1 - read_probability("significance", significance))
    wanted = float(ndtri(float(read_probability("power", power))))
    sds = reach * math.sqrt(pooled) + wanted * math.sqrt(separate)
    return max(1, math.ceil((Fraction(max(sds, 0.0)) / difference) ** 2))


def power_for_respondents(
    mechanism: Subset,
    first: Number,
    second: Number,
    respondents: int,
    *,
    significance: Number = 0.05,
) -> float:
    """How often two groups of this size are found to differ.

    Args:
        mechanism: of the question in both groups.
        first: true share in one group, from 0 to 1.
        second: true share in the other group, another one.
        respondents: in each group.
        significance: how often equal shares are called different (two-sided).
    Raises:
        InvalidPlan: an argument is outside what it can mean.
    Source: as respondents_for_difference.
    """
    difference, pooled, separate = _rates(mechanism, first, second)
    reach = critical_value(1 - read_probability("significance", significance))
    sds = float(difference) * math.sqrt(read_respondents("respondents", respondents))
    return float(ndtr((sds - reach * math.sqrt(pooled)) / math.sqrt(separate)))


def _rates(
    mechanism: Subset, first: Number, second: Number
) -> tuple[Fraction, Fraction, Fraction]:
    """How far the reports differ, and their variance if equal and if not."""
    one = support_rate(mechanism, read_share("first", first))
    other = support_rate(mechanism, read_share("second", second))
    if one == other:
        raise InvalidPlan(
            f"second: got {float(second):g} twice; allowed is another share than the first, as "
            "no number of respondents tells equal shares apart"
        )
    mean = (one + other) / 2
    return abs(one - other), 2 * mean * (1 - mean), one * (1 - one) + other * (1 - other)
