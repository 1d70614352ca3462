"""Margins and numbers of reports, from the variance that one report leaves.

A unit variance is the variance of an estimate times the reports it is made
from, so one number per estimate plans everything.
"""

import math
from fractions import Fraction

from deniable_analysis.arguments import Number
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.planning.inputs import possible, read_count, read_positive, read_reach

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


def _reach(confidence: Number, comparisons: int) -> Fraction:
    count = read_count("comparisons", comparisons, 1, _MOST_COMPARISONS)
    return read_reach(confidence, count)
