"""The variance of an estimated mean, whatever mechanism reports the answer.

The mean is that of the respondents who answered: the estimated sum of their
scores over the estimated share who answered. It is planned as if everybody
answers, and by the variance of the ratio's linear part (delta method). Scores
are evenly spaced on a range of length 1 around 0.
"""

from fractions import Fraction

from deniable_analysis.errors import InvalidPlan
from deniable_analysis.mechanisms import known_analysis
from deniable_sdk.mechanisms import Domain, Mechanism, OneOf


def mean_unit_variance(mechanism: Mechanism, domain: Domain) -> Fraction:
    """The total variance of an estimated mean, times the reports.

    On a range of length 1: multiply by the square of the question's own. It
    is that of the hardest answers: half of them at each of two places as far
    from the middle, mostly the ends, or, where "no answer" is possible and
    epsilon is small, all of them at one, as the estimated share who answered
    then shifts the mean.

    Args:
        mechanism: of a scale or number that is randomized alone.
        domain: of the question; its options are the places of the scale.
    Raises:
        InvalidPlan: the mechanism returns no mean, or the domain does not have
            one answer, or not as many as the mechanism.
    """
    analysis = known_analysis(mechanism)
    if analysis is None or analysis.mean_variance is None:
        raise InvalidPlan(
            f"mechanism: got something of the type {type(mechanism).__name__}; allowed is that of "
            "a scale or number, from plan_mean or a published block"
        )
    if not isinstance(domain, OneOf) or domain.size != mechanism.domain.size:
        raise InvalidPlan(
            f"domain: got something of the type {type(domain).__name__}; allowed is that of the "
            f"question itself, one of {mechanism.domain.size} answers"
        )
    return analysis.mean_variance(mechanism, domain)
