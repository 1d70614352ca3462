"""A type of question from the tests' folder alone goes all the way, by one line."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import toy
from deniable_analysis import open_study
from deniable_analysis.simulation import simulate_survey
from deniable_collector import add_reports, open_store
from deniable_sdk import InvalidAnswer, InvalidDefinition, PublishedSurvey, randomize
from deniable_sdk.client import ReportPreview
from deniable_sdk.survey.definition import Definition
from deniable_web.builder.from_published import definition_of
from deniable_web.forecast.survey import forecast
from deniable_web.pages.form.languages import offered_languages
from deniable_web.pages.form.questions import view_question
from deniable_web.simulation.respondents import SimulatedRespondents
from live_server import ANALYST_TOKEN, LiveCollector, give_tokens
from sample_definitions import survey
from started import started
from toy.questions import MONTHS

QUESTION = {"id": "born", "type": "month", "text": "In which month were you born?"}
ANSWERS = ["3"] * 300 + ["12"] * 100


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """The type is known while a test runs."""
    toy.register()
    yield
    toy.unregister()


def test_without_its_line_it_is_unknown() -> None:
    """The test would find a type that needs no registration."""
    document = survey(QUESTION).document
    toy.unregister()
    try:
        with pytest.raises(InvalidDefinition, match="month"):
            survey(QUESTION)
        with pytest.raises(ValueError, match="type"):
            PublishedSurvey.from_bytes(document)
    finally:
        toy.register()


def test_the_definition_and_the_published_survey() -> None:
    """It is read, written and read again; an answer that does not fit is refused."""
    published = survey(QUESTION)
    assert PublishedSurvey.from_bytes(published.document) == published
    assert definition_of(published)["questions"] == [{**QUESTION, "required": False}]
    with pytest.raises(InvalidAnswer, match="the months from 1 to 12"):
        randomize(published, {"born": "13"})
    report = randomize(published, {"born": 3})
    assert (
        ReportPreview.of(report, published, "en")
        .words[0]
        .startswith("In which month were you born?")
    )


def test_the_page_offers_its_answers() -> None:
    """A form needs nothing for a type whose answer is one of its options."""
    (question,) = survey(QUESTION).questions
    (*_, language) = offered_languages()
    view = view_question(question, language)
    assert [choice.value for choice in view.choices] == [*MONTHS, "no_answer"]
    assert view.is_single


def test_reports_are_collected_and_estimated(tmp_path: Path) -> None:
    """Over real HTTP into a store, and back as shares whose intervals contain the truth."""
    published = survey(QUESTION, epsilon=6)
    path = tmp_path / "store.sqlite"
    store = open_store(path)
    store.publish(published)
    give_tokens(store)
    table = tmp_path / "people.csv"
    table.write_text("\n".join(["born", *ANSWERS]) + "\n")
    first, *others = SimulatedRespondents.read(table, published).reports()
    add_reports(store, others)
    store.close()
    with started(toy.serve, [str(path)], path.with_suffix(".log"), {}) as (url, process):
        collector = LiveCollector(url, path, path.with_suffix(".log"), process)
        sent = collector.send("POST", "/api/reports", first.to_bytes())
        assert sent.status == 201, sent.body
        found = open_study(f"{url}/s/health", token=ANALYST_TOKEN).estimate(confidence=1 - 1e-7)
    (question,) = found.questions
    assert question.type == "month"
    assert question.reports == len(ANSWERS)
    for option in question.options:
        assert option.low is not None
        assert option.high is not None
        # Each of the 13 misses the truth by chance in one of 10^7 runs.
        assert option.low <= ANSWERS.count(option.option) / len(ANSWERS) <= option.high


def test_simulation_and_forecast() -> None:
    """A simulated study finds what was put in, and a forecast has a margin for it."""
    published = survey(QUESTION)
    study = simulate_survey(published, {"born": np.full(20_000, 2)}, np.random.default_rng(7))
    (question,) = study.estimate().questions
    assert question.options[2].share == pytest.approx(1, abs=0.05)
    document = {"title": "T", "slug": "t", "epsilon": 1, "questions": [QUESTION]}
    (block,) = forecast(Definition.from_document(document), 1000).blocks
    margin = block.estimates[0].margin
    assert margin is not None
    assert margin > 0
