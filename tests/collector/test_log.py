"""The public log in every store: in the order of publishing, without gaps, for ever."""

import random
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from http.client import HTTPException
from pathlib import Path

import psycopg

from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.store.backup import back_up
from deniable_collector.store.base import PublishOutcome
from deniable_sdk import PublishedSurvey
from deniable_sdk.log import check_log, head_of
from live_server import LiveCollector, live_collector
from sample_definitions import survey, yes_no
from store_samples import HEALTH, SETS, Open, reports_of

NEXT = survey(yes_no(), epsilon=3)
MANY = [survey(yes_no(), slug=f"survey-{number}") for number in range(40)]
PUBLISHERS = 4


def digests(*surveys: PublishedSurvey) -> tuple[str, ...]:
    """Their digests, in this order."""
    return tuple(each.digest for each in surveys)


def test_the_log_has_each_document_once_in_the_order_of_publishing(
    store: Store, reopen: Open
) -> None:
    """Publishing again, or another document beside an open one, appends nothing."""
    assert store.read_log() == ()
    store.publish(SETS)
    store.publish(HEALTH)
    assert store.publish(SETS).outcome is PublishOutcome.ALREADY_PUBLISHED
    assert store.publish(NEXT).outcome is PublishOutcome.CONFLICT
    assert store.read_log() == digests(SETS, HEALTH)
    store.close_survey("health")
    store.publish(NEXT)
    assert store.publish(HEALTH).outcome is PublishOutcome.ALREADY_PUBLISHED
    store.close()
    with closing(reopen()) as again:
        assert again.read_log() == digests(SETS, HEALTH, NEXT)


def test_closing_and_purging_remove_nothing_from_the_log(
    store: Store, random_source: random.Random
) -> None:
    """What was published once stays in the log."""
    for published in (SETS, HEALTH):
        store.publish(published)
        add_reports(store, reports_of(published, 5, random_source))
        store.close_survey(published.slug)
        store.purge_reports(published.digest)
    assert store.read_log() == digests(SETS, HEALTH)


class Publishers:
    """Threads that publish surveys, each at its collector, and note what was published."""

    def __init__(
        self, collectors: Sequence[LiveCollector], surveys: Sequence[PublishedSurvey], enough: int
    ) -> None:
        self.published: list[str] = []
        self.enough = threading.Event()
        self._enough = enough
        self._threads = [
            threading.Thread(
                target=self._publish,
                args=(collectors[number % len(collectors)], surveys[number::PUBLISHERS]),
            )
            for number in range(PUBLISHERS)
        ]
        for thread in self._threads:
            thread.start()

    def join(self) -> list[str]:
        """The digests that were acknowledged, once all threads have ended."""
        for thread in self._threads:
            thread.join()
        return self.published

    def _publish(self, collector: LiveCollector, surveys: Sequence[PublishedSurvey]) -> None:
        with suppress(OSError, HTTPException):
            for each in surveys:
                answer = collector.owner("POST", "/api/surveys", each.document)
                assert answer.status == 201
                self.published.append(each.digest)
                if len(self.published) >= self._enough:
                    self.enough.set()


def positions(location: str) -> list[int]:
    """The places in the log, as any tool reads them."""
    with closing(open_store(location)) as store:
        entries = len(store.read_log())
    if location.startswith("postgresql:"):
        with psycopg.connect(location) as connection:
            rows = connection.execute("SELECT position FROM log ORDER BY position").fetchall()
    else:
        with closing(sqlite3.connect(location)) as file:
            rows = file.execute("SELECT position FROM log ORDER BY position").fetchall()
    assert len(rows) == entries
    return [position for (position,) in rows]


def test_two_collectors_that_publish_at_once_have_one_log(location: str, tmp_path: Path) -> None:
    """Each survey has a place of its own, without gaps, and both serve the same chain."""
    with ExitStack() as stack:
        collectors = [
            stack.enter_context(
                live_collector(tmp_path / f"{name}.sqlite", "--location", location)
            )
            for name in ("one", "other")
        ]
        published = Publishers(collectors, MANY, len(MANY)).join()
        bodies = [collector.send("GET", "/log").body for collector in collectors]
        assert bodies[0] == bodies[1]
        log = check_log(bodies[0])
    assert sorted(log.entries) == sorted(published) == sorted(digests(*MANY))
    assert positions(location) == list(range(1, len(MANY) + 1))


def test_a_collector_that_is_killed_has_logged_what_it_published(
    location: str, tmp_path: Path
) -> None:
    """Surveys and log are one transaction: after kill -9 they name the same, and go on."""
    with live_collector(tmp_path / "one.sqlite", "--location", location) as collector:
        publishers = Publishers([collector], MANY, enough=10)
        assert publishers.enough.wait(120)
        collector.kill()
        acknowledged = publishers.join()
    assert 10 <= len(acknowledged) < len(MANY)
    with closing(open_store(location)) as store:
        before = store.read_log()
        assert set(acknowledged) <= set(before)
        assert sorted(before) == sorted(each.survey.digest for each in store.list_surveys())
        for each in MANY:
            store.publish(each)
        log = store.read_log()
        assert log[: len(before)] == before
        assert sorted(log) == sorted(digests(*MANY))
    assert positions(location) == list(range(1, len(MANY) + 1))


def test_a_backup_has_the_log(tmp_path: Path) -> None:
    """A restored store shows the chain that it had, and continues it."""
    path, copy = tmp_path / "store.sqlite", tmp_path / "copy.sqlite"
    with closing(open_store(path)) as store:
        store.publish(SETS)
        store.publish(HEALTH)
        back_up(str(path), copy)
        store.publish(MANY[0])
        log = store.read_log()
    with closing(open_store(copy)) as restored:
        assert restored.read_log() == log[:2]
        restored.publish(MANY[0])
        assert head_of(restored.read_log()) == head_of(log)
