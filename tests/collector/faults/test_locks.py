"""Another program has locks: health says so, every request ends in time, nothing is lost."""

import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep

import psycopg
import pytest

from deniable_collector.api import REPORTS
from deniable_collector.deadlines import waiting_until
from deniable_collector.errors import StoreUnavailable
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_collector.store.connections import open_snapshot
from deniable_collector.store.sqlite import BUSY_TIMEOUT_S, SqliteStore
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_issuer.store import IssuerStore
from deniable_web.workplace import Workplace, workplace_beside
from load import JSON_TYPE, NDJSON_TYPE, send_all
from postgres_server import PostgresServer
from sample_definitions import definition, survey, yes_no
from served import Served, rows_by_id, served
from store_samples import reports_of
from tally_checks import ask, name_of

PUBLISHED = survey(yes_no())
# By these anybody gives up; what takes longer fails here.
REQUEST_TIMEOUT_S = 15
HEALTH_TIMEOUT_S = 3
# How many requests of each kind are sent, and the lines of a body that occupies a thread.
EACH = 60
LONG_LINES = 4_000
ADVISORY = int.from_bytes(bytes.fromhex(PUBLISHED.digest[:16]), "big", signed=True)
NEEDED = {
    "reports": f"LOCK TABLE {name_of('reports', PUBLISHED)} IN EXCLUSIVE MODE",
    "tally": f"LOCK TABLE {name_of('tally', PUBLISHED)} IN ACCESS EXCLUSIVE MODE",
    "survey": f"SELECT pg_advisory_xact_lock({ADVISORY})",
    **{
        table: f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"
        for table in ("surveys", "ends", "purged", "unfinished", "given_out")
    },
}


@pytest.mark.parametrize("lock", NEEDED.values(), ids=NEEDED)
def test_a_database_is_not_healthy_while_storing_would_wait(
    postgres_server: PostgresServer, random_source: random.Random, lock: str
) -> None:
    """Whatever of it is locked, also where nobody has tried to store."""
    url = postgres_server.schema()
    with closing(open_store(url, busy_timeout_s=0.1)) as store:
        store.publish(PUBLISHED)
        with psycopg.connect(url) as other:
            other.execute(lock.encode())
            for use in (store.check, lambda: add(store, random_source)):
                with pytest.raises(StoreUnavailable, match="LockNotAvailable, SQLSTATE 55P03"):
                    use()
        store.check()
        assert add(store, random_source) == (ReportOutcome.STORED,)


def test_storing_needs_no_table_that_health_does_not_try(
    postgres_server: PostgresServer, random_source: random.Random
) -> None:
    """A table that storing begins to use is one more lock above."""
    url = postgres_server.schema()
    with closing(open_store(url, busy_timeout_s=0.1)) as store:
        store.publish(PUBLISHED)
        tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
        with psycopg.connect(url) as other:
            for table in [str(name) for (name,) in ask(url, tables)]:
                other.execute(f'LOCK TABLE "{table}" IN ACCESS EXCLUSIVE MODE'.encode())
                try:
                    add(store, random_source)
                except StoreUnavailable:
                    assert re.match("reports_|tally_", table) or table in NEEDED
                else:
                    assert table not in NEEDED
                other.rollback()


def test_a_row_that_another_program_has_locked_is_noticed_once_a_commit_failed(
    postgres_server: PostgresServer, random_source: random.Random
) -> None:
    """Looking at rows would write to them, so health does that only after a failure."""
    url = postgres_server.schema()
    with closing(open_store(url, busy_timeout_s=0.1)) as store:
        store.publish(PUBLISHED)
        # So that every shard has its rows.
        for report in reports_of(PUBLISHED, 150, random_source):
            add_reports(store, [report])
        with psycopg.connect(url) as other:
            other.execute(f"SELECT FROM {name_of('tally', PUBLISHED)} FOR UPDATE".encode())
            store.check()
            with pytest.raises(StoreUnavailable, match="LockNotAvailable"):
                add(store, random_source)
            for _ in range(2):
                with pytest.raises(StoreUnavailable, match="LockNotAvailable"):
                    store.check()
        store.check()
        assert add(store, random_source) == (ReportOutcome.STORED,)


def add(store: Store, source: random.Random) -> Sequence[ReportOutcome]:
    """What becomes of one new report."""
    return add_reports(store, reports_of(PUBLISHED, 1, source))


