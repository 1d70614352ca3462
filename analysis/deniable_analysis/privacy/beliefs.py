"""The most, and the average, that somebody can learn from a report.

The bounds are those of every mechanism with an epsilon. The guess is that of somebody without
prior knowledge, to whom all answers of the domain are equally likely before the report. They
guess the most likely answer given the report. The probability that the whole answer is right is
the sum over the outputs of the largest likelihood, divided by the number of answers. The channel
of a large domain cannot be enumerated, so each mechanism has this sum in closed form.
"""

from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

from deniable_analysis.arguments import Number, check_kind, is_finite, kind_of, read_share, shown
from deniable_analysis.errors import InvalidArgument, UnsupportedMechanism
from deniable_sdk.mechanisms import Domain, Mechanism, OneOf, SomeOf


@dataclass(frozen=True, slots=True)
class Belief:
    """The probability of an answer in somebody's belief, before and after a report.

    Args:
        prior: probability before the report.
        low: smallest probability after any report.
        high: largest probability after any report.
    """

    prior: Fraction
    low: Fraction
    high: Fraction


def belief_bounds(prior: Number, ratio: Fraction) -> Belief:
    """The bounds of a belief about an answer after somebody saw a report.

    They are valid for any statement about the true answer that is true or
    false, whatever else is known about the respondent. Warner's method attains
    them.

    Args:
        prior: probability before the report, from 0 to 1.
        ratio: exact e^epsilon of the report, at least 1.
    Raises:
        InvalidArgument: prior is not from 0 to 1, or ratio is below 1.
    Source: Bayes' rule with a likelihood ratio from 1 / ratio to ratio.
    """
    before, most = read_share("prior", prior), read_ratio(ratio)
    return Belief(
        before,
        before / (before + most * (1 - before)),
        most * before / (most * before + 1 - before),
    )


def tell_apart_error(ratio: Fraction) -> Fraction:
    """The smallest error probability of deciding between two answers from a report.

    Both answers are equally likely before the report, so the error of a coin is
    1/2. The error is at least this for every mechanism with this epsilon, and
    exactly this for Warner's method.

    Args:
        ratio: exact e^epsilon of the report, at least 1.
    Raises:
        InvalidArgument: the ratio is below 1.
    Source: the posterior of two equally likely answers is at most
    ratio / (ratio + 1); Kairouz, Oh and Viswanath 2015 (ICML), theorem 2.1.
    """
    return 1 / (read_ratio(ratio) + 1)


def most_detected(false_alarms: Number, ratio: Fraction) -> Fraction:
    """The largest power of a test that detects a given answer from one report.

    It bounds every test and every mechanism with this epsilon.

    Args:
        false_alarms: probability that the test detects the answer if another
            one is true.
        ratio: exact e^epsilon of the report, at least 1.
    Raises:
        InvalidArgument: false_alarms is not from 0 to 1, or ratio is below 1.
    Source: Kairouz, Oh and Viswanath 2015 (ICML), theorem 2.1, both bounds.
    """
    wrong = read_share("false_alarms", false_alarms)
    most = read_ratio(ratio)
    return min(most * wrong, 1 - (1 - wrong) / most)


def read_ratio(value: Any) -> Fraction:
    """The exact e^epsilon of a report; InvalidArgument unless it is a number of at least 1."""
    if not is_finite(value) or value < 1:
        raise InvalidArgument(
            f"ratio: got {shown(value)}; allowed is e^epsilon as a number of at least 1, like "
            "mechanism.weights.ratio"
        )
    return Fraction(value) if isinstance(value, Rational) else Fraction(float(value))


def guess_without_report(domain: Domain) -> Fraction:
    """The probability that a guess without a report is right: 1 / answers.

    Raises:
        UnsupportedMechanism: domain is not a domain.
    """
    allowed = "that of a question or a block"
    check_kind("domain", domain, (OneOf, SomeOf), allowed, UnsupportedMechanism)
    return Fraction(1, domain.size)


def guess_with_report(mechanism: Mechanism) -> Fraction:
    """The probability that a guess with the report is right.

    For a question with several answers the whole set must be right. Every set
    that the mechanism accepts counts as an answer.

    Raises:
        UnsupportedMechanism: mechanism is not a mechanism.
    Source: the closed forms are derived with each mechanism and agree with the
    enumerated channels; for subset selection it is keep / size, Gursoy et al.
    2022 (TIFS).
    """
    from deniable_analysis.estimate.mechanisms import known_analysis  # noqa: PLC0415  the form needs no scipy

    analysis = known_analysis(mechanism)
    if analysis is None:
        raise UnsupportedMechanism(
            f"mechanism: got {kind_of(mechanism)}; allowed are the mechanisms of a published "
            "survey"
        )
    return analysis.sum_of_largest(mechanism) / mechanism.domain.size
