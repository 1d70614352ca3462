"""Respondents for an accuracy, and the accuracy of so many respondents.

All numbers are of respondents who are asked the question: where each
respondent is asked s of d blocks, the survey needs d / s times as many.
"""

import math
from fractions import Fraction

from deniable_analysis.confidence import Number, comparisons_among, critical_value
from deniable_analysis.planning.designs import Share, unit_variance
from deniable_analysis.planning.inputs import read_positive, read_respondents
from deniable_sdk.mechanisms import Subset


def respondents_for_sd(mechanism: Subset, sd: Number, share: Share | Number = Share.WORST) -> int:
    """The respondents it takes to estimate a share with this standard error.

    Args:
        mechanism: of the question, from plan_mechanism or a published block.
        sd: the wanted standard error; 0.01 is one percentage point.
        share: where it is wanted.
    Raises:
        InvalidPlan: sd is not above 0, or share not from 0 to 1.
    """
    return math.ceil(unit_variance(mechanism, share) / read_positive("sd", sd) ** 2)


def respondents_for_margin(
    mechanism: Subset,
    margin: Number,
    *,
    confidence: Number = 0.95,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
) -> int:
    """The respondents it takes to estimate a share to within this margin.

    Args:
        mechanism: of the question, from plan_mechanism or a published block.
        margin: half the width of the interval; 0.03 is ±3 percentage points.
        confidence: how often the true share is within the margin.
        share: where it is wanted.
        simultaneous: for all options at once (Bonferroni).
    Raises:
        InvalidPlan: margin is not above 0, or share not from 0 to 1.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    reach = Fraction(_reach(mechanism, confidence, simultaneous))
    return respondents_for_sd(mechanism, read_positive("margin", margin) / reach, share)


def margin_for_respondents(
    mechanism: Subset,
    respondents: int,
    *,
    confidence: Number = 0.95,
    share: Share | Number = Share.WORST,
    simultaneous: bool = False,
) -> float:
    """The margin to within which so many respondents give a share.

    Args:
        mechanism: of the question, from plan_mechanism or a published block.
        respondents: those who are asked the question.
        confidence: how often the true share is within the margin.
        share: where it is wanted.
        simultaneous: for all options at once (Bonferroni).
    Raises:
        InvalidPlan: respondents is below 1, or share not from 0 to 1.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    variance = unit_variance(mechanism, share) / read_respondents("respondents", respondents)
    return _reach(mechanism, confidence, simultaneous) * math.sqrt(variance)


def _reach(mechanism: Subset, confidence: Number, simultaneous: bool) -> float:
    comparisons = comparisons_among(mechanism.domain_size) if simultaneous else 1
    return critical_value(confidence, comparisons)
