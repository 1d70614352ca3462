"""Surveys end once their estimates are precise enough, with several processes on one store."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from deniable_collector import Settings, StopRule, create_collector
from deniable_collector.access import EXTENSION, Collaborators
from deniable_collector.clock import utc_now
from deniable_collector.errors import StoreUnavailable
from deniable_collector.margin_watch import MarginWatch
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import PublishedSurvey, randomize
from deniable_storage.counts import SurveyCounts
from deniable_storage.ends import End, Ending
from live_server import PRECISE, LiveCollector, live_collector
from problem_checks import assert_problem
from sample_definitions import survey, yes_no
from store_samples import reports_of
from there import there

PUBLISHED = survey(yes_no(), slug=PRECISE)
OTHER = survey(yes_no(), slug="other")
ENOUGH = 200
PATIENCE_S = 60


class CountingRule:
    """A rule that is reached with some reports, and remembers what it was asked."""

    def __init__(self, enough: int = ENOUGH) -> None:
        self.enough = enough
        self.looks: list[int] = []
        self.fails = False
        self._looked = threading.Condition()

    @property
    def rule(self) -> StopRule:
        """The rule, for the surveys of this slug."""
        return StopRule(lambda published: published.slug == PRECISE, self._is_reached)

    def wait_for(self, reached: Callable[[], object]) -> None:
        """Come back once this is true, looked at after every look."""
        with self._looked:
            assert self._looked.wait_for(reached, PATIENCE_S), self.looks

    def _is_reached(self, published: PublishedSurvey, counts: SurveyCounts) -> bool:
        assert published == PUBLISHED
        assert counts.blocks.keys() == {block.id for block in PUBLISHED.blocks}
        with self._looked:
            self.looks.append(counts.report_count)
            self._looked.notify_all()
        if self.fails:
            raise ZeroDivisionError
        return counts.report_count >= self.enough


@contextmanager
def watching(store: Store, rule: StopRule) -> Iterator[MarginWatch]:
    """A watch over a store, closed at the end."""
    watch = MarginWatch(store, rule, utc_now)
    try:
        yield watch
    finally:
        watch.close()
        watch.close()


def ending(store: Store) -> Ending:
    """What is recorded of the survey's end."""
    return there(store.find_edition(PUBLISHED.digest)).ending


def wait_until_ended(store: Store) -> None:
    """Come back once an end is recorded."""
    deadline = time.monotonic() + PATIENCE_S
    while ending(store).ended_by is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_survey_ends_once_the_rule_says_so(store: Store, random_source: random.Random) -> None:
    """Not before; then the end is recorded, and no new report is stored."""
    counting = CountingRule()
    for published in (PUBLISHED, OTHER):
        store.publish(published)
    with watching(store, counting.rule) as watch:
        add_reports(store, reports_of(PUBLISHED, ENOUGH - 1, random_source))
        watch.note([PUBLISHED.digest, OTHER.digest, "0" * 64])
        counting.wait_for(lambda: counting.looks == [ENOUGH - 1])
        assert ending(store).ended_by is None
        add_reports(store, reports_of(PUBLISHED, ENOUGH, random_source))
        watch.note([PUBLISHED.digest])
        wait_until_ended(store)
    assert ending(store) == Ending(ended_by=End.MARGIN)
    assert there(store.find_edition(OTHER.digest)).ending == Ending()
    stored = there(store.find_edition(PUBLISHED.digest))
    assert store.refusal(stored, utc_now()) is ReportOutcome.PRECISE


def test_a_survey_is_looked_at_again_once_it_has_a_twentieth_more(
    store: Store, random_source: random.Random
) -> None:
    """Estimating costs something, so few reports more are no reason to."""
    counting = CountingRule(10_000)
    store.publish(PUBLISHED)
    with watching(store, counting.rule) as watch:
        for more in (100, 4, 1):
            add_reports(store, reports_of(PUBLISHED, more, random_source))
            for _ in range(3):
                watch.note([PUBLISHED.digest])
            if more != 4:
                looks = 1 if more == 100 else 2
                counting.wait_for(lambda: len(counting.looks) == looks)  # noqa: B023 - called at once
    assert counting.looks == [100, 105]


