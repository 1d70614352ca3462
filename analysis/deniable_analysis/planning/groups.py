"""Comparing the share of one option in two groups."""

from deniable_analysis.arguments import Number
from deniable_analysis.errors import InvalidPlan
from deniable_analysis.planning.designs import (
    Randomized,
    check_randomized,
    possible_share,
    unit_variance,
)
from deniable_analysis.planning.inputs import read_respondents
from deniable_analysis.planning.power import Alternative, PlannedTest, planned_test


def respondents_for_difference(  # noqa: PLR0913 - each names one thing a planner may fix
    mechanism: Randomized,
    first: Number,
    second: Number,
    *,
    significance: Number = 0.05,
    power: Number = 0.8,
    alternative: Alternative = Alternative.TWO_SIDED,
    null: Number | None = None,
) -> int:
    """The respondents that each of two groups needs to distinguish their shares.

    Args:
        mechanism: of the question in both groups; a declared design of two
            true categories; or plan_groups, whose own groups each of the two
            is split into.
        first: true share in one group, from 0 to 1.
        second: true share in the other group, another one.
        significance: how often equal shares are called different.
        power: how often these shares are called different.
        alternative: whether a difference is looked for on both sides, or only
            on that of the true one.
        null: the share of both groups if they are equal, for the critical
            value; None for their mean, which the test itself goes by.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
    Source: the two-proportion z test on the reports, whose z is that of the
    debiased shares; Fleiss, Levin and Paik 2003, section 4.2.
    """
    test = _test(mechanism, (first, second), null, significance, alternative)
    return test.respondents(power)


def power_for_respondents(  # noqa: PLR0913 - as above
    mechanism: Randomized,
    first: Number,
    second: Number,
    respondents: int,
    *,
    significance: Number = 0.05,
    alternative: Alternative = Alternative.TWO_SIDED,
    null: Number | None = None,
) -> float:
    """How often two groups of this size are found to differ.

    Args:
        mechanism: as for respondents_for_difference, as all others are.
        first: true share in one group.
        second: true share in the other group.
        respondents: in each group.
        significance: how often equal shares are called different.
        alternative: the sides on which a difference is looked for.
        null: the share of both groups if they are equal.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
    Source: as respondents_for_difference.
    """
    test = _test(mechanism, (first, second), null, significance, alternative)
    return test.power(read_respondents("respondents", respondents))


def _test(
    mechanism: Randomized,
    shares: tuple[Number, Number],
    null: Number | None,
    significance: Number,
    alternative: Alternative,
) -> PlannedTest:
    check_randomized(mechanism)
    one = possible_share(mechanism, "first", shares[0])
    other = possible_share(mechanism, "second", shares[1])
    if one == other:
        raise InvalidPlan(
            f"second: got {float(other):g} twice; allowed is another share than the first, as "
            "no number of respondents tells equal shares apart"
        )
    equal = (one + other) / 2 if null is None else possible_share(mechanism, "null", null)
    variances = (
        2 * unit_variance(mechanism, equal),
        unit_variance(mechanism, one) + unit_variance(mechanism, other),
    )
    return planned_test(one - other, variances, significance, alternative)
