"""Surveys that end under load: nothing acknowledged is lost, and nothing late is stored."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from deniable_sdk import PublishedSurvey, Report, randomize
from live_server import PRECISE, LiveCollector, exchange, live_collector
from sample_definitions import survey, yes_no
from sampled_params import sampled_params
from served import rows_by_id

ENOUGH = 400
CLIENTS = 6
REFUSED_EACH = 15
DURING, AFTER = "2031-03-02T09:00:00", "2031-03-09T09:00:00"
SURVEYS = {
    "by date": survey(yes_no(), slug="dated", closes="2031-03-08T09:00Z"),
    "by number": survey(yes_no(), slug="counted", at_most_reports=ENOUGH),
    "by margin": survey(yes_no(), slug=PRECISE, stop_when={"margin": 0.1}),
}


@dataclass
class Ending:
    """Clients that send until the survey has ended for each of them.

    Args:
        collector: where they send.
        published: what they answer.
        acknowledged: the ids of the reports that were accepted.
        late: those whose request began after somebody knew that the survey had ended.
        accepted_late: the ids of late ones that were accepted.
    """

    collector: LiveCollector
    published: PublishedSurvey
    acknowledged: set[str] = field(default_factory=set)
    late: set[str] = field(default_factory=set)
    accepted_late: set[str] = field(default_factory=set)
    failures: list[BaseException] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    progress: threading.Condition = field(default_factory=threading.Condition)

    def run(self, seed: float, meanwhile: Callable[["Ending"], None]) -> None:
        """Send until everybody is refused; meanwhile something else happens."""
        threads = [
            threading.Thread(target=self._send_until_refused, args=(random.Random(f"{seed}/{n}"),))
            for n in range(CLIENTS)
        ]
        for thread in threads:
            thread.start()
        try:
            meanwhile(self)
        finally:
            for thread in threads:
                thread.join()
        assert not self.failures, self.failures

    def wait_for(self, count: int) -> None:
        """Come back once so many reports are acknowledged."""
        with self.progress:
            assert self.progress.wait_for(lambda: len(self.acknowledged) >= count, timeout=120)

    def _send_until_refused(self, source: random.Random) -> None:
        try:
            refused = 0
            with closing(self.collector.connect()) as connection:
                while refused < REFUSED_EACH or not self.ended.is_set():
                    reports = [
                        randomize(self.published, {}, read_bytes=source.randbytes)
                        for _ in range(source.choice((1, 1, 1, 9)))
                    ]
                    is_late = self.ended.is_set()
                    body = b"[" + b",".join(each.to_bytes() for each in reports) + b"]"
                    answer = exchange(
                        connection,
                        "POST",
                        "/api/reports",
                        body,
                        {"Content-Type": "application/json"},
                    )
                    statuses = [each["status"] for each in answer.document["results"]]
                    refused += self._record(reports, statuses, is_late=is_late)
        except BaseException as failure:  # noqa: BLE001  raised by run
            self.failures.append(failure)

    def _record(self, reports: list[Report], statuses: list[int], *, is_late: bool) -> int:
        assert set(statuses) <= {201, 410}, statuses
        taken = {each.id for each, status in zip(reports, statuses, strict=True) if status == 201}
        with self.progress:
            self.acknowledged |= taken
            if is_late:
                self.late |= {each.id for each in reports}
                self.accepted_late |= taken
            self.progress.notify_all()
        if 410 in statuses and self.published.slug != "dated":
            self.ended.set()
        return statuses.count(410)


def set_clock(clock: Path, moment: str) -> None:
    """Make it this time, in UTC."""
    new = clock.with_suffix(".new")
    new.write_text(f"{moment}+00:00")
    new.rename(clock)


def pass_the_date(ending: Ending, clock: Path) -> None:
    """The clock reaches the end of the survey while reports arrive."""
    ending.wait_for(ENOUGH)
    set_clock(clock, AFTER)
    ending.ended.set()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A file for the collector, and the location of its store."""
    store = tmp_path / "store.sqlite"
    if request.param == "sqlite":
        yield store, str(store)
    else:
        yield store, request.getfixturevalue("postgres_server").schema()


@pytest.mark.sweep
@pytest.mark.parametrize("kind", sampled_params(list(SURVEYS), 2))
def test_a_survey_that_ends_under_load_keeps_what_it_acknowledged(
    place: tuple[Path, str], tmp_path: Path, random_source: random.Random, kind: str
) -> None:
    """Two processes take reports of six clients until the end, and nothing that began later."""
    file, location = place
    published, clock = SURVEYS[kind], tmp_path / "clock"
    set_clock(clock, DURING)
    options = ["--location", location, "--clock", str(clock), "--workers", "2"]
    with live_collector(file, *options, "--ends-with", str(ENOUGH)) as collector:
        assert collector.owner("POST", "/api/surveys", published.document).status == 201
        ending = Ending(collector, published)
        is_dated = kind == "by date"
        meanwhile = partial(pass_the_date, clock=clock) if is_dated else lambda _: None
        ending.run(random_source.random(), meanwhile)
        assert len(ending.late) >= CLIENTS
        assert not ending.accepted_late
        path = f"/api/surveys/by-digest/{published.digest}/fieldwork"
        states = {"by date": "over", "by number": "full", "by margin": "precise"}
        assert collector.send("GET", path).document["state"] == states[kind]
        assert collector.stop() == 0
    assert rows_by_id(location, published) == Counter(ending.acknowledged)
    assert len(ending.acknowledged) >= ENOUGH
    # Each of the two processes can have one commit on its way when the last report arrives.
    if kind == "by number":
        assert len(ending.acknowledged) <= ENOUGH + 2 * 9 * CLIENTS


def test_a_clock_that_jumps_under_load_loses_nothing(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Past the end, back into the window, and past the end again."""
    published, clock = SURVEYS["by date"], tmp_path / "clock"
    set_clock(clock, DURING)
    file = tmp_path / "store.sqlite"
    with live_collector(file, "--clock", str(clock)) as collector:
        assert collector.owner("POST", "/api/surveys", published.document).status == 201

        def jump(ending: Ending) -> None:
            for turn in range(1, 4):
                ending.wait_for(turn * ENOUGH // 4)
                set_clock(clock, AFTER)
                late = randomize(published, {}, read_bytes=random_source.randbytes)
                answer = collector.send("POST", "/api/reports", late.to_bytes())
                assert answer.status == 410
                set_clock(clock, DURING)
            pass_the_date(ending, clock)

        ending = Ending(collector, published)
        ending.run(random_source.random(), jump)
        assert not ending.accepted_late
    assert rows_by_id(file, published) == Counter(ending.acknowledged)
