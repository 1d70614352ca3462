"""Tables of randomized answers to regress on, made from a seed."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from deniable_analysis.designs import (
    AnyDesign,
    ByGroup,
    Design,
    forced_response,
    from_matrix,
    stochastic_lie_detector,
    warner,
)
from deniable_analysis.regression.assembly import Assembly, assemble
from deniable_analysis.regression.choices import Choices
from deniable_analysis.regression.formula import read_formula
from deniable_analysis.regression.observations import observe

THREE = ("low", "middle", "high")
KEEP = Fraction(4, 5)
WARNER = warner(KEEP)
FORCED = forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
DETECTOR = ByGroup("condition", stochastic_lie_detector({1: Fraction(1, 6), 2: Fraction(5, 6)}))
CHANNEL = from_matrix(
    [[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]], observed=THREE, true=THREE
)


def reported(
    design: Design, truth: NDArray[np.int64], generator: np.random.Generator
) -> list[str]:
    """What respondents with these true answers report."""
    edges = np.cumsum(design.probabilities, axis=0)[:, truth]
    places = (generator.random(len(truth)) > edges).sum(axis=0)
    return [design.observed[place] for place in places.tolist()]


def people(rows: int, seed: int = 1965) -> pd.DataFrame:
    """True answers: group and habit explain each other and three outcomes."""
    generator = np.random.default_rng(seed)
    age = generator.normal(size=rows)
    group = generator.choice(3, p=[0.5, 0.3, 0.2], size=rows)
    habit = (generator.random(rows) < 0.3 + 0.15 * group).astype(int)
    predictor = -0.6 + 0.8 * habit + 0.5 * group + 0.4 * age
    yes = (generator.random(rows) < 1 / (1 + np.exp(-predictor))).astype(int)
    level = (generator.logistic(size=rows) + predictor > np.array([[0.0], [1.2]])).sum(axis=0)
    return pd.DataFrame(
        {
            "age": age,
            "group": group,
            "habit": habit,
            "yes": yes,
            "level": level,
            "income": 10 + 3 * predictor + generator.normal(size=rows),
            "condition": 1 + generator.integers(2, size=rows),
        }
    )


def randomized(true: pd.DataFrame, seed: int = 7) -> pd.DataFrame:
    """The same table after everything sensitive was randomized."""
    generator = np.random.default_rng(seed)
    designs = {"yes": FORCED, "habit": WARNER, "group": CHANNEL, "level": CHANNEL}
    found = true.copy()
    for name, design in designs.items():
        found[name] = reported(design, true[name].to_numpy(), generator)
    liars = DETECTOR.designs.designs([0.7])  # type: ignore[union-attr]
    told = np.array(["no"] * len(true), dtype=object)
    for condition, design in liars.items():
        rows = np.flatnonzero(true["condition"] == condition)
        told[rows] = reported(design, true["habit"].to_numpy()[rows], generator)
    return found.assign(detected=told)


DESIGNS: Mapping[str, AnyDesign] = {
    "yes": FORCED,
    "habit": WARNER,
    "group": CHANNEL,
    "level": CHANNEL,
    "detected": DETECTOR,
}


@dataclass(frozen=True, slots=True)
class Case:
    """A regression to look at from all sides."""

    formula: str
    link: str | None = None
    predictors: str | None = None

    def assembly(self, table: pd.DataFrame, **wanted: Any) -> Assembly:
        """Its model of a table's rows."""
        read = read_formula(self.formula, table.columns)
        named = (read.outcome, *read.variables)
        given = {name: DESIGNS[name] for name in named if name in DESIGNS}
        clear = tuple(name for name in named if name not in given)
        seen = observe(table, clear, given, **wanted)
        return assemble(read, seen, Choices(link=self.link, predictors=self.predictors))


CASES = {
    "logit": Case("yes ~ age"),
    "probit": Case("yes ~ age", "probit"),
    "cloglog": Case("yes ~ age", "cloglog"),
    "two hidden predictors": Case("yes ~ habit + group * age", predictors="formula"),
    "hidden predictors alone": Case("yes ~ habit + group"),
    "spread apart from covariates": Case("yes ~ habit + age", predictors="saturated"),
    "multinomial": Case("level ~ habit + age"),
    "ordered": Case("level ~ habit + age", "ordered"),
    "normal": Case("income ~ habit + age"),
    "normal, two hidden": Case("income ~ habit:group + age", predictors="saturated"),
    "clear outcome": Case("condition ~ group + age"),
    "unknown design of the outcome": Case("detected ~ age"),
    "unknown design of a predictor": Case("income ~ detected + age"),
    "unknown design beside another": Case("yes ~ detected + age"),
}
