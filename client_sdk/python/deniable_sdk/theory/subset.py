"""Subset selection: which size is best, its error, its channel, and its words.

Source: Ye and Barg 2018 (IEEE Trans. Inf. Theory 64) and 2019 (EJS 13).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction

from deniable_sdk import canonical
from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.mechanisms.domains import Domain, OneOf
from deniable_sdk.mechanisms.parameters import MAX_DOMAIN_SIZE
from deniable_sdk.mechanisms.subset import Subset
from deniable_sdk.randomness import DRAW_RANGE
from deniable_sdk.theory import Need
from deniable_sdk.weights import Weights


def candidates(need: Need) -> Iterable[Subset]:
    """The best set size; for numbers only if the author asked for it."""
    domain = need.domain
    is_served = need.scale is not Scale.NUMERIC or need.is_named
    if isinstance(domain, OneOf) and is_served and domain.size <= MAX_DOMAIN_SIZE:
        weights = need.weights(1, 2 * domain.size)
        yield best_subset(domain.size, weights, need.most_outputs)


def best_subset(domain_size: int, weights: Weights, most_outputs: int | None = None) -> Subset:
    """The size with the smallest worst-case error; the smaller if equal.

    The derivative of the error by the size has the sign of
    size·(high + low) − k·low, so the best size stands on one of the
    two sides of its zero, and its total weight is near 2k·low. A size
    whose total weight is beyond one draw is left out, and one with more
    than `most_outputs` outputs, if there is another than 1.

    Raises:
        InvalidParameters: even size 1 is beyond one draw.
    """
    high, low = weights.high, weights.low
    fits = (DRAW_RANGE - domain_size * low) // (high - low)
    largest = max(1, min(domain_size - 1, fits))
    if most_outputs is not None:
        largest = min(largest, _largest_within(domain_size, most_outputs))
    zero = domain_size * low // (high + low)
    sizes = sorted({min(max(1, size), largest) for size in (zero, zero + 1)})
    return min((Subset(domain_size, size, weights) for size in sizes), key=worst_total_error)


def _largest_within(domain_size: int, most_outputs: int) -> int:
    """The largest size up to the middle with so few outputs, 1 if there is none.

    Sizes beyond the middle are no better than their mirrors below it.
    """
    size = 1
    while size < domain_size // 2 and math.comb(domain_size, size + 1) <= most_outputs:
        size += 1
    return size


def error(mechanism: Subset, target: Target, domain: Domain | None = None) -> Fraction:
    """For shares the summed total variance, for a mean that of the scores."""
    if target is Target.SHARES:
        return worst_total_error(mechanism)
    # Scores are evenly spaced on a range of length 1; "no answer" is after the levels.
    offers_no_answer = isinstance(domain, OneOf) and domain.offers_no_answer
    levels = mechanism.domain_size - offers_no_answer
    last = levels - 1
    scores = [Fraction(2 * index - last, 2 * last) for index in range(levels)]
    scores += [Fraction(0)] * (mechanism.domain_size - levels)
    squares = sum((score**2 for score in scores), start=Fraction(0))
    # A score and its negative vary alike.
    worst = max(_sum_variance(mechanism, score, squares) for score in {*map(abs, scores)})
    return worst / (mechanism.keep - mechanism.flip) ** 2


def _sum_variance(mechanism: Subset, score: Fraction, squares: Fraction) -> Fraction:
    """The variance of a set's summed scores, given the answer's score.

    All scores sum to 0, so those of the others sum to -score.
    """
    others = mechanism.domain_size - 1
    rest = squares - score**2

    def second_moment(drawn: int) -> Fraction:
        pairs = Fraction(drawn * (drawn - 1), max(1, others * (others - 1)))
        return Fraction(drawn, others) * rest + pairs * (score**2 - rest)

    mean = mechanism.keep * score - (mechanism.size - mechanism.keep) * score / others
    crossed = -2 * score**2 * Fraction(mechanism.size - 1, others)
    with_answer = score**2 + crossed + second_moment(mechanism.size - 1)
    return (
        mechanism.keep * with_answer
        + (1 - mechanism.keep) * second_moment(mechanism.size)
        - mean**2
    )


def worst_total_error(mechanism: Subset) -> Fraction:
    """N times the summed total variance at the worst shares (all equal).

    Source: Ye and Barg 2018; theory of the minimax constant in Ye and
    Barg 2019 (EJS 13).
    """
    size, rest = mechanism.size, mechanism.domain_size - mechanism.size
    spread = mechanism.weights.high - mechanism.weights.low
    return Fraction(
        (mechanism.domain_size - 1) ** 2 * mechanism.total_weight**2,
        mechanism.domain_size * size * rest * spread**2,
    )


def channel(mechanism: Subset) -> dict[str, tuple[Fraction, ...]]:
    """Every set with its probability under each answer."""
    # Of all sets of this size, a share size/k holds a given option.
    holding = math.comb(mechanism.domain_size - 1, mechanism.size - 1)
    missing = math.comb(mechanism.domain_size - 1, mechanism.size)
    total = holding * mechanism.weights.high + missing * mechanism.weights.low
    likelihood = {
        True: Fraction(mechanism.weights.high, total),
        False: Fraction(mechanism.weights.low, total),
    }
    outputs = itertools.combinations(range(mechanism.domain_size), mechanism.size)
    return {
        canonical.encode(output[0] if mechanism.size == 1 else [*output]).decode(): tuple(
            likelihood[answer in output] for answer in range(mechanism.domain_size)
        )
        for output in outputs
    }


def describe(mechanism: Subset) -> str:
    """How many answers it reports, and how often the true one is among them."""
    kept = f"with probability {float(mechanism.keep):.1%}"
    if mechanism.size == 1:
        others = mechanism.domain_size - 1
        other = "the other one" if others == 1 else f"one of the {others} others"
        return f"reports the true answer {kept}, else {other}"
    sizes = f"{mechanism.size} of {mechanism.domain_size}"
    return f"reports {sizes} answers, the true one among them {kept}"
