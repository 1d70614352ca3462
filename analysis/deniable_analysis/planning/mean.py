"""The mean of a number, reported as one randomized bit."""

import math
from fractions import Fraction

from deniable_analysis.confidence import Number, critical_value, exact
from deniable_analysis.errors import InvalidPlan
from deniable_analysis.planning.designs import plan_mechanism
from deniable_analysis.planning.inputs import read_positive


def respondents_for_mean(
    epsilon: float | str,
    margin: Number,
    *,
    low: Number = -1,
    high: Number = 1,
    confidence: Number = 0.95,
) -> int:
    """The respondents it takes to know a mean to within this margin.

    Planned at the worst mean, in the middle of the range: there the report,
    plus or minus (e^epsilon + 1) / (e^epsilon - 1) half ranges, varies most.

    Args:
        epsilon: what one respondent spends on this number.
        margin: half the width of the interval, in the number's own unit.
        low: the smallest number that can be reported.
        high: the largest one.
        confidence: how often the true mean is within the margin.
    Raises:
        InvalidPlan: an argument is outside what it can mean.
        InvalidConfidence: confidence is not between 0 and 1.
    Source: Duchi, Jordan and Wainwright 2018 (JASA 113), section 3.2.
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InvalidPlan(
            f"low, high: got {float(low):g} and {float(high):g}; allowed are two finite numbers, "
            "the first below the second"
        )
    weights = plan_mechanism(epsilon).weights
    half_range = (exact(high) - exact(low)) / 2
    scale = Fraction(weights.favoured + weights.base, weights.favoured - weights.base)
    reach = Fraction(critical_value(confidence))
    return math.ceil((reach * scale * half_range / read_positive("margin", margin)) ** 2)
