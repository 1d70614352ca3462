"""Power: how often a share is told from a fixed value, or from that of another group."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scipy.special import ndtr, ndtri

from deniable_analysis.arguments import (
    MAX_RESPONDENTS,
    Number,
    possible,
    read_choice,
    read_probability,
    read_respondents,
)
from deniable_analysis.errors import InvalidPlan
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.planning.designs import (
    Randomized,
    check_randomized,
    possible_share,
    unit_variance,
)


class Alternative(StrEnum):
    """The alternative of a test: a difference to either side, or to the true one."""

    TWO_SIDED = "two-sided"
    ONE_SIDED = "one-sided"


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """A z test of a difference.

    Args:
        difference: how far the truth is from no difference, above 0.
        null_variance: of the difference if there is none, times the
            respondents; it makes the critical value.
        true_variance: of the difference as it is, times the respondents.
        reach: the critical value.
        is_two_sided: whether a difference the other way counts as found, too.
    """

    difference: float
    null_variance: float
    true_variance: float
    reach: float
    is_two_sided: bool

    def power(self, respondents: float) -> float:
        """How often the test finds a difference."""
        scale = math.sqrt(respondents)
        limit = self.reach * math.sqrt(self.null_variance)
        spread = math.sqrt(self.true_variance)
        if spread == 0:
            return float(self.difference * scale > limit)
        found = ndtr((self.difference * scale - limit) / spread)
        if self.is_two_sided:
            found += ndtr((-self.difference * scale - limit) / spread)
        return float(found)

    def respondents(self, power: Number) -> int:
        """The least with which the test finds a difference so often.

        Raises:
            InvalidPlan: power is not between 0 and 1.
            Infeasible: it needs more than there are people.
        """
        wanted = float(read_probability("power", power))
        sds = self.reach * math.sqrt(self.null_variance)
        sds += float(ndtri(wanted)) * math.sqrt(self.true_variance)
        if sds >= self.difference * math.sqrt(MAX_RESPONDENTS):
            possible(MAX_RESPONDENTS + 1)
        # Enough without the other side, give or take one for rounding.
        enough = math.ceil((max(sds, 0.0) / self.difference) ** 2) + 1
        return least_whole(lambda count: self.power(count) >= wanted, enough)


def planned_test(
    difference: Fraction,
    variances: tuple[Fraction, Fraction],
    significance: Number,
    alternative: Alternative,
) -> PlannedTest:
    """The test of a difference, at its variances if there is none and as it is.

    Raises:
        InvalidPlan: significance is not between 0 and 1.
    """
    level = read_probability("significance", significance)
    sides = read_choice("alternative", Alternative, alternative)
    is_two_sided = sides is Alternative.TWO_SIDED
    # One side of twice the level is the level.
    reach = critical_value(1 - level) if is_two_sided else -float(ndtri(float(level)))
    null, true = variances
    return PlannedTest(abs(float(difference)), float(null), float(true), reach, is_two_sided)


def least_whole(is_enough: Callable[[int], bool], enough: int) -> int:
    """The least whole number from 1 that is enough, all larger ones being so."""
    low, high = 0, enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


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
    return _detection_test(mechanism, share, null, significance, alternative).respondents(power)


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
    test = _detection_test(mechanism, share, null, significance, alternative)
    return test.power(read_respondents("respondents", respondents))


def _detection_test(
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
            f"null: got {float(null):g}, which is the share; allowed is another value, because "
            "no number of respondents can distinguish a share from itself"
        )
    variances = unit_variance(mechanism, fixed), unit_variance(mechanism, true)
    return planned_test(true - fixed, variances, significance, alternative)


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
    test = _difference_test(mechanism, (first, second), null, significance, alternative)
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
    test = _difference_test(mechanism, (first, second), null, significance, alternative)
    return test.power(read_respondents("respondents", respondents))


def _difference_test(
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
            f"second: got {float(other):g} twice; allowed is another share than the first, "
            "because no number of respondents can distinguish equal shares"
        )
    equal = (one + other) / 2 if null is None else possible_share(mechanism, "null", null)
    variances = (
        2 * unit_variance(mechanism, equal),
        unit_variance(mechanism, one) + unit_variance(mechanism, other),
    )
    return planned_test(one - other, variances, significance, alternative)
