"""How often somebody who knew nothing guesses a whole answer right.

Before the report all answers of the domain are equally likely to them, and
they guess the one that the report makes most likely: their success is the sum
over the outputs of the largest likelihood, over the number of answers. The
channel cannot be enumerated for large domains, so each mechanism's sum is
given in closed form.
"""

import math
from fractions import Fraction

from deniable_analysis.arguments import kind_of
from deniable_analysis.errors import UnsupportedMechanism
from deniable_sdk.mechanisms import (
    Domain,
    Mechanism,
    Piecewise,
    PrivSet,
    SampledBits,
    Subset,
)


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
    Source: the closed forms are derived below and equal the enumerated
    channels; for subset selection it is keep / size, Gursoy et al. 2022 (TIFS).
    """
    return _sum_of_largest(mechanism) / mechanism.domain.size


def _sum_of_largest(mechanism: Mechanism) -> Fraction:
    """The sum over the outputs of the largest likelihood."""
    match mechanism:
        case Subset():
            return mechanism.keep * mechanism.domain_size / mechanism.size
        case Piecewise():
            return _of_piecewise(mechanism)
        case PrivSet():
            return _of_privset(mechanism)
        case SampledBits():
            return _of_sampled_bits(mechanism)
    raise UnsupportedMechanism(
        f"mechanism: got {kind_of(mechanism)}; allowed are the mechanisms of a published survey"
    )


def _of_piecewise(mechanism: Piecewise) -> Fraction:
    """Every output is favoured as often as an answer is rounded to where it is favoured.

    Two positions next to each other have an answer between them, or on one,
    that is always rounded to one of them. An output that one position alone
    favours has an answer at most half a place from it. No answer has an
    output of its own.
    """
    weights, last, steps = mechanism.weights, mechanism.cells - 1, mechanism.steps
    if mechanism.window > 1:
        missed = Fraction(0)
    else:
        besides = (position * last % steps for position in range(steps + 1))
        missed = Fraction(sum(min(beside, steps - beside) for beside in besides), last)
    copies = mechanism.places + mechanism.window * mechanism.domain.offers_no_answer
    rest = missed * (weights.favoured - weights.base)
    return (copies * weights.favoured - rest) / mechanism.total_weight


def _of_privset(mechanism: PrivSet) -> Fraction:
    """Every set is met by some answer.

    One of its options chosen alone meets it; a set of blanks alone is met by
    choosing nothing, which is filled up with every blank.
    """
    outputs = math.comb(mechanism.padded, mechanism.size)
    return Fraction(outputs * mechanism.weights.favoured, mechanism.total_weight)


def _of_sampled_bits(mechanism: SampledBits) -> Fraction:
    """The likeliest answer has as many of the bits as may be chosen.

    The options drawn do not depend on the answer. Of `ones` bits that say
    "chosen" at most at_most can be true at once; all other bits can.
    """
    keep, flip, sampled = mechanism.keep, mechanism.flip, mechanism.sampled
    found = Fraction(0)
    for ones in range(sampled + 1):
        false = max(0, ones - mechanism.domain.at_most)
        found += math.comb(sampled, ones) * keep ** (sampled - false) * flip**false
    return found
