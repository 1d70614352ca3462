"""A score of real answers: its mean and bands, simulated, are within their intervals."""

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from deniable_analysis import screened_prevalence
from deniable_analysis.arrays import Floats
from deniable_analysis.results.questions import Untold
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import compute_scores
from sample_definitions import Document, choice, survey, yes_no
from sampled_params import sampled_params

ANSWERS = Path(__file__).parents[3] / "examples" / "health" / "answers.csv"
TIMES, RESPONDENTS = 200, 2_000
_ITEMS: list[Document] = [
    yes_no("limitation", reported=False, required=True),
    choice("health", reported=False, required=True)
    | {"options": ["excellent", "good", "fair", "poor"]},
    {
        "id": "chronic_conditions",
        "type": "number",
        "text": "?",
        "min": 0,
        "max": 58.6,
        "step": 0.1,
        "reported": False,
        "required": True,
    },
]
_SCORE: Document = {
    "id": "burden",
    "type": "score",
    "text": "Burden of illness",
    "required": True,
    "items": [
        {"question": "limitation", "points": {"yes": 3, "no": 0}},
        {"question": "health", "points": {"excellent": 0, "good": 1, "fair": 3, "poor": 5}},
        {"question": "chronic_conditions", "weight": 0.1},
    ],
    "step": 0.5,
}
_BANDS: Document = {**_SCORE, "cutoffs": {"low": 0, "some": 2, "high": 5}}


def truth_of(score: Document) -> Floats:
    """The share of each of the score's answers among 20,190 people."""
    asked = survey(*_ITEMS, score)
    question = asked.questions[-1]
    with ANSWERS.open(encoding="utf-8", newline="") as file:
        rows = [{name: row[name] for name in asked.question_ids} for row in csv.DictReader(file)]
    places = {name: index for index, name in enumerate(question.names)}
    found = [places[str(compute_scores(asked, row)["burden"])] for row in rows]
    return np.bincount(found, minlength=len(places)) / len(found)


def assert_covers(hits: int) -> None:
    """At least 95 - 1.5 %, as far as so many surveys can tell."""
    assert binomtest(hits, TIMES, 0.935, alternative="less").pvalue > 1e-4, hits


@pytest.mark.parametrize("epsilon", sampled_params([1, 2]))
def test_bands_and_the_prevalence_behind_them_are_covered(epsilon: int) -> None:
    """Of 200 surveys each, in which 2,000 people are drawn from the real ones."""
    truth, asked = truth_of(_BANDS), survey(*_ITEMS, _BANDS, epsilon=epsilon)
    generator = np.random.default_rng(epsilon)
    # Screening for "high": of 100 with the condition 85 were found, of 200 without it 180 not.
    se, sp = 0.85, 0.9
    condition = (truth[2] - (1 - sp)) / (se + sp - 1)
    hits, prevalence = [0, 0, 0], 0
    for _ in range(TIMES):
        answers = generator.choice(3, RESPONDENTS, p=truth)
        study = simulate_survey(asked, {"burden": answers}, generator)
        options = study.estimate("burden").questions[0].options
        for index, option in enumerate(options):
            assert option.low is not None
            assert option.high is not None
            hits[index] += option.low <= truth[index] <= option.high
        measured = [(int(generator.binomial(n, rate)), n) for rate, n in ((se, 100), (sp, 200))]
        found = screened_prevalence(
            study, "burden", above="high", sensitivity=measured[0], specificity=measured[1]
        )
        prevalence += found.low <= condition <= found.high
    for count in (*hits, prevalence):
        assert_covers(count)


@pytest.mark.deep
@pytest.mark.parametrize("epsilon", [1, 2])
def test_the_mean_is_covered(epsilon: int) -> None:
    """Of the score as a number on its grid."""
    truth, asked = truth_of(_SCORE), survey(*_ITEMS, _SCORE, epsilon=epsilon)
    mean = float(truth @ np.array([float(name) for name in asked.questions[-1].names]))
    generator = np.random.default_rng(10 + epsilon)
    hits = 0
    for _ in range(TIMES):
        answers = generator.choice(len(truth), RESPONDENTS, p=truth)
        study = simulate_survey(asked, {"burden": answers}, generator)
        found = study.estimate("burden").questions[0].mean
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= mean <= found.high
    assert_covers(hits)


def test_shares_among_those_led_by_an_item_cannot_be_known() -> None:
    """What leads there is never reported; the result says so, and the page has words for it."""
    asked = survey(
        yes_no("tired", reported=False),
        {"id": "risk", "type": "score", "text": "?", "items": [{"question": "tired"}]},
        yes_no("rested", show_if={"question": "tired", "is": "yes"}),
    )
    answers = {"risk": np.array([0, 1] * 100), "rested": np.array([2, 0] * 100)}
    study = simulate_survey(asked, answers, np.random.default_rng(1))
    among = study.among_asked("rested")
    assert among.untold is Untold.NOT_REPORTED
    assert "tired leads to rested, and is never reported; let a score" in str(among)
    assert all(option.share is None for option in among.options)
