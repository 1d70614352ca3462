"""Sampled bits: how many to draw, their error, their channel, and their words."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction

from deniable_sdk import canonical
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.mechanisms.domains import Domain, SomeOf
from deniable_sdk.mechanisms.sampled_bits import MOST_SAMPLED, SampledBits, parts
from deniable_sdk.theory import Need


def candidates(need: Need) -> Iterable[SampledBits]:
    """Every number of drawn options that may be best."""
    if isinstance(need.domain, SomeOf) and need.target is Target.SHARES:
        most = parts(need.domain, min(need.domain.options, MOST_SAMPLED))
        for sampled in range(1, most + 1):
            weights = need.weights(sampled, 2)
            # Below ln 2 for each, more bits tell less altogether.
            if sampled > 1 and weights.high < 2 * weights.low:
                return
            yield SampledBits(need.domain, sampled, weights)


def error(mechanism: SampledBits, target: Target, domain: Domain | None = None) -> Fraction:
    """Options each of whose estimates comes from a share s/k of reports."""
    del domain  # there is one only that it fits
    if target is not Target.SHARES:
        raise ValueError("sampled bits estimate shares, not a mean")
    options, low = mechanism.domain.options, mechanism.weights.low
    # All in integers, as twice the options times the low weight.
    share = min(options, 2 * mechanism.domain.at_most)
    spread = mechanism.weights.high - low
    ones = 2 * options * low + share * spread
    zeros = 2 * options * mechanism.total_weight - ones
    return Fraction(ones * zeros, mechanism.sampled * (2 * spread) ** 2)


def channel(mechanism: SampledBits) -> dict[str, tuple[Fraction, ...]]:
    """Every list of drawn options and bits with its probability under each answer."""
    answers = list(mechanism.domain.answers())
    each = Fraction(1, math.comb(mechanism.domain.options, mechanism.sampled))
    keep, flip = mechanism.keep, mechanism.flip
    rows = {}
    for drawn in itertools.combinations(range(mechanism.domain.options), mechanism.sampled):
        for bits in itertools.product((0, 1), repeat=mechanism.sampled):
            text = canonical.encode([[*pair] for pair in zip(drawn, bits, strict=True)])
            rows[text.decode()] = tuple(
                math.prod(
                    (
                        keep if (option in answer) == bool(bit) else flip
                        for option, bit in zip(drawn, bits, strict=True)
                    ),
                    start=each,
                )
                for answer in answers
            )
    return rows


def describe(mechanism: SampledBits) -> str:
    """How many options it draws, and how often it reports the truth about one."""
    options = mechanism.domain.options
    drawn = "one option" if mechanism.sampled == 1 else f"{mechanism.sampled} options"
    return (
        f"draws {drawn} of {options} and says of each whether it was chosen, truly with "
        f"probability {float(mechanism.keep):.1%}"
    )
