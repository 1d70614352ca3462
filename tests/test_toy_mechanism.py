"""A mechanism from the tests' folder alone goes all the way, by one line for each part."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import toy
from channel_checks import assert_accepts_exactly_the_outputs, spent_ratio, worst_ratio
from deniable_analysis import open_study
from deniable_analysis.estimate.mechanisms import block_likelihood
from deniable_analysis.planning import planned_estimates, unit_variance
from deniable_analysis.privacy import guess_with_report
from deniable_analysis.simulation import simulate_survey
from deniable_collector import add_reports, open_store
from deniable_sdk import InvalidDefinition, PublishedSurvey, randomize, theory
from deniable_sdk.client import ReportPreview
from deniable_sdk.mechanisms.base import Target
from live_server import ANALYST_TOKEN, LiveCollector, give_tokens
from sample_definitions import choice, survey
from started import started

QUESTION = choice("region", 3, required=True, mechanism="toy")
ANSWERS = ["o0"] * 300 + ["o1"] * 90 + ["o2"] * 10


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """The mechanism is known while a test runs."""
    toy.register()
    yield
    toy.unregister()


def test_without_its_lines_it_is_unknown() -> None:
    """The test would find a mechanism that needs no registration."""
    document = survey(QUESTION).document
    toy.unregister()
    try:
        with pytest.raises(InvalidDefinition, match="toy"):
            survey(QUESTION)
        with pytest.raises(ValueError, match="toy"):
            PublishedSurvey.from_bytes(document)
    finally:
        toy.register()


def test_the_definition_and_its_channel() -> None:
    """An author names it; the survey keeps it, and its channel spends what it says."""
    published = survey(QUESTION)
    (block,) = PublishedSurvey.from_bytes(published.document).blocks
    assert block.mechanism == published.blocks[0].mechanism
    assert block.mechanism.name == "toy"
    assert_accepts_exactly_the_outputs(block.mechanism)
    assert worst_ratio(block.mechanism) == spent_ratio(block.mechanism)
    assert "reports the answer" in theory.describe(block.mechanism)
    report = randomize(published, {"region": "o1"})
    assert (
        ReportPreview.of(report, published, "en").words[0].startswith("Where? Reported: one of: o")
    )


def test_reports_are_collected_and_estimated(tmp_path: Path) -> None:
    """Over real HTTP into a store, and back as shares whose intervals contain the truth."""
    published = survey(QUESTION, epsilon=6)
    path = tmp_path / "store.sqlite"
    store = open_store(path)
    store.publish(published)
    give_tokens(store)
    reports = [randomize(published, {"region": answer}) for answer in ANSWERS]
    add_reports(store, reports[1:])
    store.close()
    with started(toy.serve, [str(path)], path.with_suffix(".log"), {}) as (url, process):
        collector = LiveCollector(url, path, path.with_suffix(".log"), process)
        sent = collector.send("POST", "/api/reports", reports[0].to_bytes())
        assert sent.status == 201, sent.body
        found = open_study(f"{url}/s/health", token=ANALYST_TOKEN).estimate()
    (question,) = found.questions
    assert question.reports == len(ANSWERS)
    for option in question.options:
        true = ANSWERS.count(option.option) / len(ANSWERS)
        assert option.share is not None
        assert option.standard_error is not None
        # Six standard errors are left by chance in two of 10^9 runs.
        assert abs(option.share - true) < 6 * option.standard_error


def test_simulation_likelihood_planning_and_guessing() -> None:
    """Everything else that asks a mechanism asks its record."""
    published = survey(QUESTION)
    (block,) = published.blocks
    channel = np.array(list(theory.channel(block.mechanism).values()), dtype=np.float64)
    np.testing.assert_allclose(block_likelihood(block, np.arange(3)), channel)
    study = simulate_survey(published, {"region": np.zeros(20_000, int)}, np.random.default_rng(7))
    (question,) = study.estimate().questions
    assert question.options[0].share == pytest.approx(1, abs=0.05)
    (planned,) = planned_estimates(block, Target.SHARES)
    assert planned.unit_variance == unit_variance(block.mechanism)  # type: ignore[arg-type]  # the protocol knows no toys
    keep = theory.channel(block.mechanism)["0"][0]
    assert guess_with_report(block.mechanism) == keep
