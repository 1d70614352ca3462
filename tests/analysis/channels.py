"""Mechanisms to test estimators on, and their channels spelled out."""

import math
from fractions import Fraction

from deniable_analysis import Channel
from deniable_sdk import canonical, theory
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights, integer_weights

RATIOS = (Weights(3, 1), Weights(101, 100), Weights(7, 2), integer_weights(Fraction(2)))


def every_subset(largest: int = 6) -> list[Subset]:
    """Every set size of every domain up to `largest`, at several epsilons."""
    return [
        Subset(domain_size, size, weights)
        for weights in RATIOS
        for domain_size in range(2, largest + 1)
        for size in range(1, domain_size)
    ]


def outputs(mechanism: Subset) -> list[tuple[frozenset[int], tuple[Fraction, ...]]]:
    """Every output as the set it supports, with its likelihoods."""
    return [
        (_supported(text), likelihoods) for text, likelihoods in theory.channel(mechanism).items()
    ]


def _supported(text: str) -> frozenset[int]:
    value = canonical.decode(text.encode())
    members = value if isinstance(value, list) else [value]
    return frozenset(member for member in members if isinstance(member, int))


def uneven_shares(domain_size: int) -> list[Fraction]:
    """True shares that all differ: 1, 2, 3, ... parts of their sum."""
    whole = domain_size * (domain_size + 1) // 2
    return [Fraction(part, whole) for part in range(1, domain_size + 1)]


def real_channel(epsilon: float, domain_size: int = 2, size: int = 1) -> Channel:
    """Subset selection at a real epsilon, as formulas in papers have it."""
    high = size * math.exp(epsilon)
    keep = high / (high + domain_size - size)
    return Channel(keep, (size - keep) / (domain_size - 1))
