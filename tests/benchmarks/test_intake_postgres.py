"""How fast PostgreSQL takes reports over HTTP: printed, never asserted.

The tables are the same, and so is the server; what it is compared with runs
before and after it, in the same run.
"""

import os
import time
from pathlib import Path
from statistics import fmean
from uuid import UUID

import psycopg
import pytest

from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, randomize
from load_generator import load
from parsing_server import parsing_server
from postgres_server import PostgresServer
from sample_definitions import choice, survey, yes_no
from served import served

pytestmark = pytest.mark.bench

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
SECONDS = ("--seconds", "8")
LINES = 200_000
BATCH = 1_000


def location_of(server: PostgresServer, published: PublishedSurvey) -> tuple[str, str]:
    """The location of a new store that has the survey, and its reports' table."""
    location = server.schema()
    store = open_store(location)
    stored = store.publish(published).stored
    store.close()
    return location, stored.reports_table


def copy_rate(server: PostgresServer) -> float:
    """Rows a second that COPY adds to the same table, a thousand in each durable transaction."""
    location, table = location_of(server, PUBLISHED)
    values = [
        value if isinstance(value, int) else str(value).replace(" ", "")
        for value in randomize(PUBLISHED, {}).values.values()
    ]
    took = 0.0
    with psycopg.connect(location) as connection:
        for _ in range(LINES // BATCH):
            rows = [(UUID(bytes=os.urandom(16)), *values) for _ in range(BATCH)]
            begin = time.perf_counter()
            with connection.cursor().copy(f'COPY "{table}" FROM STDIN'.encode()) as copy:
                for row in rows:
                    copy.write_row(row)
            connection.commit()
            took += time.perf_counter() - begin
    return LINES / took


def test_lines(
    quiet_server: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines over HTTP against rows that are handed to PostgreSQL as they are."""
    raw = [copy_rate(quiet_server)]
    location, _ = location_of(quiet_server, PUBLISHED)
    with served(location, tmp_path, is_forked=False) as collector:
        found = load(collector.url, PUBLISHED, "lines", "--count", str(LINES))
    raw.append(copy_rate(quiet_server))
    with capsys.disabled():
        print(  # noqa: T201 - the result
            f"\n{LINES:,} reports into PostgreSQL"
            f"\n  COPY, 1,000 rows a transaction: {fmean(raw):,.0f} a second"
            f"\n  lines over HTTP, checked and durable: {found['rate']:,.0f} a second"
            f"\n  ratio {found['rate'] / fmean(raw):.2f}",
            flush=True,
        )
    assert not found["refused"]


def test_single_reports(
    quiet_server: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Durable reports, one a request, against an endpoint that only parses them."""
    location, _ = location_of(quiet_server, PUBLISHED)
    with parsing_server("deniable", 1) as url:
        parsed = [load(url, PUBLISHED, "singles", *SECONDS)["rate"]]
    with served(location, tmp_path, is_forked=False) as collector:
        found = load(collector.url, PUBLISHED, "singles", *SECONDS)
    with parsing_server("deniable", 1) as url:
        parsed.append(load(url, PUBLISHED, "singles", *SECONDS)["rate"])
    with capsys.disabled():
        print(  # noqa: T201 - the result
            "\nsingle reports into PostgreSQL, 64 connections, a load generator beside them"
            f"\n  durable: {found['rate']:,.0f} a second"
            f"\n  parsed by a Flask endpoint under the same server: {fmean(parsed):,.0f} a second"
            f"\n  ratio {found['rate'] / fmean(parsed):.2f}",
            flush=True,
        )
    assert not found["refused"]
