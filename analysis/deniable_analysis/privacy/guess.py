"""The probability that somebody without prior knowledge guesses a whole answer right.

Before the report, all answers of the domain are equally likely to them. They
guess the most likely answer given the report. The probability that the guess is
right is the sum over the outputs of the largest likelihood, divided by the
number of answers. The channel of a large domain cannot be enumerated, so each
mechanism has this sum in closed form.
"""

from fractions import Fraction

from deniable_analysis.arguments import check_kind, kind_of
from deniable_analysis.errors import UnsupportedMechanism
from deniable_sdk.mechanisms import Domain, Mechanism, OneOf, SomeOf


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
    from deniable_analysis.mechanisms import known_analysis  # noqa: PLC0415  the form needs no scipy

    analysis = known_analysis(mechanism)
    if analysis is None:
        raise UnsupportedMechanism(
            f"mechanism: got {kind_of(mechanism)}; allowed are the mechanisms of a published "
            "survey"
        )
    return analysis.sum_of_largest(mechanism) / mechanism.domain.size
