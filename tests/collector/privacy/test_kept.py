"""After thousands of marked submissions: no mark anywhere, no time, no order.

The collector is `deniable serve` with two workers behind one proxy; the tests act as this
proxy. Every file that the collector has written is searched while it runs, after the survey
is closed, and after the collector has stopped. For PostgreSQL the whole folder is searched,
including its write-ahead log and the server's own log.
"""

import json
import random
import re
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from canaries import (
    CANARY,
    CLIENTS,
    MarkedClient,
    assert_no_marks,
    files_below,
    files_written_by,
    needles,
)
from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, randomize
from live_server import OWNER_TOKEN, exchange, give_tokens
from order_checks import check_random_order
from postgres_server import PostgresServer
from sample_definitions import choice, survey, yes_no
from sampling_checks import SampleRejected
from served import Served, publish, rows_by_id, served

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", slug="silent")
BEHIND_ONE = {"DENIABLE_PROXIES": "1", "DENIABLE_RATE_LIMIT": "1000000", "DENIABLE_LOG": "json"}
MANY = pytest.mark.deep
Contents = Sequence[tuple[str, bytes]]


@dataclass(frozen=True)
class Filled:
    """A collector that has stopped, and what was found of it before."""

    location: str
    folder: Path
    arrived: Sequence[str]
    in_log: Sequence[str]
    running: Contents
    closed: Contents
    stopped: Contents
    database: Contents
    first: float
    last: float


