"""No optimizer of scipy ends higher than the search for the maximum does."""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize

from analysis.regressions import CASES, people, randomized
from deniable_analysis import regress
from deniable_analysis.designs import warner
from deniable_analysis.regression.evaluation import log_likelihood, totals
from deniable_analysis.regression.model import Model
from deniable_analysis.regression.starts import best_maximum, start
from sampled_params import sampled_params

# Its stubs know no method that is chosen later.
MINIMIZE: Any = optimize.minimize
METHODS = ("BFGS", "Newton-CG", "trust-exact")
STARTS = 6
# What rounding of a sum of thousands of logarithms may take.
SAME = 1e-6


def apart(seed: int) -> Model:
    """Both sides randomized apart, at epsilon .25 to 2 and with 500 to 5,000 respondents."""
    generator = np.random.default_rng(seed)
    epsilon, rows = (0.25, 0.5, 1, 2)[seed % 4], (500, 2000, 5000)[seed % 3]
    truthful = math.exp(epsilon) / (1 + math.exp(epsilon))
    age = generator.integers(-1, 2, size=rows)
    x = generator.random(rows) < 0.4
    y = generator.random(rows) < 1 / (1 + np.exp(1 - 1.1 * x - 0.5 * age))
    told = {
        name: np.where(true ^ (generator.random(rows) > truthful), "yes", "no")
        for name, true in (("y", y), ("x", x))
    }
    design = {"y": warner(truthful), "x": warner(truthful)}
    found = regress("y ~ x + age", {**told, "age": age}, designs=design, interval="wald")
    return found.assembly.model


@cache
def table(seed: int) -> object:
    """700 randomized respondents."""
    return randomized(people(700, seed))


def highest_of_scipy(model: Model, begun: NDArray[np.float64]) -> float:
    """The highest log likelihood that one of scipy's optimizers reaches."""

    def loss(where: NDArray[np.float64]) -> float:
        found = log_likelihood(model, where)
        return -found if np.isfinite(found) else 1e300

    ends = []
    for method in METHODS:
        with np.errstate(all="ignore"):
            found = MINIMIZE(
                loss,
                begun,
                method=method,
                jac=lambda where: -totals(model, where).gradient,
                hess=None if method == "BFGS" else lambda where: totals(model, where).observed,
                options={"maxiter": 500},
            )
        ends.append(-float(found.fun))
    return max(ends)


def check(model: Model) -> None:
    """From the same start, and from others around it, none is higher."""
    own = best_maximum(model).evaluation.log_likelihood
    generator = np.random.default_rng(1)
    first = start(model, np.full(len(model.unknown), 0.85))
    others = [first + 0.7 * generator.normal(size=model.size) for _ in range(STARTS - 1)]
    assert highest_of_scipy(model, first) <= own + SAME
    assert max(highest_of_scipy(model, each) for each in others) <= own + SAME


@pytest.mark.sweep
@pytest.mark.parametrize("seed", sampled_params(range(24), 8))
def test_both_sides_randomized_apart(seed: int) -> None:
    """At seed 8 each of them ends 1.08 lower from the same start."""
    check(apart(seed))


@pytest.mark.sweep
@pytest.mark.parametrize(
    "name", sampled_params((name for name in CASES if "normal" not in name), 4)
)
def test_other_models(name: str) -> None:
    """Several hidden predictors, links, categories and unknown designs."""
    check(CASES[name].assembly(table(3)).model)
