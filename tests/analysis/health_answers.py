"""The health example's answers of 20,190 people, to regress on."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis import Regression, regress
from deniable_sdk import PublishedSurvey
from sample_definitions import choice, survey, yes_no

ANSWERS = Path(__file__).parents[2] / "examples" / "health" / "answers.csv"
FORMULA = "limitation ~ health + deductible_plan"
MUST: dict[str, Any] = {"required": True}


def health(epsilon: float = 2, **keys: Any) -> PublishedSurvey:
    """The three questions of the example as one required crosstab, or as keys say."""
    options = {"options": ["excellent", "good", "fair", "poor"]}
    return survey(
        yes_no("limitation", **MUST),
        {**choice("health", 4, **MUST), **options},
        yes_no("deductible_plan", **MUST),
        epsilon=epsilon,
        **{"crosstabs": [["limitation", "health", "deductible_plan"]], **keys},
    )


def real_answers(published: PublishedSurvey) -> dict[str, NDArray[np.int64]]:
    """The answers of 20,190 people, as places of options."""
    with ANSWERS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        question.id: np.array([question.encode(row[question.id]) for row in rows])
        for question in published.questions
    }


def clear_regression(published: PublishedSurvey) -> Regression:
    """The same regression on the true answers."""
    names = {question.id: question.names for question in published.questions}
    table = {
        name: [names[name][place] for place in places.tolist()]
        for name, places in real_answers(published).items()
    }
    return regress(FORMULA, table)
