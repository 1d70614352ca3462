"""Respondents for a survey that ends when a margin is reached, whoever watches it.

The margin is half the width of the interval that holds at every look. It is
reached after nearly the same number of reports in every survey: the width
depends on the reports only through their rate of support.
"""

import math
from dataclasses import KW_ONLY, dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom

from deniable_analysis.arguments import (
    MAX_RESPONDENTS,
    Number,
    possible,
    read_positive,
    read_respondents,
)
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.designs.design import Design
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.anytime import anytime_ends, log_capital_between
from deniable_analysis.planning.declared import GroupedPlan
from deniable_analysis.planning.designs import (
    Randomized,
    Share,
    check_randomized,
    informative_part,
    planned_share,
)
from deniable_analysis.planning.goal import Goal, least_whole
from deniable_analysis.planning.sample_size import comparisons_of, read_reach
from deniable_sdk.records import Record

_CLOSE = 1e-5
_NEXT_TO_0, _NEXT_TO_1 = 1e-300, 1 - 1e-16
_NINE_OF_TEN = 0.9
# Surveys that stand for all, evenly spread over the quantiles of both numbers.
_SURVEYS = 2000
_GOLDEN = (math.sqrt(5) - 1) / 2


class _AnytimePlan(Record):
    """What the width of an interval at every look follows from.

    `part` of the reports say something about the option; `rate` of these
    support it. The interval of the rate is `slope` times as wide as that of
    the share, and misses with the probability `missed`.
    """

    part: float
    rate: float
    slope: float
    missed: float
    comparisons: int

    def margin(self, respondents: float) -> float:
        """Half the width of the interval at the expected rate of support."""
        reports = respondents * self.part
        count = self.rate * reports

        def above(rate: float) -> float:
            return log_capital_between(rate, count, reports) + math.log(self.missed)

        # As in anytime_ends, for a single expected count, in a tenth of the time.
        low, high = 0.0, 1.0
        if above(_NEXT_TO_0) > 0:
            low = brentq(above, _NEXT_TO_0, self.rate, xtol=_NEXT_TO_0)
        if above(_NEXT_TO_1) > 0:
            high = brentq(above, self.rate, _NEXT_TO_1, xtol=_NEXT_TO_0)
        return (high - low) / 2 / self.slope

    def chance(self, respondents: int, margin: float) -> float:
        """The probability that all intervals have reached a margin, or a bound below it."""
        surveys = (np.arange(_SURVEYS) + 0.5) / _SURVEYS
        reports = np.maximum(binom.ppf(surveys, respondents, self.part), 1)
        counts = binom.ppf(np.arange(1, _SURVEYS + 1) * _GOLDEN % 1, reports, self.rate)
        low, high = anytime_ends(counts, reports, self.missed)
        late = np.mean((high - low) / 2 > margin * self.slope)
        return 1 - self.comparisons * float(late)


@dataclass(frozen=True, slots=True)
class AnytimeMargin(Goal):
    """A share to within this margin by an anytime interval: when a watched survey may end.

    The respondents are the expected number when the interval reaches the margin.

    Args:
        margin: half the width of the interval; 0.03 is ±3 percentage points.
        confidence: confidence of the interval, between 0 and 1.
        share: planned share.
        simultaneous: as for Margin.
    Source: the ends of estimate.anytime at the expected rate of support.
    """

    WORDS = "a margin of {margin} at every look"

    margin: Number | None = None
    _: KW_ONLY
    confidence: Number = DEFAULT_CONFIDENCE
    share: Share | Number = Share.WORST
    simultaneous: bool = False

    def respondents(self, mechanism: Randomized) -> int:
        """As in Goal; a design must have two observed categories."""
        margin = float(read_positive("margin", self.margin))
        plan = self._plan(mechanism)
        if plan.margin(1) <= margin:
            return 1
        if plan.margin(MAX_RESPONDENTS) > margin:
            possible(MAX_RESPONDENTS + 1)

        def above(logarithm: float) -> float:
            return plan.margin(math.exp(logarithm)) - margin

        near = math.exp(brentq(above, 0, math.log(MAX_RESPONDENTS), xtol=_CLOSE))
        least, most = (math.floor(near * (1 + sign * _CLOSE)) + sign for sign in (-1, 2))
        return least_whole(lambda count: plan.margin(count) <= margin, most, max(1, least))

    def respondents_in_nine_of_ten(self, mechanism: Randomized) -> int:
        """The number of respondents by which 90 of 100 watched surveys reach their margin.

        The width of an interval follows the rate of support, and only some reports
        have a sampled bit: surveys by chance far from what is expected end later.
        If the plan is for all options at once, all of them have reached the margin.
        Arguments and errors are those of respondents.

        Source: binomial numbers of reports and of support; tests/analysis/planning/test_anytime.py
            compares with surveys that are watched at every report.
        """
        expected, plan = self.respondents(mechanism), self._plan(mechanism)
        margin = float(read_positive("margin", self.margin))

        def is_enough(count: int) -> bool:
            return plan.chance(count, margin) >= _NINE_OF_TEN

        most = expected
        while not is_enough(most):
            most = possible(2 * most)
        return least_whole(is_enough, most, expected)

    def reached(self, mechanism: Randomized, respondents: int) -> float:
        """As in Goal."""
        count = read_respondents("respondents", respondents)
        return self._plan(mechanism).margin(count)

    def _plan(self, mechanism: Randomized) -> _AnytimePlan:
        part, (keep, flip) = 1.0, _channel(mechanism)
        if not isinstance(mechanism, Design | GroupedPlan):
            part = float(informative_part(mechanism))
        rate = flip + float(planned_share(mechanism, self.share)) * (keep - flip)
        comparisons = comparisons_of(mechanism, self.simultaneous)
        read_reach(self.confidence, comparisons)
        missed = (1 - float(self.confidence)) / comparisons
        return _AnytimePlan(part, rate, abs(keep - flip), missed, comparisons)


def _channel(mechanism: Randomized) -> tuple[float, float]:
    """The probabilities of support with the option, and without it."""
    check_randomized(mechanism)
    if isinstance(mechanism, GroupedPlan):
        raise InvalidArgument(
            f"got {mechanism.design.name}, whose groups have no common rate of support, so there "
            "is no interval that holds at every look; plan for one look, with a margin"
        )
    if not isinstance(mechanism, Design):
        return float(mechanism.keep), float(mechanism.flip)
    if (len(mechanism.true), len(mechanism.observed)) != (2, 2):
        raise InvalidArgument(
            f"design: got {mechanism.name}, with {len(mechanism.observed)} observed categories; "
            "allowed are two, as an interval that holds at every look needs"
        )
    flip, keep = (float(each) for each in mechanism.matrix[1])
    return keep, flip
