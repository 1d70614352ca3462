"""The power of a z test, at the planned truth."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scipy.special import ndtr, ndtri

from deniable_analysis.arguments import Number
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.planning.inputs import (
    MAX_RESPONDENTS,
    possible,
    read_choice,
    read_probability,
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
