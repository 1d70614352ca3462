"""How far an estimated mean strays, whatever mechanism reports the answer.

The mean is that of the respondents who answered: the estimated sum of their
scores over the estimated share who answered. It is planned as if everybody
answers, and by the variance of the ratio's linear part (delta method). Scores
are evenly spaced on a range of length 1 around 0.
"""

from fractions import Fraction

from deniable_analysis.errors import InvalidPlan
from deniable_analysis.estimators.covariance import both_supported
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.theory.piecewise_mean import worst_square

MeanMechanism = Subset | Piecewise

_END = Fraction(1, 2)


def mean_unit_variance(mechanism: MeanMechanism, domain: OneOf) -> Fraction:
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
        InvalidPlan: the mechanism gives no mean, or the domain has not one
            answer, or not as many as the mechanism.
    """
    _check(mechanism, domain)
    if isinstance(mechanism, Subset):
        return max(_of_subset(mechanism, domain.options, mean) for mean in (Fraction(0), _END))
    return worst_square(mechanism, max(Fraction(0), _growth(mechanism)))


def _check(mechanism: object, domain: object) -> None:
    if not isinstance(mechanism, MeanMechanism):
        raise InvalidPlan(
            f"mechanism: got something of the type {type(mechanism).__name__}; allowed is that of "
            "a scale or number, from plan_mean or a published block"
        )
    if not isinstance(domain, OneOf) or domain.size != mechanism.domain.size:
        raise InvalidPlan(
            f"domain: got something of the type {type(domain).__name__}; allowed is that of the "
            f"question itself, one of {mechanism.domain.size} answers"
        )


def _growth(mechanism: Piecewise) -> Fraction:
    """What a mean of 1 instead of 0 adds, all answers' spread left the same.

    With Y for the output over the slope, 0 for no answer, and B for what it
    adds to the share who answered, the linear part is Y - mean·B. Everybody
    answers, so E[YB] = mean·keep / (keep - flip), and
    E[B²] = (keep² + flip - 2·keep·flip) / (keep - flip)². Without "no answer"
    B is 1.
    """
    keep, flip = mechanism.no_answer_keep, mechanism.no_answer_flip
    if not mechanism.domain.offers_no_answer:
        return Fraction(-1)
    return (flip - keep**2) / (keep - flip) ** 2


def _of_subset(mechanism: Subset, levels: int, mean: Fraction) -> Fraction:
    """The same for summed scores of the set, less the mean: w, 0 for no answer.

    Given the answer's w the second moment of their sum is
    a·w² + b·w + c, where w averages to 0 and w² to END² - mean² at most.
    """
    keep, flip = mechanism.keep, mechanism.flip
    holding, missing = both_supported(mechanism)
    total = -levels * mean
    squares = Fraction(levels * (levels + 1), 12 * (levels - 1)) + levels * mean**2
    curve = max(Fraction(0), keep - flip - 2 * (holding - missing))
    constant = flip * squares + missing * (total**2 - squares)
    variance = curve * (_END**2 - mean**2) + constant - (flip * total) ** 2
    return variance / (keep - flip) ** 2
