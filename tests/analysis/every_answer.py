"""Every set of answers there can be, with its probability."""

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np


def _counts(rows: int, categories: int) -> Iterator[tuple[int, ...]]:
    """Every way to spread rows over categories."""
    for places in itertools.combinations_with_replacement(range(categories), rows):
        yield tuple(places.count(category) for category in range(categories))


def _chance(counts: Sequence[int], rates: Sequence[float]) -> float:
    ways = math.factorial(sum(counts)) / math.prod(map(math.factorial, counts))
    return ways * math.prod(rate**count for rate, count in zip(rates, counts, strict=True))


def every_answer(
    matrices: Sequence[np.ndarray], shares: np.ndarray, rows: Sequence[int]
) -> Iterator[tuple[float, list[tuple[int, ...]]]]:
    """Every set of answers of all groups, with its probability."""
    each = [_counts(n, len(matrix)) for n, matrix in zip(rows, matrices, strict=True)]
    rates = [(matrix @ shares).tolist() for matrix in matrices]
    for found in itertools.product(*map(list, each)):
        chance = math.prod(map(_chance, found, rates))
        yield chance, list(found)
