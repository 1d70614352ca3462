"""How often somebody who knew nothing guesses a whole answer right.

Before the report all answers of the domain are equally likely to them, and
they guess the one that the report makes most likely: their success is the sum
over the outputs of the largest likelihood, over the number of answers. The
channel cannot be enumerated for large domains, so each mechanism's sum is
given in closed form.
"""

from fractions import Fraction

from deniable_analysis.arguments import kind_of
from deniable_analysis.errors import UnsupportedMechanism
from deniable_sdk.mechanisms import Domain, Mechanism


def guess_without_report(domain: Domain) -> Fraction:
    """How often the guess is right without a report: one of all answers.

    Raises:
        UnsupportedMechanism: it is no domain.
    """
    if not isinstance(domain, Domain):
        raise UnsupportedMechanism(
            f"domain: got {kind_of(domain)}; allowed is that of a question or a block"
        )
    return Fraction(1, domain.size)


def guess_with_report(mechanism: Mechanism) -> Fraction:
    """How often the guess is right with the report, on average.

    For a question with several answers the whole set must be right. Every set
    the mechanism can be given counts as an answer.

    Raises:
        UnsupportedMechanism: the mechanism is none.
    Source: the closed forms are derived beside each mechanism and equal the
    enumerated channels; for subset selection it is keep / size, Gursoy et al. 2022 (TIFS).
    """
    from deniable_analysis.mechanisms import known_analysis  # noqa: PLC0415  the form needs no scipy

    analysis = known_analysis(mechanism)
    if analysis is None:
        raise UnsupportedMechanism(
            f"mechanism: got {kind_of(mechanism)}; allowed are the mechanisms of a published "
            "survey"
        )
    return analysis.sum_of_largest(mechanism) / mechanism.domain.size