@contextmanager
def locked(location: str) -> Iterator[None]:
    """A block in which another program has what storing needs."""
    if location.startswith("postgresql:"):
        with psycopg.connect(location) as database:
            database.execute(NEEDED["tally"].encode())
            yield
        return
    with closing(sqlite3.connect(location, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


@dataclass(frozen=True)
class Asking:
    """Somebody with a token, who asks a running site."""

    site: Served
    token: str

    def status(self, path: str, body: bytes | None = None, media_type: str = JSON_TYPE) -> int:
        """How a request is answered; it fails if that takes too long."""
        timeout_s = HEALTH_TIMEOUT_S if path == "/healthz" else REQUEST_TIMEOUT_S
        with closing(self.site.connect()) as known:
            connection = HTTPConnection(known.host, known.port, timeout=timeout_s)
        headers = {"Content-Type": media_type, "Authorization": f"Bearer {self.token}"}
        if path == REPORTS:
            del headers["Authorization"]
        with closing(connection):
            connection.request("POST" if body else "GET", path, body, headers)
            response = connection.getresponse()
            response.read()
            return response.status


def bodies(texts: list[bytes]) -> Iterator[tuple[str, bytes, str]]:
    """Requests that send each of these reports once: alone, in arrays, and in lines."""
    for text in texts[:EACH]:
        yield REPORTS, text, JSON_TYPE
    for begin in range(EACH, 3 * EACH, 2):
        yield REPORTS, b"[" + b",".join(texts[begin : begin + 2]) + b"]", JSON_TYPE
    for begin in range(3 * EACH, 5 * EACH, 2):
        yield REPORTS, b"\n".join(texts[begin : begin + 2]), NDJSON_TYPE
    for begin in range(5 * EACH, len(texts), LONG_LINES):
        yield REPORTS, b"\n".join(texts[begin : begin + LONG_LINES]), NDJSON_TYPE


@pytest.mark.deep
def test_every_request_ends_in_time_while_another_program_has_a_lock(
    location: str, tmp_path: Path, random_source: random.Random
) -> None:
    """Many of each kind at once; what was refused is stored once, when it is sent again."""
    token = make_token(Role.OWNER)
    with closing(open_store(location)) as store:
        store.publish(PUBLISHED)
        store.add_token(AccessToken("anna", Role.OWNER), digest_of(token))
    sent = reports_of(PUBLISHED, 5 * EACH + 2 * LONG_LINES, random_source)
    texts = [report.to_bytes() for report in sent]
    others = [f"/api/surveys/{PUBLISHED.slug}", f"/api/surveys/{PUBLISHED.slug}/results"] * EACH
    requests = [*bodies(texts), *((path, None, JSON_TYPE) for path in others)]
    environment = {"DENIABLE_RATE_LIMIT": "0"}
    with (
        served(location, tmp_path, environment=environment) as site,
        ThreadPoolExecutor(len(requests)) as people,
    ):
        asking = Asking(site, token)
        with locked(location):
            answers = [people.submit(asking.status, *request) for request in requests]
            health = []
            while not all(answer.done() for answer in answers):
                health.append(asking.status("/healthz"))
                sleep(1)
            found = Counter(answer.result() for answer in answers)
        assert set(health) == {503}
        assert found.keys() <= {200, 429, 503}
        assert found[503] > EACH
        assert asking.status("/healthz") == 200
        new, known = send_all(site.connect, sent)
        assert new + known == len(sent)
    assert rows_by_id(location, PUBLISHED) == Counter(report.id for report in sent)


@pytest.mark.deep
def test_every_request_ends_in_time_while_the_workplace_is_locked(tmp_path: Path) -> None:
    """Requests that wait for the file of drafts give up; nobody else waits."""
    location = tmp_path / "store.sqlite"
    token = make_token(Role.OWNER)
    with closing(open_store(location)) as store:
        store.publish(PUBLISHED)
        store.add_token(AccessToken("anna", Role.OWNER), digest_of(token))
    paths = ["/manage/drafts", "/manage/trail", "/manage/colleagues"] * 10
    with served(str(location), tmp_path) as site, ThreadPoolExecutor(len(paths)) as people:
        asking = Asking(site, token)
        draft = json.dumps({"definition": definition(yes_no())}).encode()
        assert asking.status("/manage/drafts", draft) == 201
        with closing(sqlite3.connect(workplace_of(location), isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            answers = [people.submit(asking.status, path) for path in paths]
            assert asking.status("/healthz") == 200
            assert asking.status(f"/api/surveys/{PUBLISHED.slug}") == 200
            assert {answer.result() for answer in answers} == {503}
            other.execute("ROLLBACK")
        assert asking.status("/manage/trail") == 200


def workplace_of(location: Path) -> Path:
    """The workplace beside a store."""
    found = workplace_beside(str(location))
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["store", "issuer", "workplace"])
def test_every_sqlite_file_is_waited_for_as_long_as_the_request_may(
    kind: str, tmp_path: Path
) -> None:
    """Reading and writing; a command without a deadline waits for as long as it always did."""
    path = tmp_path / "file.sqlite"
    with ExitStack() as stack:
        uses: list[Callable[[], AbstractContextManager[sqlite3.Connection]]]
        if kind == "store":
            store = stack.enter_context(closing(SqliteStore(path)))
            uses = [store._reading, store._writing, lambda: open_snapshot(path, BUSY_TIMEOUT_S)]
        else:
            opened = IssuerStore(path) if kind == "issuer" else Workplace(path)
            stack.enter_context(closing(opened))
            uses = [opened.reading, opened.writing]
        for use in uses:
            with waiting_until(monotonic() + 1), use() as connection:
                assert patience_ms(connection) <= 1_000
            with waiting_until(monotonic()), use() as connection:
                assert patience_ms(connection) == 0
            with use() as connection:
                assert patience_ms(connection) == 1_000 * BUSY_TIMEOUT_S


def patience_ms(connection: sqlite3.Connection) -> int:
    """How long a connection waits for other processes."""
    (found,) = connection.execute("PRAGMA busy_timeout").fetchone()
    return int(found)
