"""Plans for the mean of a number, published for its mean or for its distribution.

The mean is that of the respondents who answered: the estimated sum of their
scores divided by the estimated share who answered. The plan assumes that
everybody answers, and uses the variance of the ratio's linear part (delta
method). Scores are evenly spaced on a range of length 1 around 0.
"""

import math
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction

from deniable_analysis.arguments import (
    Number,
    kind_of,
    possible,
    read_block_epsilon,
    read_choice,
    read_count,
    read_flag,
    read_number,
    read_positive,
    read_respondents,
    shown,
)
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.mechanisms import known_analysis
from deniable_analysis.planning.goal import Goal
from deniable_analysis.planning.sample_size import margin_of_reports, reports_for_margin
from deniable_sdk.mechanisms import Domain, Mechanism, OneOf, Piecewise
from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.mechanisms.parameters import MAX_DOMAIN_SIZE
from deniable_sdk.theory import Need
from deniable_sdk.theory.piecewise import candidates
from deniable_sdk.weights import integer_weights


def plan_mean(
    epsilon: float | str,
    places: int,
    *,
    target: Target = Target.MEAN,
    offers_no_answer: bool = False,
) -> Piecewise:
    """The mechanism with which a number is published.

    Args:
        epsilon: privacy loss of one respondent on this question. If a survey
            asks each respondent s questions, it is epsilon / s of the survey.
        places: number of different numbers that can be reported: 0 to 30 in
            steps of 1 are 31.
        target: the mean, or the shares for the distribution. With the shares,
            the mean needs more respondents.
        offers_no_answer: whether "prefer not to say" is an answer.
    Raises:
        InvalidArgument: no survey can be published with these arguments.
    """
    count = read_count("places", places, 2, MAX_DOMAIN_SIZE)
    wanted = read_choice("target", Target, target)
    weights = integer_weights(read_block_epsilon(epsilon))
    domain = OneOf(count, offers_no_answer=read_flag("offers_no_answer", offers_no_answer))
    need = Need(domain, Scale.NUMERIC, wanted, lambda _parts, _total: weights)
    (mechanism,) = candidates(need)
    return mechanism


class _OfAMean(Goal):
    """A goal for the variance of a mean, for the answers with the largest variance.

    These are usually half of the answers at each end of the range.
    """

    __slots__ = ()

    low: Number
    high: Number

    def mechanism(
        self,
        epsilon: float | str,
        *,
        options: int = 2,
        places: int | None = None,
        target: Target = Target.MEAN,
    ) -> Piecewise:
        """As in Goal; the number of places is needed."""
        del options  # of shares
        if places is None:
            raise InvalidArgument(
                "places: got none; allowed is how many different numbers can be reported"
            )
        return plan_mean(epsilon, places, target=target)

    def _variance(self, mechanism: Piecewise | float | str) -> Fraction:
        """The total variance of the mean times the reports, in the number's own unit."""
        lowest, highest = read_number("low", self.low), read_number("high", self.high)
        if lowest >= highest:
            raise InvalidArgument(
                f"low, high: got {shown(self.low)} and {shown(self.high)}; allowed are two finite "
                "numbers, the first below the second"
            )
        if not isinstance(mechanism, Piecewise):
            # So many places that more make no difference.
            mechanism = plan_mean(mechanism, MAX_DOMAIN_SIZE)
        return mean_unit_variance(mechanism, mechanism.domain) * (highest - lowest) ** 2


@dataclass(frozen=True, slots=True)
class MeanMargin(_OfAMean):
    """A mean to within this margin.

    The mechanism is from plan_mean or a published block; or an epsilon, for a
    question with many numbers and without "prefer not to say".

    Args:
        margin: half the width of the interval, in the number's own unit.
        low: smallest number that can be reported.
        high: largest number that can be reported.
        confidence: nominal coverage of the interval, between 0 and 1.
    """

    WORDS = "a margin of {margin}"

    margin: Number | None = None
    _: KW_ONLY
    low: Number = -1
    high: Number = 1
    confidence: Number = DEFAULT_CONFIDENCE

    def respondents(self, mechanism: Piecewise | float | str) -> int:
        """As in Goal."""
        margin = read_positive("margin", self.margin)
        return reports_for_margin(self._variance(mechanism), margin, self.confidence)

    def reached(self, mechanism: Piecewise | float | str, respondents: int) -> float:
        """As in Goal."""
        reports = read_respondents("respondents", respondents)
        return margin_of_reports(self._variance(mechanism), reports, self.confidence)


@dataclass(frozen=True, slots=True)
class MeanStandardError(_OfAMean):
    """A mean with this standard error, in the number's own unit; all else is as for MeanMargin."""

    WORDS = "a standard error of {sd}"

    sd: Number | None = None
    _: KW_ONLY
    low: Number = -1
    high: Number = 1

    def respondents(self, mechanism: Piecewise | float | str) -> int:
        """As in Goal."""
        return possible(math.ceil(self._variance(mechanism) / read_positive("sd", self.sd) ** 2))

    def reached(self, mechanism: Piecewise | float | str, respondents: int) -> float:
        """As in Goal."""
        reports = read_respondents("respondents", respondents)
        return math.sqrt(self._variance(mechanism) / reports)


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
        InvalidArgument: the mechanism does not identify a mean, or the domain
            allows several answers or does not fit the mechanism.
    """
    analysis = known_analysis(mechanism)
    if analysis is None or analysis.mean_variance is None:
        raise InvalidArgument(
            f"mechanism: got {kind_of(mechanism)}; allowed is that of a scale or number, from "
            "plan_mean or a published block"
        )
    if not isinstance(domain, OneOf) or domain.size != mechanism.domain.size:
        raise InvalidArgument(
            f"domain: got {kind_of(domain)}; allowed is that of the question itself, one of "
            f"{mechanism.domain.size} answers"
        )
    return analysis.mean_variance(mechanism, domain)
