"""The power to detect that a share differs from a fixed value, or between two groups."""

import math
from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
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
from deniable_analysis.estimate.choice import critical_value
from deniable_analysis.planning.designs import (
    Randomized,
    check_randomized,
    possible_share,
    unit_variance,
)
from deniable_analysis.planning.goal import Goal, least_whole


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


class _Test(Goal):
    """A goal for the power of a test."""

    __slots__ = ()

    power: Number

    def respondents(self, mechanism: Randomized) -> int:
        """As in Goal."""
        return self._test(mechanism).respondents(self.power)

    def reached(self, mechanism: Randomized, respondents: int) -> float:
        """As in Goal."""
        test = self._test(mechanism)
        return test.power(read_respondents("respondents", respondents))

    @abstractmethod
    def _test(self, mechanism: Randomized) -> PlannedTest:
        """The test of an estimate from answers that are randomized so."""


@dataclass(frozen=True, slots=True)
class Detection(_Test):
    """The power to detect that a share differs from a fixed value.

    The mechanism may also be a declared design of two true categories, or the
    result of plan_groups.

    Args:
        share: true share, from 0 to 1.
        null: share under the null hypothesis; it differs from the true share.
        power: probability that the test rejects the null hypothesis if the
            share is the true one.
        significance: level of the test: the probability of a rejection under
            the null hypothesis.
        alternative: whether the test is two-sided, or one-sided in the
            direction of the true share.
    Source: the z test of one proportion on the reports, with the variance under
    the null hypothesis for its critical value and the variance under the truth
    for its power; both tails count if it is two-sided; Fleiss, Levin and Paik
    2003, section 2.5; for randomized answers Lakshmi and Raghavarao 1992.
    """

    WORDS = "distinguishing {share} from {null} with power {power}"

    share: Number
    null: Number
    _: KW_ONLY
    power: Number = 0.8
    significance: Number = 0.05
    alternative: Alternative = Alternative.TWO_SIDED

    def _test(self, mechanism: Randomized) -> PlannedTest:
        check_randomized(mechanism)
        true = possible_share(mechanism, "share", self.share)
        fixed = possible_share(mechanism, "null", self.null)
        if true == fixed:
            raise InvalidArgument(
                f"null: got {float(self.null):g}, which is the share; allowed is another value, "
                "because no number of respondents can distinguish a share from itself"
            )
        variances = unit_variance(mechanism, fixed), unit_variance(mechanism, true)
        return planned_test(true - fixed, variances, self.significance, self.alternative)


@dataclass(frozen=True, slots=True)
class TwoGroups(_Test):
    """The power to detect that the shares of two groups of the same size differ.

    The mechanism is that of the question in both groups, as for Detection. The
    groups of a design from plan_groups divide each of the two.

    Args:
        first: true share in one group, from 0 to 1.
        second: true share in the other group; it differs from the first.
        power: probability of a rejection if the shares are the true ones.
        significance: level of the test: the probability of a rejection if the
            shares are equal.
        alternative: whether the test is two-sided, or one-sided in the
            direction of the true difference.
        null: share of both groups under the null hypothesis, for the critical
            value; None for the mean of both shares, which the test itself
            estimates.
    Source: the two-proportion z test on the reports, whose z is that of the
    debiased shares; Fleiss, Levin and Paik 2003, section 4.2.
    """

    WORDS = "distinguishing groups of {first} and {second} with power {power}"

    first: Number
    second: Number
    _: KW_ONLY
    power: Number = 0.8
    significance: Number = 0.05
    alternative: Alternative = Alternative.TWO_SIDED
    null: Number | None = None

    def _test(self, mechanism: Randomized) -> PlannedTest:
        check_randomized(mechanism)
        one = possible_share(mechanism, "first", self.first)
        other = possible_share(mechanism, "second", self.second)
        if one == other:
            raise InvalidArgument(
                f"second: got {float(other):g} twice; allowed is another share than the first, "
                "because no number of respondents can distinguish equal shares"
            )
        both = self.null
        equal = (one + other) / 2 if both is None else possible_share(mechanism, "null", both)
        variances = (
            2 * unit_variance(mechanism, equal),
            unit_variance(mechanism, one) + unit_variance(mechanism, other),
        )
        return planned_test(one - other, variances, self.significance, self.alternative)
