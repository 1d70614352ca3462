"""The power to detect that a share differs from a fixed value, or between two groups."""

import math
from bisect import bisect_left
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
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.planning.designs import (
    Randomized,
    check_randomized,
    possible_share,
    unit_variance,
)


class Alternative(StrEnum):
    """The alternative of a test: a difference in either direction, or in that of the truth."""

    TWO_SIDED = "two-sided"
    ONE_SIDED = "one-sided"


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """A z test of a difference; planned_test makes it.

    Args:
        difference: size of the true difference, above 0.
        null_variance: variance of the estimated difference under the null
            hypothesis, times the respondents; for the critical value.
        true_variance: variance of the estimated difference under the truth,
            times the respondents.
        reach: critical value.
        is_two_sided: whether a difference in the other direction also counts as
            detected.
    """

    difference: float
    null_variance: float
    true_variance: float
    reach: float
    is_two_sided: bool

    def power(self, respondents: float) -> float:
        """The probability that the test detects a difference."""
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
        """The smallest number of respondents with this power.

        Raises:
            InvalidArgument: power is not between 0 and 1.
            Infeasible: more respondents are needed than there are people.
        """
        wanted = float(read_probability("power", power))
        sds = self.reach * math.sqrt(self.null_variance)
        sds += float(ndtri(wanted)) * math.sqrt(self.true_variance)
        if sds >= self.difference * math.sqrt(MAX_RESPONDENTS):
            possible(MAX_RESPONDENTS + 1)
        # Enough for one side alone, with one more for rounding.
        enough = math.ceil((max(sds, 0.0) / self.difference) ** 2) + 1
        return least_whole(lambda count: self.power(count) >= wanted, enough)


def planned_test(
    difference: Fraction,
    variances: tuple[Fraction, Fraction],
    significance: Number,
    alternative: Alternative,
) -> PlannedTest:
    """The test of a difference, with its variances under the null hypothesis and the truth."""
    level = read_probability("significance", significance)
    sides = read_choice("alternative", Alternative, alternative)
    is_two_sided = sides is Alternative.TWO_SIDED
    # A one-sided test at this level has the critical value of a two-sided test at twice the level.
    reach = critical_value(1 - level) if is_two_sided else -float(ndtri(float(level)))
    null, true = variances
    return PlannedTest(abs(float(difference)), float(null), float(true), reach, is_two_sided)


def least_whole(is_enough: Callable[[int], bool], enough: int, least: int = 1) -> int:
    """The smallest whole number from `least` that is enough, if all larger ones are enough too."""
    return least + bisect_left(range(least, enough), x=True, key=is_enough)


def respondents_for_detection(  # noqa: PLR0913 - each names one thing a planner may fix
    mechanism: Randomized,
    share: Number,
    null: Number,
    *,
    power: Number = 0.8,
    significance: Number = 0.05,
    alternative: Alternative = Alternative.TWO_SIDED,
) -> int:
    """The respondents needed to detect that a share differs from a fixed value.

    Args:
        mechanism: mechanism of the question, from plan_mechanism or a published
            block; a declared design of two true categories; or the result of
            plan_groups.
        share: true share, from 0 to 1.
        null: share under the null hypothesis; it differs from the true share.
        power: probability that the test rejects the null hypothesis if the
            share is the true one.
        significance: level of the test: the probability of a rejection under
            the null hypothesis.
        alternative: whether the test is two-sided, or one-sided in the
            direction of the true share.
    Raises:
        InvalidArgument: an argument is out of range.
    Source: the z test of one proportion on the reports, with the variance under
    the null hypothesis for its critical value and the variance under the truth
    for its power; both tails count if it is two-sided; Fleiss, Levin and Paik
    2003, section 2.5; for randomized answers Lakshmi and Raghavarao 1992.
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
    """The power to detect that a share differs from a fixed value.

    The respondents are asked the question. All else is as for
    respondents_for_detection.
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
    true = possible_share(mechanism, "share", share)
    fixed = possible_share(mechanism, "null", null)
    if true == fixed:
        raise InvalidArgument(
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
    """The respondents needed in each of two groups to detect that their shares differ.

    Args:
        mechanism: mechanism of the question in both groups; a declared design
            of two true categories; or the result of plan_groups, whose own
            groups then divide each of the two.
        first: true share in one group, from 0 to 1.
        second: true share in the other group; it differs from the first.
        significance: level of the test: the probability of a rejection if the
            shares are equal.
        power: probability of a rejection if the shares are the true ones.
        alternative: whether the test is two-sided, or one-sided in the
            direction of the true difference.
        null: share of both groups under the null hypothesis, for the critical
            value; None for the mean of both shares, which the test itself
            estimates.
    Raises:
        InvalidArgument: an argument is out of range.
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
    """The power to detect that the shares of two groups of this size differ.

    The respondents are those of each group. All else is as for
    respondents_for_difference.
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
        raise InvalidArgument(
            f"second: got {float(other):g} twice; allowed is another share than the first, "
            "because no number of respondents can distinguish equal shares"
        )
    equal = (one + other) / 2 if null is None else possible_share(mechanism, "null", null)
    variances = (
        2 * unit_variance(mechanism, equal),
        unit_variance(mechanism, one) + unit_variance(mechanism, other),
    )
    return planned_test(one - other, variances, significance, alternative)
