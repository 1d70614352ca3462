"""Whether the results of a survey are precise enough to close it."""

import math
import random
import time
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deniable_analysis import open_study
from deniable_analysis.simulation import simulate_survey
from deniable_analysis.study import Study
from deniable_collector import Settings, StopRule, create_collector
from deniable_collector.api import JSON_TYPE
from deniable_collector.app import opened
from deniable_collector.problems import PROBLEMS
from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, randomize
from deniable_storage.counts import SurveyCounts
from deniable_web.results.stop_rule import has_stop_rule, is_precise
from sample_definitions import choice, multiple, scale, survey, yes_no
from score_samples import score

# Kinds of blocks: the questions, the crosstabs, and the question whose shares are looked at.
KINDS: dict[str, tuple[list[Any], list[list[str]], str]] = {
    "two options": ([yes_no(required=True)], [], "asthma"),
    "sets of options": ([choice(options=12)], [], "region"),
    "one crosstab": ([yes_no("a"), scale("b")], [["a", "b"]], "a"),
    "several blocks": ([yes_no("a"), scale("b"), choice("c")], [["a", "b"], ["a", "c"]], "a"),
    "sampled bits": ([multiple(options=8, mechanism="sampled_bits")], [], "drugs"),
    "sets of chosen options": ([multiple(options=8, at_most=2, mechanism="privset")], [], "drugs"),
    "routed": ([yes_no("a"), choice("c", show_if={"question": "a", "is": "yes"})], [], "c"),
}


def made(kind: str, margin: float, **more: Any) -> PublishedSurvey:
    """The survey of a kind that closes with this margin."""
    questions, crosstabs, looked_at = KINDS[kind]
    rule = {"margin": margin, "questions": [looked_at]}
    fixed = {"epsilon": 4, "ask": "all", "stop_when": rule}
    return survey(*questions, crosstabs=crosstabs, **fixed, **more)


def studied(
    asked: PublishedSurvey, respondents: int, answers: Mapping[str, Any] | None = None
) -> Study:
    """The study of so many people, who answer by chance unless their answers are given."""
    generator = np.random.default_rng(1965)
    drawn: dict[str, Any] = {}
    for question in asked.reported:
        indexes = generator.integers(0, len(question.names), respondents)
        is_list = question.accepts_several
        drawn[question.id] = (
            np.eye(len(question.names), dtype=bool)[indexes] if is_list else indexes
        )
    return simulate_survey(asked, {**drawn, **(answers or {})}, generator)


def widest(study: Study, question: str, interval: str = "anytime") -> float:
    """Half of the widest interval of a question's shares."""
    (found,) = study.estimate(question, interval=interval).questions
    return max((option.high - option.low) / 2 for option in found.options)  # type: ignore[operator]


def counts_of(study: Study) -> SurveyCounts:
    """The counts of all blocks of a study."""
    return study.count(study.survey.blocks)


