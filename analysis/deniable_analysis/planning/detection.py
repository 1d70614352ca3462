"""Telling a share from a fixed value: is it more than nobody, or than 10 %?"""

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


def respondents_for_detection(  # noqa: PLR0913 - each names one thing a planner may fix
    mechanism: Randomized,
    share: Number,
    null: Number,
    *,
    power: Number = 0.8,
    significance: Number = 0.05,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> int:
    """The respondents it needs to find that a share is not a fixed value.

    Args:
        mechanism: of the question, from plan_mechanism or a published block;
            a declared design of two true categories; or plan_groups.
        share: the true one, from 0 to 1.
        null: the value it is tested against, another one.
        power: how often the share is found to differ.
        significance: how often it is if it does not.
        alternative: whether a difference is looked for on both sides, or only
            on that of the true share.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
    Source: the z test of one proportion on the reports, with the variance at
    the null for its critical value and that at the truth for its power, both
    tails counted if it is two-sided; Fleiss, Levin and Paik 2003, section 2.5;
    for randomized answers Lakshmi and Raghavarao 1992.
    """
    return _test(mechanism, share, null, significance, alternative).respondents(power)


def power_for_detection(  # noqa: PLR0913 - as above
    mechanism: Randomized,
    share: Number,
    null: Number,
    respondents: int,
    *,
    significance: Number = 0.05,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> float:
    """The power to find that a share is not a fixed value.

    Args:
        mechanism: as for respondents_for_detection, as all others are.
        share: the true one.
        null: the value it is tested against.
        respondents: those who are asked the question.
        significance: how often it is found to differ if it does not.
        alternative: the sides on which a difference is looked for.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
    Source: as respondents_for_detection.
    """
    test = _test(mechanism, share, null, significance, alternative)
    return test.power(read_respondents("respondents", respondents))


def _test(
    mechanism: Randomized,
    share: Number,
    null: Number,
    significance: Number,
    alternative: Alternative,
) -> PlannedTest:
    check_randomized(mechanism)
    true, fixed = (
        possible_share(mechanism, "share", share),
        possible_share(mechanism, "null", null),
    )
    if true == fixed:
        raise InvalidPlan(
            f"null: got {float(null):g}, which is the share; allowed is another value, as no "
            "number of respondents tells a share from itself"
        )
    variances = unit_variance(mechanism, fixed), unit_variance(mechanism, true)
    return planned_test(true - fixed, variances, significance, alternative)
