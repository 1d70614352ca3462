"""What planned estimates add up from a report, read off the exact channel."""

import json
from collections.abc import Sequence
from fractions import Fraction

from deniable_sdk import theory
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import Mechanism, OneOf, Piecewise, PrivSet, SampledBits, Subset
from deniable_sdk.theory.piecewise_mean import mean_table
from deniable_sdk.weights import Weights

# From about epsilon 0.01 to 10, in integers small enough to enumerate fast.
WEIGHTS = [Weights(101, 100), Weights(3, 1), Weights(55, 1), Weights(22026, 1)]


def subsets(largest: int) -> list[Subset]:
    """Every set size of every domain up to `largest`."""
    return [
        Subset(domain_size, size, weights)
        for weights in WEIGHTS
        for domain_size in range(2, largest + 1)
        for size in range(1, domain_size)
    ]


def variance(
    mechanism: Mechanism, values: dict[str, Fraction], truth: Sequence[Fraction]
) -> Fraction:
    """The exact variance of a value of a report, respondents being a random sample.

    Args:
        mechanism: with few outputs.
        values: of each output.
        truth: the share of each answer of the domain.
    """
    law = {
        output: sum((a * b for a, b in zip(row, truth, strict=True)), Fraction())
        for output, row in theory.channel(mechanism).items()
    }
    mean = sum((law[output] * value for output, value in values.items()), Fraction())
    return sum((law[output] * value**2 for output, value in values.items()), Fraction()) - mean**2


def support(mechanism: Subset | SampledBits | PrivSet, option: int) -> dict[str, Fraction]:
    """What each output adds to an option's debiased share."""
    return {
        output: share_part(mechanism, json.loads(output), option)
        for output in theory.channel(mechanism)
    }


def share_part(mechanism: Subset | SampledBits | PrivSet, value: JSON, option: int) -> Fraction:
    """What one reported value adds to an option's debiased share; 0 if it does not speak of it."""
    keep, flip = mechanism.keep, mechanism.flip
    held = value if isinstance(value, list) else [value]
    said = int(option in held)
    if isinstance(mechanism, SampledBits):
        bits = [pair[1] for pair in held if isinstance(pair, list) and pair[0] == option]
        if not bits:
            return Fraction(0)
        said = int(bits == [1])
    return (said - flip) / (keep - flip)


def scores(options: int) -> list[Fraction]:
    """Evenly spaced on a range of length 1 around 0."""
    return [Fraction(2 * index - options + 1, 2 * (options - 1)) for index in range(options)]


def mean_parts(
    mechanism: Subset | Piecewise, domain: OneOf, value: JSON
) -> tuple[Fraction, Fraction]:
    """What one reported value adds to the sum of scores, and to the share who answered."""
    if isinstance(mechanism, Subset):
        parts = [share_part(mechanism, value, option) for option in range(domain.options)]
        weighted = zip(parts, scores(domain.options), strict=True)
        return sum((part * score for part, score in weighted), Fraction()), sum(parts, Fraction())
    assert isinstance(value, int)
    is_none = value == mechanism.places
    keep, flip = mechanism.no_answer_keep, mechanism.no_answer_flip
    answered = 1 - (is_none - flip) / (keep - flip) if domain.offers_no_answer else Fraction(1)
    return mean_table(mechanism)[value], answered