def send_marked(site: Served, ids: list[str], count: int, source: random.Random) -> None:
    """Send so many reports, one after another, and other things in between; note their ids."""
    with ExitStack() as connections:
        clients = [
            (client, connections.enter_context(closing(client.connect(site))))
            for client in map(MarkedClient, range(CLIENTS))
        ]
        for number in range(count):
            client, connection = clients[number % CLIENTS]
            report = randomize(PUBLISHED, {}, read_bytes=source.randbytes)
            answer = client.send(connection, "POST", "/api/reports", report.to_bytes())
            assert answer.status == 201
            ids.append(report.id)
            if number % 50 == 0:
                send_other_things(*clients[number // 50 % CLIENTS], report.to_bytes())


def send_other_things(client: MarkedClient, connection: object, known: bytes) -> None:
    """Send what is refused, known or not about reports."""
    illegal = {**json.loads(known), "report": CANARY}
    strange = {**json.loads(known), "values": {"asthma": CANARY, CANARY: 1}}
    posts = [known, b"[" + known + b"]", b"{" + CANARY.encode(), CANARY.encode()]
    posts += [json.dumps(document).encode() for document in (illegal, strange)]
    gets = ["/api/surveys/silent", "/s/silent", f"/{CANARY}", "/healthz"]
    gets += [f"/api/surveys/{path}{CANARY}" for path in ("", "by-digest/")]
    for body in posts:
        answer = client.send(connection, "POST", "/api/reports", body)  # type: ignore[arg-type]
        assert answer.status < 500
    lines = {"Content-Type": "application/x-ndjson"}
    client.send(connection, "POST", "/api/reports", b"\n".join(posts), lines)  # type: ignore[arg-type]
    bearer = {"Authorization": f"Bearer {CANARY}"}
    for path in (*gets, f"/api/surveys/silent/results?token={CANARY}", "/metrics"):
        answer = client.send(connection, "GET", path, headers=bearer)  # type: ignore[arg-type]
        assert answer.status < 500


def close_survey(site: Served) -> None:
    """Close the survey as its owner does."""
    bearer = {"Authorization": f"Bearer {OWNER_TOKEN}"}
    with closing(site.connect()) as connection:
        answer = exchange(connection, "POST", "/api/surveys/silent/close", None, bearer)
        assert answer.status == 200, answer.body


def order_in(content: bytes, ids: Sequence[str]) -> list[str]:
    """The ids by where each is found first in some bytes."""
    places = {name: content.find(bytes.fromhex(name)) for name in ids}
    assert min(places.values()) >= 0
    return sorted(ids, key=places.__getitem__)


def ids_by_place(url: str, published: PublishedSurvey) -> list[str]:
    """The ids in the order in which PostgreSQL's table holds them."""
    table = f"reports_silent_{published.digest[:12]}"
    statement = f"SELECT replace(_report::text, '-', '') FROM {table} ORDER BY ctid"  # noqa: S608  our name
    with psycopg.connect(url) as connection:
        return [str(name) for (name,) in connection.execute(statement.encode())]


def database_files(location: str) -> Contents:
    """Every file of PostgreSQL's server, its write-ahead log and its own log included."""
    if not location.startswith("postgresql:"):
        return []
    with psycopg.connect(location, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        found = connection.execute("SHOW data_directory").fetchone()
    assert found is not None
    return list(files_below(Path(found[0]).parent))


def fill(location: str, folder: Path, count: int, source: random.Random) -> Filled:
    """Serve, send, close, stop, and look at everything in between."""
    publish(location, PUBLISHED)
    with closing(open_store(location)) as store:
        give_tokens(store)
    temporary = folder / "temporary"
    temporary.mkdir()
    environment = {**BEHIND_ONE, "TMPDIR": str(temporary)}
    is_file = not location.startswith("postgresql:")
    ids: list[str] = []
    with served(location, folder, workers=2, environment=environment) as site:
        first = time.time()
        send_marked(site, ids, count, source)
        last = time.time()
        running = [*files_below(folder), *files_written_by(site)]
        if is_file:
            in_log = order_in((folder / "store.sqlite-wal").read_bytes(), ids)
        else:
            in_log = ids_by_place(location, PUBLISHED)
        close_survey(site)
        closed = [*files_below(folder), *files_written_by(site)]
        assert site.stop() == 0
    stopped = list(files_below(folder))
    database = database_files(location)
    return Filled(location, folder, ids, in_log, running, closed, stopped, database, first, last)


@pytest.fixture(
    scope="module",
    params=[("sqlite", 600), ("postgres", 600)]
    + [pytest.param((kind, 10_000), marks=MANY) for kind in ("sqlite", "postgres")],
    ids=lambda param: f"{param[0]} {param[1]}",
)
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """A store of each kind that marked clients have filled."""
    kind, count = request.param
    folder = tmp_path_factory.mktemp("silence")
    location = str(folder / "store.sqlite")
    if kind == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres_server")
        location = server.schema()
    return fill(location, folder, count, random.Random(f"silence {count}"))


def is_postgres(filled: Filled) -> bool:
    """Whether the store is in PostgreSQL."""
    return filled.location.startswith("postgresql:")


def test_everything_that_was_sent_is_there(filled: Filled) -> None:
    """The search below is one of a collector that has done its work, in files that are found."""
    assert rows_by_id(filled.location, PUBLISHED).keys() == set(filled.arrived)
    names = " ".join(name for name, _ in filled.running)
    logged = b"".join(content for name, content in filled.database if "/pg_wal/" in name)
    assert (bytes.fromhex(filled.arrived[0]) in logged) == is_postgres(filled)
    assert "served.log" in names
    assert "deniable-metrics-" in names
    assert ("store.sqlite-wal" in names) != is_postgres(filled)
    some = MarkedClient(3)
    for text in (some.agent, *some.addresses):
        with pytest.raises(AssertionError, match=r"in somewhere"):
            assert_no_marks([("somewhere", b"x" + text.encode().upper() + b"y")])
    assert len(needles()) > 100


def test_no_mark_is_in_any_file_or_line(filled: Filled) -> None:
    """Neither while it runs, nor once the survey is closed, nor once it has stopped."""
    for contents in (filled.running, filled.closed, filled.stopped):
        assert_no_marks(contents)
    assert_no_marks(filled.database, are_disguised=False)


def test_the_log_has_the_start_and_the_end_alone(filled: Filled) -> None:
    """However many requests there were, of whatever kind, no line is about them."""
    text = (filled.folder / "served.log").read_text()
    lines = [line for line in text.splitlines() if line.startswith("{")]
    events = [json.loads(line)["event"] for line in lines]
    assert set(events) == {"started", "stopping", "stopped"}
    assert len(events) == 4
    others = [line for line in text.splitlines() if not line.startswith("{")]
    assert all(line.startswith("Survey: http://127.0.0.1:") for line in others)


def has_time(content: bytes) -> bool:
    """Whether a file has a time of day, like 09:30 beside a blank or a T, or 09:30:59.

    Among random bytes it begins at one place in 100 billion, so 1 in 1,300 logs of 75 MB has
    one by chance; two digits, a colon and two digits are in most of them.
    """
    return re.search(rb"[ T]" + _MINUTE + rb"|" + _MINUTE + rb":[0-5]\d", content) is not None


_MINUTE = rb"(?:[01]\d|2[0-3]):[0-5]\d"


@pytest.mark.parametrize(
    "text", ["2026-05-01 09:30", "2026-05-01T23:59:58.123Z", "09:30:59", "at 00:00"]
)
def test_a_time_is_seen(text: str) -> None:
    """Among random bytes; other digits with a colon are no time."""
    assert has_time(b"\xff\x00" + text.encode() + b"\x80")
    assert not has_time(b"\xff92:79\x8024:00:00 25:10")


def test_no_time_of_a_submission_is_kept(filled: Filled) -> None:
    """No date or time of day is in a file, and no second of the sending as a number.

    The workplace has the day on which the survey was closed, with who closed it, and no more.
    """
    kept = [
        (name, content)
        for contents in (filled.running, filled.stopped)
        for name, content in contents
        if "served.log" not in name
    ]
    assert kept
    act = f"{datetime.now(UTC):%Y-%m-%d}tests-ownerclosedsilent".encode()
    seconds = range(int(filled.first), int(filled.last) + 1)
    numbers = [str(int(filled.first))[:7].encode()]
    numbers += [second.to_bytes(8, order) for second in seconds for order in ("big", "little")]
    month = datetime.now(UTC).strftime("%Y-%m").encode()
    for name, content in kept:
        assert not has_time(content), name
        others = content.replace(act, b"") if "-workplace." in name else content
        assert month not in others, name
        assert not any(number in content for number in numbers), name


def test_the_order_in_which_rows_are_read_tells_nothing_of_arrival(filled: Filled) -> None:
    """Whoever selects the rows of a closed survey gets them in an order of the ids alone."""
    selected = list(rows_by_id(filled.location, PUBLISHED))
    check_random_order(filled.arrived, selected)


def test_the_places_of_rows_in_a_closed_survey_tell_nothing_of_arrival(filled: Filled) -> None:
    """Neither the bytes of the file, nor places and transactions in PostgreSQL, tell the order."""
    if is_postgres(filled):
        check_random_order(filled.arrived, ids_by_place(filled.location, PUBLISHED))
        table = f"reports_silent_{PUBLISHED.digest[:12]}"
        with psycopg.connect(filled.location) as connection:
            statement = f"SELECT DISTINCT xmin::text FROM {table}"  # noqa: S608  our name
            assert len(connection.execute(statement.encode()).fetchall()) == 1
        return
    content = (filled.folder / "store.sqlite").read_bytes()
    check_random_order(filled.arrived, order_in(content, filled.arrived))
    logs = {name: len(content) for name, content in filled.closed if name.endswith("-wal")}
    assert set(logs.values()) == {0}


def test_an_order_that_tells_of_arrival_is_seen(filled: Filled) -> None:
    """The log and the table of an open survey hold rows as they came, and the check says so."""
    with pytest.raises(SampleRejected, match="p = "):
        check_random_order(filled.arrived, filled.in_log)


@pytest.mark.parametrize("block", [2, 20])
def test_an_order_that_is_random_but_for_neighbours_is_seen(
    block: int, random_source: random.Random
) -> None:
    """Groups in a random order, each as it arrived, are no random order."""
    arrived = list(range(2_000))
    groups = [arrived[begin : begin + block] for begin in range(0, len(arrived), block)]
    random_source.shuffle(groups)
    with pytest.raises(SampleRejected, match="p = "):
        check_random_order(arrived, [thing for group in groups for thing in group])
    random_source.shuffle(arrived)
    check_random_order(sorted(arrived), arrived)
