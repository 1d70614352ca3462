"""Editions that the same people answered: of a panel, and of a fixed question."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from analysis.related import MUST, counted_study, with_mechanisms
from deniable_analysis import Study, pool_studies
from deniable_analysis.estimate.heterogeneity import variance_of_sum
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.weights import Weights
from sample_definitions import survey, yes_no

PEOPLE, SHARE, TIMES = 400, 0.3, 200
WAVES = (1, 2, 3)
KEPT, FLIPPED = 0.95, 0.05
WARNER = Subset(2, 1, Weights(19, 1))


def editions(draws: np.random.Generator, *, is_fixed: bool, is_panel: bool) -> list[Study]:
    """Three editions that the same 400 people answered, a fixed question with one report."""
    true = draws.binomial(PEOPLE, SHARE)
    reports = draws.binomial(true, KEPT, 3) + draws.binomial(PEOPLE - true, FLIPPED, 3)
    if is_fixed:
        reports[:] = reports[0]
    return [
        counted_study(
            published(is_fixed=is_fixed, is_panel=is_panel, wave=wave),
            asthma=[int(yes), int(PEOPLE - yes)],
        )
        for wave, yes in zip(WAVES, reports, strict=True)
    ]


@cache
def published(*, is_fixed: bool, is_panel: bool, wave: int) -> PublishedSurvey:
    """One of the editions."""
    fact: dict[str, Any] = {"fixed": True} if is_fixed else {}
    panel: dict[str, Any] = {"waves": len(WAVES), "wave": wave} if is_panel else {}
    return with_mechanisms(survey(yes_no(**MUST, **fact), **panel), WARNER)


def covered(draws: np.random.Generator, **kind: bool) -> float:
    """How often the pooled interval holds the share among all people there are."""
    hits = 0
    for _ in range(TIMES):
        yes = pool_studies(editions(draws, **kind), "asthma").questions[0].options[0]
        assert yes.low is not None
        assert yes.high is not None
        hits += yes.low <= SHARE <= yes.high
    return hits / TIMES


@pytest.mark.parametrize(
    "kind",
    [{"is_fixed": False, "is_panel": True}, {"is_fixed": True, "is_panel": False}],
    ids=["a panel", "a fixed question"],
)
def test_the_same_people_are_not_counted_as_others(kind: dict[str, bool]) -> None:
    """Pooled intervals cover as often as they say, though editions share their people."""
    assert covered(np.random.default_rng(20), **kind) >= 0.93


@pytest.mark.deep
def test_they_would_be_if_the_survey_did_not_say_so() -> None:
    """The same reports, of a survey that says nothing of it, give intervals that miss."""
    draws = np.random.default_rng(20)
    hits = 0
    for _ in range(TIMES):
        panel = editions(draws, is_fixed=False, is_panel=True)
        plain = published(is_fixed=False, is_panel=False, wave=1)
        studies = [
            Study(plain, n, each.count, each.joint_counts) for n, each in enumerate(panel, 1)
        ]
        yes = pool_studies(studies, "asthma").questions[0].options[0]
        assert yes.low is not None
        assert yes.high is not None
        hits += yes.low <= SHARE <= yes.high
    assert hits / TIMES < 0.85


def test_what_may_be_common_adds_up() -> None:
    """Errors of different people add as squares, those of the same as they are."""
    weights, variances = np.array([0.25, 0.75]), np.array([4.0, 16.0])
    assert variance_of_sum(weights, variances, is_common=False) == pytest.approx(9.25)
    assert variance_of_sum(weights, variances, is_common=True) == pytest.approx(12.25)
    alone = variance_of_sum(np.ones(1), np.array([-0.5]), is_common=True)
    assert alone == pytest.approx(-0.5)
