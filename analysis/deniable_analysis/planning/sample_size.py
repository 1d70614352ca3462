"""The respondents for an accuracy, and the accuracy of a number of respondents.

All numbers are of respondents who are asked the question. If each respondent is
asked s of d blocks, the survey needs d / s times as many. A unit variance is
the variance of an estimate times its number of reports, so one number for each
estimate is enough for every plan.
"""

import math
from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction

from deniable_analysis.arguments import (
    Number,
    possible,
    read_count,
    read_flag,
    read_positive,
    shown,
)
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.designs.known import direct
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.choice import comparisons_among, critical_value
from deniable_analysis.planning.declared import GroupedPlan
from deniable_analysis.planning.designs import Randomized, Share, option_count, read_options
from deniable_analysis.planning.drawing import Drawing, read_drawing
from deniable_analysis.planning.goal import Goal

_MOST_COMPARISONS = 10**6


def margin_of_reports(
    unit_variance: Fraction,
    reports: Number,
    confidence: Number = DEFAULT_CONFIDENCE,
    comparisons: int = 1,
) -> float:
    """Half the width of the interval from this number of reports.

    It is computed by the normal approximation, in the unit of the estimate.

    Args:
        unit_variance: variance of the estimate, times the number of reports.
        reports: number of reports of the estimate; an expected number may have
            decimals.
        confidence: simultaneous nominal coverage of all intervals.
        comparisons: number of simultaneous intervals (Bonferroni).
    Raises:
        InvalidArgument: another argument is out of range; confidence is not between 0 and 1.
    """
    reach = read_reach(confidence, comparisons)
    variance = read_positive("unit_variance", unit_variance) / read_positive("reports", reports)
    return float(reach) * math.sqrt(variance)


def reports_for_margin(
    unit_variance: Fraction,
    margin: Number,
    confidence: Number = DEFAULT_CONFIDENCE,
    comparisons: int = 1,
) -> int:
    """The reports needed for this margin of an estimate.

    The margin is half the width of the interval, in the unit of the estimate.
    All else is as for margin_of_reports.

    Raises:
        Infeasible: more reports are needed than there are people.
    """
    variance = read_positive("unit_variance", unit_variance)
    allowed = (read_positive("margin", margin) / read_reach(confidence, comparisons)) ** 2
    return possible(math.ceil(variance / allowed))


def read_reach(confidence: Number, comparisons: int = 1) -> Fraction:
    """Half the width of an interval in standard errors, if it is finite and above 0."""
    count = read_count("comparisons", comparisons, 1, _MOST_COMPARISONS)
    reach = critical_value(confidence, count)
    if not 0 < reach < math.inf:
        raise InvalidArgument(
            f"confidence: got {shown(confidence)}, with which no interval has a finite width "
            "above 0; allowed is a number between 0 and 1"
        )
    return Fraction(reach)


class _OfAShare(Goal):
    """A goal for the variance of a share, whatever the way the respondents are drawn."""

    __slots__ = ()

    share: Share | Number
    population: int | None
    weighting_effect: Number

    def respondents(self, mechanism: Randomized) -> int:
        """As in Goal."""
        drawing = self._drawing(mechanism, self.share)
        return self._needed(drawing, self._comparisons(mechanism))

    def _without_privacy(self, respondents: int, options: int) -> int:
        count = read_options(options)
        share = Fraction(1, count) if self.share is Share.EQUAL else self.share
        drawing = self._drawing(direct(), share)
        drawing.read_respondents(respondents)
        return self._needed(drawing, comparisons_among(count) if self._is_for_all else 1)

    def _drawing(self, mechanism: Randomized, share: Share | Number) -> Drawing:
        return read_drawing(mechanism, share, self.population, self.weighting_effect)

    @abstractmethod
    def _needed(self, drawing: Drawing, comparisons: int) -> int:
        """The respondents, with this many intervals that hold at once."""

    @property
    def _is_for_all(self) -> bool:
        return False

    def _comparisons(self, mechanism: Randomized) -> int:
        return comparisons_of(mechanism, self._is_for_all)


@dataclass(frozen=True, slots=True)
class StandardError(_OfAShare):
    """A share with this standard error.

    The mechanism may also be a declared design of two true categories, or the
    result of plan_groups.

    Args:
        sd: wanted standard error; 0.01 is one percentage point.
        share: planned share.
        population: size of the population, if the respondents are a large part
            of it.
        weighting_effect: Kish's design effect of the weights; 1 without
            weights.
    """

    WORDS = "a standard error of {sd}"

    sd: Number | None = None
    share: Share | Number = Share.WORST
    _: KW_ONLY
    population: int | None = None
    weighting_effect: Number = 1

    def reached(self, mechanism: Randomized, respondents: int) -> float:
        """As in Goal."""
        drawing = self._drawing(mechanism, self.share)
        return math.sqrt(drawing.variance(drawing.read_respondents(respondents)))

    def _needed(self, drawing: Drawing, comparisons: int) -> int:
        del comparisons  # a standard error has no confidence
        return drawing.respondents(read_positive("sd", self.sd) ** 2)


@dataclass(frozen=True, slots=True)
class Margin(_OfAShare):
    """A share to within this margin, by the normal approximation.

    The mechanism is as for StandardError.

    Args:
        margin: half the width of the interval; 0.03 is ±3 percentage points.
        confidence: nominal coverage of the interval, between 0 and 1.
        share: planned share.
        simultaneous: whether the confidence is that of all options together
            (Bonferroni).
        population: as for StandardError.
        weighting_effect: as for StandardError.
    """

    WORDS = "a margin of {margin}"

    margin: Number | None = None
    _: KW_ONLY
    confidence: Number = DEFAULT_CONFIDENCE
    share: Share | Number = Share.WORST
    simultaneous: bool = False
    population: int | None = None
    weighting_effect: Number = 1

    def reached(self, mechanism: Randomized, respondents: int) -> float:
        """As in Goal."""
        reach = read_reach(self.confidence, self._comparisons(mechanism))
        drawing = self._drawing(mechanism, self.share)
        return float(reach) * math.sqrt(drawing.variance(drawing.read_respondents(respondents)))

    def _needed(self, drawing: Drawing, comparisons: int) -> int:
        reach = read_reach(self.confidence, comparisons)
        return drawing.respondents((read_positive("margin", self.margin) / reach) ** 2)

    @property
    def _is_for_all(self) -> bool:
        return read_flag("simultaneous", self.simultaneous)


def comparisons_of(mechanism: Randomized, simultaneous: bool) -> int:
    """The number of intervals that hold at once: 1, or one for each option."""
    if not read_flag("simultaneous", simultaneous):
        return 1
    if isinstance(mechanism, GroupedPlan) and option_count(mechanism) > 2:
        raise InvalidArgument(
            f"simultaneous: got it for {mechanism.design.name}, whose {option_count(mechanism)} "
            "true categories vary differently; plan for each by itself, at a higher confidence"
        )
    return comparisons_among(option_count(mechanism))
