"""PrivSet: which sizes are compared, their error, their channel, and their words."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction

from deniable_sdk import canonical
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.mechanisms.domains import Domain, SomeOf
from deniable_sdk.mechanisms.privset import PrivSet, meeting_weights
from deniable_sdk.randomness import DRAW_RANGE
from deniable_sdk.theory import Need

# No larger size that one draw can hold is best, for epsilon from 0.01 to 10.
# 9 itself is best with 17 options and one choice.
LARGEST_SIZE_COMPARED = 9


def candidates(need: Need) -> Iterable[PrivSet]:
    """Every size that may be best."""
    domain = need.domain
    if not isinstance(domain, SomeOf) or need.target is not Target.SHARES:
        return
    for size in range(1, min(domain.options - 1, LARGEST_SIZE_COMPARED) + 1):
        weights = need.weights(1, math.comb(domain.options + domain.at_most, size))
        if sum(meeting_weights(domain, size, weights)) <= DRAW_RANGE:
            yield PrivSet(domain, size, weights)


def error(mechanism: PrivSet, target: Target, domain: Domain | None = None) -> Fraction:
    """The options' shares sum to at most m, so all are worst at m/k."""
    del domain  # there is one only that it fits
    if target is not Target.SHARES:
        raise ValueError("PrivSet estimates shares, not a mean")
    options, at_most = mechanism.domain.options, mechanism.domain.at_most
    # All in integers, in units of the total weight.
    total, spread = mechanism.total_weight, mechanism.spread
    flip = mechanism.holding * mechanism.weights.high - spread
    if (total - 2 * flip) * options < 2 * spread * at_most:
        most = max(total, 2 * flip)
        return Fraction(options * most * (2 * total - most), (2 * spread) ** 2)
    rate = flip * options + at_most * spread
    return Fraction(rate * (total * options - rate), options * spread**2)


def channel(mechanism: PrivSet) -> dict[str, tuple[Fraction, ...]]:
    """Every set with its probability under each choice."""
    padded = [set(mechanism.pad(answer)) for answer in mechanism.domain.answers()]
    met = Fraction(mechanism.weights.high, mechanism.total_weight)
    missed = Fraction(mechanism.weights.low, mechanism.total_weight)
    return {
        canonical.encode(list(output)).decode(): tuple(
            met if chosen & set(output) else missed for chosen in padded
        )
        for output in itertools.combinations(range(mechanism.padded), mechanism.size)
    }


def describe(mechanism: PrivSet) -> str:
    """The size of the set, and how often an option is in it."""
    blanks = "1 blank" if mechanism.domain.at_most == 1 else f"{mechanism.domain.at_most} blanks"
    return (
        f"reports {mechanism.size} of {mechanism.domain.options} options and {blanks}; a chosen "
        f"option is among them with probability {float(mechanism.keep):.1%}, another with "
        f"{float(mechanism.flip):.1%}"
    )
