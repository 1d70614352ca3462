"""The respondents for an accuracy, and the accuracy of a number of respondents.

All numbers are of respondents who are asked the question. If each respondent is
asked s of d blocks, the survey needs d / s times as many. A unit variance is
the variance of an estimate times its number of reports, so one number for each
estimate is enough for every plan.
"""

import math
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
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimators.confidence import comparisons_among, critical_value
from deniable_analysis.planning.declared import GroupedPlan
from deniable_analysis.planning.designs import Randomized, Share, option_count
from deniable_analysis.planning.drawing import read_drawing

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
            f"got the confidence {shown(confidence)}, with which no interval has a finite width "
            "above 0; allowed is a number between 0 and 1, like 0.95"
        )
    return Fraction(reach)


def respondents_for_sd(
    mechanism: Randomized,
    sd: Number,
    share: Share | Number = Share.WORST,
    *,
    population: int | None = None,
    weighting_effect: Number = 1,
) -> int:
    """The respondents needed to estimate a share with this standard error.

    Args:
        mechanism: mechanism of the question, from plan_mechanism or a published
            block; a declared design of two true categories; or the result of
            plan_groups.
        sd: wanted standard error; 0.01 is one percentage point.
        share: planned share.
        population: size of the population, if the respondents are a large part
            of it.
        weighting_effect: Kish's design effect of the weights; 1 without
            weights.
    Raises:
        InvalidArgument: an argument is out of range.
        Infeasible: not even the whole population is enough.
    """
    drawing = read_drawing(mechanism, share, population, weighting_effect)
    return drawing.respondents(read_positive("sd", sd) ** 2)


def respondents_for_margin(  # noqa: PLR0913 - each names one thing a planner may fix
    mechanism: Randomized,
    margin: Number,
    *,
    confidence: Number = DEFAULT_CONFIDENCE,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
    population: int | None = None,
    weighting_effect: Number = 1,
) -> int:
    """The respondents needed to estimate a share to within this margin.

    Args:
        mechanism: as for respondents_for_sd.
        margin: half the width of the interval; 0.03 is ±3 percentage points.
        confidence: nominal coverage of the interval, between 0 and 1.
        share: as for respondents_for_sd.
        simultaneous: whether the confidence is that of all options together
            (Bonferroni).
        population: as for respondents_for_sd.
        weighting_effect: as for respondents_for_sd.
    Raises:
        InvalidArgument: an argument is out of range; confidence is not between 0 and 1.
        Infeasible: not even the whole population is enough.
    """
    drawing = read_drawing(mechanism, share, population, weighting_effect)
    reach = read_reach(confidence, comparisons_of(mechanism, simultaneous))
    return drawing.respondents((read_positive("margin", margin) / reach) ** 2)


def margin_for_respondents(  # noqa: PLR0913 - as above
    mechanism: Randomized,
    respondents: int,
    *,
    confidence: Number = DEFAULT_CONFIDENCE,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
    population: int | None = None,
    weighting_effect: Number = 1,
) -> float:
    """The margin of a share from this number of respondents.

    The respondents are asked the question. All else is as for
    respondents_for_margin.
    """
    reach = read_reach(confidence, comparisons_of(mechanism, simultaneous))
    drawing = read_drawing(mechanism, share, population, weighting_effect)
    return float(reach) * math.sqrt(drawing.variance(drawing.read_respondents(respondents)))


def sd_for_respondents(
    mechanism: Randomized,
    respondents: int,
    share: Share | Number = Share.WORST,
    *,
    population: int | None = None,
    weighting_effect: Number = 1,
) -> float:
    """The standard error of a share from this number of respondents.

    The respondents are asked the question. All else is as for
    respondents_for_sd.
    """
    drawing = read_drawing(mechanism, share, population, weighting_effect)
    return math.sqrt(drawing.variance(drawing.read_respondents(respondents)))


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
