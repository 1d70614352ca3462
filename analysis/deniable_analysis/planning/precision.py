"""Margins and numbers of reports, from the variance that one report leaves.

A unit variance is the variance of an estimate times the reports it is made
from, so one number per estimate plans everything.
"""

import math
from fractions import Fraction

from deniable_analysis.estimators.confidence import Number, critical_value
from deniable_analysis.planning.inputs import read_positive

CONFIDENCE = 0.95


def margin_of_reports(
    unit_variance: Fraction,
    reports: Number,
    confidence: Number = CONFIDENCE,
    comparisons: int = 1,
) -> float:
    """Half the width of the interval that so many reports give.

    By the normal approximation, in the unit of the estimate.

    Args:
        unit_variance: of the estimate, times the reports.
        reports: those it is made from; an expected number may have decimals.
        confidence: how often all intervals together hold the truth.
        comparisons: how many intervals must hold at once (Bonferroni).
    Raises:
        InvalidPlan: reports is not above 0.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    variance = unit_variance / read_positive("reports", reports)
    return critical_value(confidence, comparisons) * math.sqrt(variance)


def reports_for_margin(
    unit_variance: Fraction,
    margin: Number,
    confidence: Number = CONFIDENCE,
    comparisons: int = 1,
) -> int:
    """The reports it takes to estimate something to within this margin.

    Args:
        unit_variance: of the estimate, times the reports.
        margin: half the width of the interval, in the unit of the estimate.
        confidence: how often all intervals together hold the truth.
        comparisons: how many intervals must hold at once (Bonferroni).
    Raises:
        InvalidPlan: margin is not above 0.
        InvalidConfidence: confidence is not between 0 and 1.
    """
    reach = Fraction(critical_value(confidence, comparisons))
    return math.ceil(unit_variance / (read_positive("margin", margin) / reach) ** 2)
