"""Simulated studies of scores in bands and of scores that are numbers."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import binomtest

from deniable_analysis import Study
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from sample_definitions import survey
from score_samples import score

BANDS = survey(score(required=True), epsilon=1)
OPEN = survey(score(), epsilon=2)
SUMS = {key: value for key, value in score(required=True).items() if key != "cutoffs"}
NUMBER = survey(SUMS, epsilon=2)


def study_of(asked: PublishedSurvey, answers: Sequence[int], seed: int) -> Study:
    """A simulated study of these true answers."""
    return simulate_survey(asked, {"mood": np.array(answers)}, np.random.default_rng(seed))


def assert_covers(hits: int, times: int, nominal: float = 0.95) -> None:
    """At least nominal - 1.5 points, as far as so many trials can tell."""
    assert binomtest(hits, times, nominal - 0.015, alternative="less").pvalue > 1e-4, hits