def test_a_fault_in_the_rule_stops_neither_the_watch_nor_the_collector(
    store: Store, random_source: random.Random, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged by its class and place, and the next look is a new chance."""
    counting = CountingRule()
    counting.fails = True
    store.publish(PUBLISHED)
    with watching(store, counting.rule) as watch:
        add_reports(store, reports_of(PUBLISHED, ENOUGH, random_source))
        watch.note([PUBLISHED.digest])
        counting.wait_for(lambda: counting.looks == [ENOUGH])
        counting.fails = False
        add_reports(store, reports_of(PUBLISHED, ENOUGH, random_source))
        watch.note([PUBLISHED.digest])
        wait_until_ended(store)
    assert "ZeroDivisionError" in caplog.text


def test_a_store_that_is_away_is_asked_again(
    tmp_path: Path, random_source: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look that the store does not answer is no fault; the next commit is another chance."""
    counting = CountingRule()
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(PUBLISHED)
        add_reports(store, reports_of(PUBLISHED, ENOUGH, random_source))
        asked = threading.Event()

        def fail(_: str) -> None:
            asked.set()
            raise StoreUnavailable("SQLITE_BUSY")

        with watching(store, counting.rule) as watch:
            with monkeypatch.context() as patch:
                patch.setattr(store, "find_edition", fail)
                watch.note([PUBLISHED.digest])
                assert asked.wait(PATIENCE_S)
            watch.note([PUBLISHED.digest])
            counting.wait_for(lambda: counting.looks == [ENOUGH])


def test_two_looks_at_once_record_one_end(store: Store, random_source: random.Random) -> None:
    """Each of several watches may find that it is enough; none is told of a failure."""
    store.publish(PUBLISHED)
    add_reports(store, reports_of(PUBLISHED, ENOUGH, random_source))
    together = threading.Barrier(3, timeout=PATIENCE_S)

    def is_reached(_: PublishedSurvey, counts: SurveyCounts) -> bool:
        together.wait()
        return counts.report_count >= ENOUGH

    rule = StopRule(lambda _: True, is_reached)
    with ExitStack() as stack:
        watches = [stack.enter_context(watching(store, rule)) for _ in range(3)]
        for watch in watches:
            watch.note([PUBLISHED.digest])
        wait_until_ended(store)
    assert ending(store) == Ending(ended_by=End.MARGIN)


@pytest.mark.deep
def test_an_application_applies_its_rule(tmp_path: Path) -> None:
    """Reports that arrive over HTTP end the survey; without a rule nothing watches."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(PUBLISHED)
        app = create_collector(store, Settings(), stop_rule=CountingRule(3).rule)
        using: Collaborators = app.extensions[EXTENSION]
        client = app.test_client()
        statuses: list[int] = []
        while 410 not in statuses:
            body = randomize(PUBLISHED, {}).to_bytes()
            answer = client.post("/api/reports", data=body, content_type="application/json")
            statuses.append(answer.status_code)
        assert set(statuses) == {201, 410}
        assert b'deniable_reports_total{outcome="precise"} 1.0' in using.metrics.to_text()
        using.close()
        without: Collaborators = create_collector(store, Settings()).extensions[EXTENSION]
        assert without.watch is None
        without.close()


@pytest.fixture(params=["sqlite", "postgres"])
def collectors(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[LiveCollector, LiveCollector]]:
    """Two collectors on one store of each kind, one of them with two workers."""
    paths = [tmp_path / "store.sqlite", tmp_path / "second.sqlite"]
    location = str(paths[0])
    if request.param == "postgres":
        location = request.getfixturevalue("postgres_server").schema()
    options = ["--location", location, "--ends-with", str(ENOUGH)]
    with (
        live_collector(paths[0], *options, "--workers", "2") as first,
        live_collector(paths[1], *options) as second,
    ):
        assert first.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
        yield first, second


def test_several_collectors_end_a_survey_and_lose_nothing(
    collectors: tuple[LiveCollector, LiveCollector],
) -> None:
    """What was acknowledged is stored, nothing else is, and the end was the margin."""
    acknowledged: list[int] = []

    def send(collector: LiveCollector) -> None:
        stored = 0
        while True:
            body = randomize(PUBLISHED, {}).to_bytes()
            answer = collector.send("POST", "/api/reports", body)
            if answer.status == 410:
                assert "precise enough" in assert_problem(answer, "survey-closed")
                break
            assert answer.status == 201
            stored += 1
        acknowledged.append(stored)

    threads = [threading.Thread(target=send, args=(each,)) for each in collectors * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(acknowledged) == len(threads)
    answer = collectors[1].send("GET", f"/api/surveys/by-digest/{PUBLISHED.digest}/fieldwork")
    assert answer.document["state"] == "precise"
    results = collectors[0].owner("GET", f"/api/surveys/{PRECISE}/results").document
    assert (results["reports"], results["ended_by"]) == (sum(acknowledged), "margin")
    assert results["reports"] >= ENOUGH
