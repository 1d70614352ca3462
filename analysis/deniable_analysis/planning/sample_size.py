"""Respondents for an accuracy, and the accuracy of so many respondents.

All numbers are of respondents who are asked the question: where each
respondent is asked s of d blocks, the survey needs d / s times as many.
"""

import math

from deniable_analysis.estimators.confidence import Number, comparisons_among
from deniable_analysis.planning.designs import Randomized, Share, option_count, unit_variance
from deniable_analysis.planning.inputs import read_positive, read_respondents
from deniable_analysis.planning.precision import margin_of_reports, reports_for_margin


def respondents_for_sd(
    mechanism: Randomized, sd: Number, share: Share | Number = Share.WORST
) -> int:
    """The respondents it takes to estimate a share with this standard error.

    Args:
        mechanism: of the question, from plan_mechanism or a published block;
            or a declared design of two true categories.
        sd: the wanted standard error; 0.01 is one percentage point.
        share: where it is wanted.
    Raises:
        InvalidPlan: sd is not above 0, or share not from 0 to 1.
    """
    return math.ceil(unit_variance(mechanism, share) / read_positive("sd", sd) ** 2)


def respondents_for_margin(
    mechanism: Randomized,
    margin: Number,
    *,
    confidence: Number = 0.95,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
) -> int:
    """The respondents it takes to estimate a share to within this margin.

    Args:
        mechanism: of the question, from plan_mechanism or a published block;
            or a declared design of two true categories.
        margin: half the width of the interval; 0.03 is ±3 percentage points.
        confidence: how often the true share is within the margin.
        share: where it is wanted.
        simultaneous: for all options at once (Bonferroni).
    Raises:
        InvalidPlan: margin is not above 0, or share not from 0 to 1.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    variance = unit_variance(mechanism, share)
    comparisons = _comparisons(mechanism, simultaneous)
    return reports_for_margin(variance, margin, confidence, comparisons)


def margin_for_respondents(
    mechanism: Randomized,
    respondents: int,
    *,
    confidence: Number = 0.95,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
) -> float:
    """The margin to within which so many respondents give a share.

    Args:
        mechanism: of the question, from plan_mechanism or a published block;
            or a declared design of two true categories.
        respondents: those who are asked the question.
        confidence: how often the true share is within the margin.
        share: where it is wanted.
        simultaneous: for all options at once (Bonferroni).
    Raises:
        InvalidPlan: respondents is below 1, or share not from 0 to 1.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    variance = unit_variance(mechanism, share)
    reports = read_respondents("respondents", respondents)
    return margin_of_reports(variance, reports, confidence, _comparisons(mechanism, simultaneous))


def _comparisons(mechanism: Randomized, simultaneous: bool) -> int:
    return comparisons_among(option_count(mechanism)) if simultaneous else 1
