"""Respondents for an accuracy, and the accuracy of a number of respondents.

All numbers are of respondents who are asked the question: where each
respondent is asked s of d blocks, the survey needs d / s times as many.

A unit variance is the variance of an estimate times the reports it is made
from, so one number per estimate plans everything.
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
from deniable_analysis.errors import InvalidConfidence, InvalidPlan
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

    By the normal approximation, in the unit of the estimate.

    Args:
        unit_variance: of the estimate, times the reports.
        reports: those it is made from; an expected number may have decimals.
        confidence: how often all intervals together contain the truth.
        comparisons: how many intervals must hold at once (Bonferroni).
    Raises:
        InvalidPlan: another argument is outside what it can mean.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    reach = _reach(confidence, comparisons)
    variance = read_positive("unit_variance", unit_variance) / read_positive("reports", reports)
    return float(reach) * math.sqrt(variance)


def reports_for_margin(
    unit_variance: Fraction,
    margin: Number,
    confidence: Number = DEFAULT_CONFIDENCE,
    comparisons: int = 1,
) -> int:
    """The reports needed to estimate something to within this margin.

    Args:
        unit_variance: of the estimate, times the reports.
        margin: half the width of the interval, in the unit of the estimate.
        confidence: how often all intervals together contain the truth.
        comparisons: how many intervals must hold at once (Bonferroni).
    Raises:
        InvalidPlan: another argument is outside what it can mean.
        Infeasible: it takes more reports than there are people.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    variance = read_positive("unit_variance", unit_variance)
    allowed = (read_positive("margin", margin) / _reach(confidence, comparisons)) ** 2
    return possible(math.ceil(variance / allowed))


def read_reach(confidence: Number, comparisons: int = 1) -> Fraction:
    """How many standard errors an interval reaches, if that is finite and above 0."""
    reach = critical_value(confidence, comparisons)
    if not 0 < reach < math.inf:
        raise InvalidConfidence(
            f"got the confidence {shown(confidence)}, with which no interval has a finite width "
            "above 0; allowed is a number between 0 and 1, like 0.95"
        )
    return Fraction(reach)


def _reach(confidence: Number, comparisons: int) -> Fraction:
    count = read_count("comparisons", comparisons, 1, _MOST_COMPARISONS)
    return read_reach(confidence, count)


def respondents_for_sd(
    mechanism: Randomized,
    sd: Number,
    share: Share | Number = Share.WORST,
    *,
    population: int | None = None,
    weighting_effect: Number = 1,
) -> int:
    """The respondents it needs to estimate a share with this standard error.

    Args:
        mechanism: of the question, from plan_mechanism or a published block;
            a declared design of two true categories; or plan_groups.
        sd: the wanted standard error; 0.01 is one percentage point.
        share: where it is wanted.
        population: how many people the survey is about, where the respondents
            are a good part of them.
        weighting_effect: how many times more respondents it needs because
            they are weighted (Kish); 1 without weights.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
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
    """The respondents it needs to estimate a share to within this margin.

    Args:
        mechanism: of the question, from plan_mechanism or a published block;
            a declared design of two true categories; or plan_groups.
        margin: half the width of the interval; 0.03 is ±3 percentage points.
        confidence: how often the true share is within the margin.
        share: where it is wanted.
        simultaneous: for all options at once (Bonferroni).
        population: how many people the survey is about, where the respondents
            are a good part of them.
        weighting_effect: how many times more respondents it needs because
            they are weighted (Kish); 1 without weights.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
        InvalidConfidence: confidence is not between 0 and 1.
        Infeasible: not even the whole population is enough.
    """
    drawing = read_drawing(mechanism, share, population, weighting_effect)
    reach = read_reach(confidence, _comparisons(mechanism, simultaneous))
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

    Args:
        mechanism: as for respondents_for_margin, as all others are.
        respondents: those who are asked the question.
        confidence: how often the true share is within the margin.
        share: where it is wanted.
        simultaneous: for all options at once (Bonferroni).
        population: how many people the survey is about.
        weighting_effect: of design weights; 1 without.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    reach = read_reach(confidence, _comparisons(mechanism, simultaneous))
    return float(reach) * sd_for_respondents(
        mechanism,
        respondents,
        share,
        population=population,
        weighting_effect=weighting_effect,
    )


def sd_for_respondents(
    mechanism: Randomized,
    respondents: int,
    share: Share | Number = Share.WORST,
    *,
    population: int | None = None,
    weighting_effect: Number = 1,
) -> float:
    """The standard error of a share from this number of respondents.

    Args:
        mechanism: as for respondents_for_sd, as all others are.
        respondents: those who are asked the question.
        share: where it is wanted.
        population: how many people the survey is about.
        weighting_effect: of design weights; 1 without.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
    """
    drawing = read_drawing(mechanism, share, population, weighting_effect)
    return math.sqrt(drawing.variance(drawing.read_respondents(respondents)))


def _comparisons(mechanism: Randomized, simultaneous: bool) -> int:
    if not read_flag("simultaneous", simultaneous):
        return 1
    if isinstance(mechanism, GroupedPlan) and option_count(mechanism) > 2:
        raise InvalidPlan(
            f"simultaneous: got it for {mechanism.design.name}, whose {option_count(mechanism)} "
            "true categories vary differently; plan for each by itself, at a higher confidence"
        )
    return comparisons_among(option_count(mechanism))
