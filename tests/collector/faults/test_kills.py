"""kill -9 at random moments under load: no report is lost or stored twice, or let out early."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from http.client import HTTPException
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_analysis.errors import ResultsSealed
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import PublishedSurvey, Report
from ending_surveys import found
from load import Load, send_all
from postgres_server import PostgresServer
from sample_definitions import choice, survey, yes_no
from served import Served, publish, rows_by_id, served
from tally_checks import check_tally

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
LONGEST_S = 0.8


class Ledger:
    """What all clients ever sent, and what they were told is durable."""

    def __init__(self, location: str | Path, published: PublishedSurvey) -> None:
        self._location = location
        self._published = published
        self.sent: dict[str, Report] = {}
        self.durable: set[str] = set()
        self.new: Counter[str] = Counter()

    def add(self, load: Load) -> None:
        """Take what clients know once they have ended."""
        self.sent |= load.sent
        self.durable |= load.durable
        self.new += load.new

    def check_kept(self) -> int:
        """How many reports are stored, once what was acknowledged was found, once each.

        The tally is that of the rows, wherever the kill hit.
        """
        kept = rows_by_id(self._location, self._published)
        check_tally(str(self._location), self._published)
        assert set(kept.values()) <= {1}
        lost = self.durable - kept.keys()
        assert not lost, f"{len(lost)} of {len(self.durable)} acknowledged reports are lost"
        assert kept.keys() <= self.sent.keys()
        assert set(self.new.values()) <= {1}
        return len(kept)

    def check_complete(self) -> None:
        """Nothing, if exactly the reports that were ever sent are stored."""
        assert rows_by_id(self._location, self._published) == Counter(self.sent.keys())


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store of each kind is."""
    if request.param == "sqlite":
        return str(tmp_path / "store.sqlite")
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return server.schema()


def wait_a_moment(source: random.Random) -> None:
    """Let work go on, for a time that is drawn."""
    time.sleep(source.uniform(0, LONGEST_S))


def kill_one(site: Served, load: Load, source: random.Random) -> None:
    """Kill one of the workers at a random moment, and see another take its place."""
    load.wait_for_more(1)
    wait_a_moment(source)
    before = set(site.workers())
    victim = source.choice(sorted(before))
    os.kill(victim, signal.SIGKILL)
    load.wait_for(lambda: len(site.workers()) == 2 and victim not in site.workers())
    assert before - set(site.workers()) == {victim}
    assert site.status("/metrics") == 200


def kill_all(site: Served, load: Load, source: random.Random) -> None:
    """Kill all processes at a random moment."""
    load.wait_for_more(1)
    wait_a_moment(source)
    load.do_not_try_again()
    site.kill()
    load.stop()


def kill_again_and_again(
    location: str, folder: Path, rounds: Sequence[int], source: random.Random
) -> None:
    """In each round of so many workers kill one of several, and then all.

    What is stored is checked after every round, and all is resent at the end.
    """
    publish(location, PUBLISHED)
    ledger = Ledger(location, PUBLISHED)
    for workers in rounds:
        with served(location, folder, workers=workers) as site:
            with Load(site.connect, PUBLISHED, seed=source.random()) as load:
                if workers > 1:
                    kill_one(site, load, source)
                kill_all(site, load, source)
            ledger.add(load)
        ledger.check_kept()
    with served(location, folder) as site:
        kept = ledger.check_kept()
        answers = send_all(site.connect, list(ledger.sent.values()))
        assert answers == (len(ledger.sent) - kept, kept)
        assert site.stop() == 0
    ledger.check_complete()
    assert len(ledger.durable) > len(rounds)


def test_what_was_acknowledged_survives_kill_9(
    location: str, tmp_path: Path, random_source: random.Random
) -> None:
    """One worker is killed, then all; what was acknowledged is there once, and nothing twice."""
    kill_again_and_again(location, tmp_path, [2], random_source)


@pytest.mark.deep
def test_what_was_acknowledged_survives_fifty_times_kill_9(
    location: str, tmp_path: Path, random_source: random.Random
) -> None:
    """Fifty times on one store, and not one report is lost or doubled."""
    kill_again_and_again(location, tmp_path, [1, 1, 2] * 12 + [1, 2], random_source)


SEALED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", results="at_end")
RESULTS = ("/api/surveys/health/results", "/api/surveys/health/tuples?blocks=asthma")


def answers_to(site: Served, token: str, stopping: threading.Event, told: Counter[int]) -> None:
    """Count how somebody is answered who asks for results again and again."""
    while not stopping.is_set():
        for path in RESULTS:
            try:
                with closing(site.connect()) as connection:
                    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
                    response = connection.getresponse()
                    response.read()
                    told[response.status] += 1
            except (OSError, HTTPException):
                time.sleep(0.01)


@pytest.mark.parametrize("rounds", [1, pytest.param(20, marks=pytest.mark.deep)])
def test_kills_bring_out_no_result_of_a_sealed_survey(
    location: str, tmp_path: Path, random_source: random.Random, rounds: int
) -> None:
    """Its owner asks all the time; in the end it is as good as one that closed by date."""
    publish(location, SEALED)
    token, told = make_token(Role.OWNER), Counter[int]()
    with closing(open_store(location)) as store:
        store.add_token(AccessToken("anna", Role.OWNER), digest_of(token))
    for _ in range(rounds):
        stopping = threading.Event()
        with served(location, tmp_path) as site:
            asking = threading.Thread(target=answers_to, args=(site, token, stopping, told))
            asking.start()
            with Load(site.connect, SEALED, seed=random_source.random()) as load:
                kill_all(site, load, random_source)
            stopping.set()
            asking.join()
        with closing(open_store(location)) as store:
            assert not found(store, SEALED).ending.is_given_out
        with pytest.raises(ResultsSealed):
            open_study(location, "health").estimate()
    assert told.keys() == {403}
    with closing(open_store(location)) as store:
        store.close_survey("health")
    study = open_study(location, "health")
    assert study.report_count == len(rows_by_id(location, SEALED))
    assert study.fieldwork().has_planned_end
