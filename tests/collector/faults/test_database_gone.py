"""The database server is stopped, killed and shared under load."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

import pytest

from deniable_sdk import randomize
from load import JSON_TYPE, Load, Parcel, send_all
from postgres_server import PostgresServer
from sample_definitions import choice, survey, yes_no
from served import publish, rows_by_id, served

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")


def kill_server(server: PostgresServer) -> None:
    """End all of its processes at once, as a power cut would."""
    numbers = server.freeze()
    for number in numbers:
        os.kill(number, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{number}").exists() for number in numbers):
        assert time.monotonic() < deadline, "the killed server's processes are still listed"
        time.sleep(0.01)


ENDS: dict[str, Callable[[PostgresServer], None]] = {
    "fast": lambda server: server.stop("fast"),
    "immediate": lambda server: server.stop("immediate"),
    "kill -9": kill_server,
}


def end_again_and_again(
    server: PostgresServer, folder: Path, ends: list[str], source: random.Random
) -> None:
    """End the server in these ways under load; check after each, and resend at the end."""
    url = server.schema()
    publish(url, PUBLISHED)
    with (
        served(url, folder, workers=2) as site,
        Load(site.connect, PUBLISHED, seed=source.random()) as load,
    ):
        for end in ends:
            load.wait_for_more(20)
            time.sleep(source.uniform(0, 0.3))
            refused = load.statuses[503]
            ENDS[end](server)
            try:
                load.wait_for(lambda: load.statuses[503] > refused)  # noqa: B023
                assert site.status() == 503
            finally:
                server.start()
            durable = set(load.durable)
            assert durable <= rows_by_id(url, PUBLISHED).keys()
            load.wait_for_more(20)
            assert site.status() == 200
        load.stop()
        kept = rows_by_id(url, PUBLISHED)
        assert load.durable <= kept.keys() <= load.sent.keys()
        assert set(load.new.values()) == {1}
        assert set(load.problems) == {"store-unavailable"}
        assert load.unanswered == 0
        answers = send_all(site.connect, list(load.sent.values()))
        assert answers == (len(load.sent) - len(kept), len(kept))
        assert site.stop() == 0
    assert rows_by_id(url, PUBLISHED) == Counter(load.sent.keys())
    assert "Traceback" not in site.log.read_text()


def test_a_server_that_ends_under_load_loses_nothing_and_is_found_again(
    postgres_server: PostgresServer, tmp_path: Path, random_source: random.Random
) -> None:
    """However it ends, every request is answered, and reports are taken once it is back."""
    end_again_and_again(postgres_server, tmp_path, list(ENDS), random_source)


@pytest.mark.deep
def test_a_server_that_ends_fifty_times_under_load_loses_nothing(
    postgres_server: PostgresServer, tmp_path: Path, random_source: random.Random
) -> None:
    """As above, with each of the ways in turn."""
    ends = [list(ENDS)[number % 3] for number in range(50)]
    end_again_and_again(postgres_server, tmp_path, ends, random_source)


def after(
    begun: threading.Event, connect: Callable[[], HTTPConnection]
) -> Callable[[], HTTPConnection]:
    """The same, but nobody connects before it has begun."""

    def connect_then() -> HTTPConnection:
        begun.wait(60)
        return connect()

    return connect_then


def share(server: PostgresServer, folder: Path, parcels: int, source: random.Random) -> None:
    """Two collectors, 20 clients each, and every parcel to both, in two orders."""
    url = server.schema()
    publish(url, PUBLISHED)
    shared = [
        Parcel(
            [randomize(PUBLISHED, {}, read_bytes=source.randbytes) for _ in range(size)], JSON_TYPE
        )
        for size in source.choices([1, 1, 1, 5], k=parcels)
    ]
    other = folder / "other"
    other.mkdir()

    begun = threading.Event()

    def take_turns(connect: Callable[[], HTTPConnection], turn: int) -> Load:
        order = shared[:: 1 - 2 * turn]
        return Load(after(begun, connect), PUBLISHED, seed=turn, clients=20, parcels=order)

    with (
        served(url, folder) as first,
        served(url, other) as second,
        take_turns(first.connect, 0) as one,
        take_turns(second.connect, 1) as two,
    ):
        # Before the others, so that each collector has something to store.
        for site, parcel in ((first, shared[0]), (second, shared[-1])):
            assert send_all(site.connect, parcel.reports) == (len(parcel.ids), 0)
        begun.set()
        for load in (one, two):
            load.wait_until_all_are_sent()
        assert first.stop() == second.stop() == 0
    ids = [name for parcel in shared for name in parcel.ids]
    assert rows_by_id(url, PUBLISHED) == Counter(ids)
    assert one.durable == two.durable == set(ids)
    # Each report was new to one of both, and known to the other.
    assert one.new + two.new == Counter(ids) - Counter(shared[0].ids + shared[-1].ids)
    assert one.unanswered == two.unanswered == 0


@pytest.mark.deep
def test_two_collectors_that_get_the_same_reports_store_each_once(
    postgres_server: PostgresServer, tmp_path: Path, random_source: random.Random
) -> None:
    """Forty clients send every report to both; exactly the distinct reports are there."""
    share(postgres_server, tmp_path, 120, random_source)


@pytest.mark.deep
def test_two_collectors_store_ten_thousand_shared_parcels_once(
    postgres_server: PostgresServer, tmp_path: Path, random_source: random.Random
) -> None:
    """As above, with more."""
    share(postgres_server, tmp_path, 10_000, random_source)
