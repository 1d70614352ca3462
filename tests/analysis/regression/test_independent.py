"""Regressions of invented data, shaped like the published studies, against scipy alone.

The studies themselves may not be shipped (analysis/known/studies.py), so that most runs skip
them. Here the likelihood is written anew and maximized by scipy, without anything of ours.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special

from deniable_analysis import Regression, regress
from deniable_analysis.arrays import Floats
from deniable_analysis.designs import forced_response

COVARIATES = "age + asset + married + education + female"
SIXTH = Fraction(1, 6)
DESIGNS = {"rr": forced_response(yes=SIXTH, no=SIXTH)}


def invented() -> pd.DataFrame:
    """2,400 people, a die that forces one answer in three, and a group asked openly."""
    generator = np.random.default_rng(2014)
    rows = 2400
    table = pd.DataFrame(
        {
            "age": generator.integers(18, 75, rows) / 10,
            "asset": generator.integers(0, 10, rows),
            "married": generator.integers(0, 2, rows),
            "education": generator.integers(1, 11, rows),
            "female": generator.integers(0, 2, rows),
        }
    )
    chance = special.expit(-1.2 + 0.1 * table["asset"] - 0.5 * table["female"])
    contact = generator.random(rows) < chance
    die = generator.integers(1, 7, rows)
    said = np.where(die == 1, False, np.where(die == 6, True, contact))
    civic = generator.random(rows) < special.expit(-0.8 + 0.9 * contact + 0.05 * table["asset"])
    return table.assign(rr=np.where(said, "yes", "no"), civic=np.where(civic, "yes", "no"))


TABLE = invented()
MATRIX = np.column_stack([np.ones(len(TABLE)), TABLE[COVARIATES.split(" + ")].to_numpy(float)])


def log_likelihood_of_outcome(parameters: Floats) -> float:
    """Of the randomized answer, explained by what was asked openly."""
    yes = 1 / 6 + 2 / 3 * special.expit(MATRIX @ parameters)
    return float(np.log(np.where(TABLE["rr"] == "yes", yes, 1 - yes)).sum())


def log_likelihood_of_predictor(parameters: Floats) -> float:
    """Of the open answer and the randomized one, which explains it; the latter by a logit."""
    width = MATRIX.shape[1]
    own, effect, spread = parameters[:width], parameters[width], parameters[width + 1 :]
    holds = special.expit(MATRIX @ spread)
    total = np.zeros(len(MATRIX))
    for answer, share in ((0, 1 - holds), (1, holds)):
        says_yes = 5 / 6 if answer else 1 / 6
        reported = np.where(TABLE["rr"] == "yes", says_yes, 1 - says_yes)
        member = special.expit(MATRIX @ own + effect * answer)
        total += share * reported * np.where(TABLE["civic"] == "yes", member, 1 - member)
    return float(np.log(total).sum())


def highest(function: Callable[[Floats], float], size: int) -> tuple[Floats, Floats, float]:
    """Where a log likelihood is highest, standard errors by differences, and its height."""
    minimize: Any = optimize.minimize
    found = minimize(
        lambda point: -function(point), np.zeros(size), method="BFGS", options={"gtol": 1e-5}
    )
    step = 1e-3
    bend = np.empty((size, size))
    units = step * np.eye(size)
    for one in range(size):
        for other in range(size):
            corners = [
                function(found.x + first * units[one] + second * units[other]) * first * second
                for first in (1, -1)
                for second in (1, -1)
            ]
            bend[one, other] = -sum(corners) / (4 * step**2)
    return found.x, np.sqrt(np.diag(np.linalg.inv(bend))), function(found.x)


@pytest.mark.parametrize(
    ("formula", "function", "size"),
    [
        (f"rr ~ {COVARIATES}", log_likelihood_of_outcome, 6),
        (f"civic ~ {COVARIATES} + rr", log_likelihood_of_predictor, 13),
    ],
)
def test_a_regression_is_the_one_that_scipy_finds(
    formula: str, function: Callable[[Floats], float], size: int
) -> None:
    """Coefficients, observed standard errors and the height of the likelihood."""
    found: Regression = regress(formula, TABLE, designs=DESIGNS, interval="wald")
    point, errors, height = highest(function, size)
    count = len(found.coefficients)
    own = [each.estimate for each in found.coefficients]
    assert own == pytest.approx(point[:count].tolist(), abs=2e-3)
    own_errors = [each.standard_error for each in found.coefficients]
    assert own_errors == pytest.approx(errors[:count].tolist(), rel=5e-3)
    assert found.log_likelihood == pytest.approx(height, abs=1e-4)
