"""The variance of an estimated mean, for any mechanism.

The mean is that of the respondents who answered: the estimated sum of their
scores divided by the estimated share who answered. The plan assumes that
everybody answers, and uses the variance of the ratio's linear part (delta
method). Scores are evenly spaced on a range of length 1 around 0.
"""

from fractions import Fraction

from deniable_analysis.arguments import kind_of
from deniable_analysis.errors import InvalidPlan
from deniable_analysis.mechanisms import known_analysis
from deniable_sdk.mechanisms import Domain, Mechanism, OneOf


def mean_unit_variance(mechanism: Mechanism, domain: Domain) -> Fraction:
    """The total variance of an estimated mean, times the reports.

    It is for a range of length 1: multiply it by the square of the question's
    own range. It is the largest variance under any answers. Usually these are
    half of the answers at each end of the range, or at two other places with
    equal distances from the middle. If "no answer" is possible and epsilon is
    small, all answers are at one end, because the estimated share who answered
    then shifts the mean.

    Args:
        mechanism: mechanism of a scale or number that is randomized alone.
        domain: domain of the question; its options are the places of the scale.
    Raises:
        InvalidPlan: the mechanism does not identify a mean, or the domain
            allows several answers or does not fit the mechanism.
    """
    analysis = known_analysis(mechanism)
    if analysis is None or analysis.mean_variance is None:
        raise InvalidPlan(
            f"mechanism: got {kind_of(mechanism)}; allowed is that of a scale or number, from "
            "plan_mean or a published block"
        )
    if not isinstance(domain, OneOf) or domain.size != mechanism.domain.size:
        raise InvalidPlan(
            f"domain: got {kind_of(domain)}; allowed is that of the question itself, one of "
            f"{mechanism.domain.size} answers"
        )
    return analysis.mean_variance(mechanism, domain)