@pytest.mark.parametrize("more", [{}, {"respondents": 40_000}], ids=["", "expected"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_survey_is_precise_when_its_widest_interval_is(kind: str, more: Any) -> None:
    """With the next larger margin it is, and with the next smaller one it is not."""
    study = studied(made(kind, 0.1, **more), 5_000)
    looked_at = KINDS[kind][2]
    (found,) = study.estimate(looked_at).questions
    assert len(found.blocks) == (2 if kind == "several blocks" else 1)
    half = widest(study, looked_at)
    enough, too_small = (rounded(half * 10_000) / 10_000 for rounded in (math.ceil, math.floor))
    assert is_precise(made(kind, enough, **more), counts_of(study))
    assert not is_precise(made(kind, too_small, **more), counts_of(study))
    # An interval for one look would have been narrow enough.
    assert widest(study, looked_at, "wilson") < too_small


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("respondents", [0, 1, 5])
def test_a_survey_with_few_reports_is_not_precise(kind: str, respondents: int) -> None:
    """A share without an interval has no margin, and a few reports have a wide one."""
    asked = made(kind, 0.49)
    assert not is_precise(asked, counts_of(studied(asked, respondents)))


def test_only_the_named_questions_count() -> None:
    """A question that is not named may be as uncertain as it likes; one that is may not."""

    def named(*names: str, margin: float = 0.1) -> PublishedSurvey:
        rule = {"margin": margin, "questions": list(names)}
        return survey(yes_no("a"), choice("b", 40), epsilon=4, ask="all", stop_when=rule)

    study = studied(named("a"), 8_000)
    between = round((widest(study, "a") + widest(study, "b")) / 2, 4)
    assert widest(study, "a") < between < widest(study, "b")
    assert is_precise(named("a", margin=between), counts_of(study))
    assert not is_precise(named("a", "b", margin=between), counts_of(study))


def test_the_widest_interval_depends_on_the_answers() -> None:
    """Where nearly all agree, fewer reports are enough than where they are divided."""
    size = 20_000

    def three(margin: float) -> PublishedSurvey:
        return survey(choice(required=True), epsilon=4, stop_when={"margin": margin})

    agreed = studied(three(0.1), size, {"region": np.zeros(size, np.int64)})
    divided = studied(three(0.1), size, {"region": np.arange(size) % 2})
    between = three(round((widest(agreed, "region") + widest(divided, "region")) / 2, 4))
    assert is_precise(between, counts_of(agreed))
    assert not is_precise(between, counts_of(divided))


def test_a_question_that_nobody_was_asked_is_not_precise() -> None:
    """Devices draw a question of two; while none drew the second, the survey goes on."""
    asked = survey(yes_no("a"), yes_no("b"), epsilon=4, ask=1, stop_when={"margin": 0.4})
    counts = counts_of(studied(asked, 5_000))
    assert is_precise(asked, counts)
    empty = counts_of(studied(asked, 0)).blocks["b"]
    without = SurveyCounts(counts.report_count, {**counts.blocks, "b": empty})
    assert not is_precise(asked, without)


def test_bands_of_a_score_are_shares() -> None:
    """They count like options."""
    asked = survey(score(), epsilon=4, stop_when={"margin": 0.1})
    assert is_precise(asked, counts_of(studied(asked, 5_000)))


def test_the_rule_applies_only_where_a_survey_has_it() -> None:
    """A window alone is no rule, and a survey without one is never precise."""
    ruled = made("two options", 0.03)
    windowed, plain = survey(closes="2040-01-01T00:00Z"), survey()
    assert [has_stop_rule(each) for each in (ruled, windowed, plain)] == [True, False, False]
    for each in (windowed, plain):
        assert not is_precise(each, counts_of(studied(each, 20_000)))


@pytest.mark.deep
def test_a_collector_with_this_rule_closes_the_survey(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Reports arrive over HTTP until the shares are precise enough, and then no more."""
    path = tmp_path / "store.sqlite"
    asked = made("two options", 0.15)
    rule = StopRule(has_stop_rule, is_precise)
    create = partial(create_collector, settings=Settings(), stop_rule=rule)
    with closing(open_store(path)) as store:
        store.publish(asked)
    reported = partial(randomize, asked, {"asthma": True}, read_bytes=random_source.randbytes)
    with opened(partial(open_store, path), create) as app:
        client = app.test_client()
        fieldwork = f"/api/surveys/by-digest/{asked.digest}/fieldwork"
        deadline = time.monotonic() + 60
        while client.get(fieldwork).get_json()["state"] == "open":
            assert time.monotonic() < deadline
            for _ in range(20):
                client.post("/api/reports", data=reported().to_bytes(), content_type=JSON_TYPE)
        assert client.get(fieldwork).get_json()["state"] == "precise"
        late = client.post("/api/reports", data=reported().to_bytes(), content_type=JSON_TYPE)
        assert late.status_code == PROBLEMS["survey-closed"].status
    assert is_precise(asked, counts_of(open_study(str(path))))
