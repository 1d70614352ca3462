"""Studies of simulated people, of whom more choose the earlier options."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis import Study
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from sample_definitions import choice, scale, survey, yes_no

Answers = dict[str, NDArray[Any]]


def answers_of(published: PublishedSurvey, people: int, seed: int) -> Answers:
    """Answers of people to all questions: early options are likelier."""
    random = np.random.default_rng(seed)
    found: Answers = {}
    for question in published.reported:
        names = len(question.names)
        if question.type == "multiple":
            found[question.id] = random.random((people, names)) < 0.3
            found[question.id][:, -1] = False  # nobody gives no answer
        else:
            likely = np.linspace(2, 1, names)
            found[question.id] = random.choice(names, people, p=likely / likely.sum())
    return found


def simulated(published: PublishedSurvey, people: int, seed: int) -> Study:
    """The study of such people."""
    random = np.random.default_rng(seed)
    return simulate_survey(published, answers_of(published, people, seed), random)


# A question in two joint blocks, one that a joint block routes to, and one routed apart.
LEADS = {"question": "region", "is": "o0"}
ROUTED = survey(
    choice("region", 3),
    scale("stress", 4),
    {**choice("work", 2), "show_if": LEADS},
    {**yes_no("told"), "show_if": LEADS},
    epsilon=9,
    ask=3,
    crosstabs=[["region", "stress"], ["region", "work"]],
    slug="routed",
)
