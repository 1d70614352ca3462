"""Intervals of regressions hold the true value as often as they say, whatever epsilon is."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from deniable_analysis import regress
from deniable_analysis.designs import warner
from sampling_checks import ALPHA

TRUE = {"Intercept": -1.0, "x[T.yes]": 1.1, "age": 0.5}
# What is called 0.95 holds at least so often.
LEAST = 0.935


def hits(epsilon: float, rows: int, surveys: int, seed: int, formula: str) -> Counter[str]:
    """How many intervals of each coefficient hold the true value, y and x randomized apart."""
    generator = np.random.default_rng(seed)
    truthful = math.exp(epsilon) / (1 + math.exp(epsilon))
    design = {"y": warner(truthful), "x": warner(truthful)}
    found: Counter[str] = Counter()
    for _ in range(surveys):
        age = generator.integers(-1, 2, size=rows)
        x = generator.random(rows) < 0.4
        slope = TRUE["age"] if "age" in formula else 0.0
        odds = TRUE["Intercept"] + TRUE["x[T.yes]"] * x + slope * age
        y = generator.random(rows) < 1 / (1 + np.exp(-odds))
        told = {
            name: np.where(true ^ (generator.random(rows) > truthful), "yes", "no")
            for name, true in (("y", y), ("x", x))
        }
        result = regress(formula, {**told, "age": age}, designs=design)
        for each in result.coefficients:
            # A missing interval holds nothing.
            found[each.name] += each.low <= TRUE[each.name] <= each.high
    return found


def check(found: Counter[str], surveys: int, names: int) -> None:
    """Every coefficient is there, and none is held too seldom."""
    assert len(found) == names
    for count in found.values():
        assert stats.binom.cdf(count, surveys, LEAST) > ALPHA


@pytest.mark.deep
@pytest.mark.parametrize("formula", ["y ~ x", "y ~ x + age"])
@pytest.mark.parametrize("rows", [500, 5000, 50_000])
@pytest.mark.parametrize("epsilon", [0.25, 0.5, 1, 2, 4])
def test_intervals_cover(epsilon: float, rows: int, formula: str) -> None:
    """From epsilon .25 to 4 and 500 to 50,000 respondents, alone and beside a clear column."""
    check(hits(epsilon, rows, 300, 15, formula), 300, 2 + ("age" in formula))
