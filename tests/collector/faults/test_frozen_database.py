"""The database server is frozen: requests fail in time, and work again afterwards."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import pytest

from deniable_collector.errors import StoreUnavailable
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import randomize
from load import Load, send_all
from postgres_server import PostgresServer
from sample_definitions import choice, survey, yes_no
from served import Served, publish, rows_by_id, served

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
# By these anybody gives up; what takes longer fails here.
REQUEST_TIMEOUT_S = 15
HEALTH_TIMEOUT_S = 3


@contextmanager
def frozen(server: PostgresServer) -> Iterator[None]:
    """A block in which no process of the server runs."""
    numbers = server.freeze()
    try:
        yield
    finally:
        server.thaw(numbers)


def status_in_time(site: Served, path: str, timeout_s: float, method: str = "GET") -> int:
    """How a request is answered; who asks does not wait longer than this."""
    with closing(site.connect()) as asking:
        connection = HTTPConnection(asking.host, asking.port, timeout=timeout_s)
        with closing(connection):
            connection.request(method, path)
            response = connection.getresponse()
            response.read()
            return response.status


def ask_all(site: Served, paths: list[str]) -> list[int]:
    """How requests that are sent at the same moment are answered."""
    found: list[int] = []
    threads = [
        Thread(
            target=lambda path=path: found.append(status_in_time(site, path, REQUEST_TIMEOUT_S))
        )
        for path in paths
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.deep
def test_everybody_is_answered_while_the_server_is_frozen_and_nothing_is_lost(
    postgres_server: PostgresServer, tmp_path: Path, random_source: random.Random
) -> None:
    """503 in time under load, for health too; afterwards the same collector goes on."""
    url = postgres_server.schema()
    publish(url, PUBLISHED)

    def connect() -> HTTPConnection:
        with closing(site.connect()) as known:
            return HTTPConnection(known.host, known.port, timeout=REQUEST_TIMEOUT_S)

    with (
        served(url, tmp_path) as site,
        Load(connect, PUBLISHED, seed=random_source.random()) as load,
    ):
        load.wait_for_more(20)
        assert status_in_time(site, "/healthz", HEALTH_TIMEOUT_S) == 200
        with frozen(postgres_server):
            for _ in range(4):
                assert status_in_time(site, "/healthz", HEALTH_TIMEOUT_S) == 503
            pages = [
                f"/api/surveys/{PUBLISHED.slug}",
                f"/api/surveys/by-digest/{PUBLISHED.digest}",
            ]
            assert set(ask_all(site, pages * 20)) == {503}
            goal = load.statuses[503] + 5
            load.wait_for(lambda: load.statuses[503] >= goal)
        load.wait_for_more(20)
        load.stop()
        assert load.unanswered == 0
        assert set(load.problems) == {"store-unavailable"}
        kept = rows_by_id(url, PUBLISHED)
        assert load.durable <= kept.keys() <= load.sent.keys()
        assert status_in_time(site, "/healthz", HEALTH_TIMEOUT_S) == 200
        new, known = send_all(site.connect, list(load.sent.values()))
        assert new + known == len(load.sent)
        assert site.stop() == 0
    assert rows_by_id(url, PUBLISHED) == Counter(load.sent.keys())


USES: dict[str, Callable[[Store], object]] = {
    "check": lambda store: store.check(),
    "read": lambda store: store.list_surveys(),
    "store": lambda store: add_reports(store, [randomize(PUBLISHED, {})]),
    "publish": lambda store: store.publish(survey(yes_no(), slug="other")),
    "close": lambda store: store.close_survey(PUBLISHED.slug),
}


@pytest.mark.deep
@pytest.mark.parametrize("use", USES)
def test_every_use_of_a_frozen_server_ends(postgres_server: PostgresServer, use: str) -> None:
    """It is told that nobody answers, and works once somebody does."""
    with closing(open_store(postgres_server.schema())) as store:
        store.publish(PUBLISHED)
        with (
            frozen(postgres_server),
            pytest.raises(StoreUnavailable, match=r"does not answer|in time"),
        ):
            USES[use](store)
        deadline = time.monotonic() + 60
        while True:
            try:
                store.check()
                break
            except StoreUnavailable:
                assert time.monotonic() < deadline
        known = randomize(PUBLISHED, {})
        assert add_reports(store, [known])[0] in (ReportOutcome.STORED, ReportOutcome.CLOSED)
