"""How fast a collector takes reports over HTTP: printed, never asserted.

What it is compared with runs before and after it, in the same run.
"""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from statistics import fmean

import pytest

from deniable_sdk import randomize
from deniable_storage.sqlite_tables import SqliteTable
from live_server import LiveCollector, live_collector
from load_generator import load
from parsing_server import parsing_server
from sample_definitions import choice, survey, yes_no

pytestmark = pytest.mark.bench

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
SECONDS = ("--seconds", "8")
LINES = 300_000
BATCH = 1_000
MANY_TENTHS = 10
MANY_LINES = 500_000
RAW_ROWS = 100_000
PARSING = {
    "deniable": "parsed by a Flask endpoint under the same server",
    "granian": "parsed by a Flask endpoint under granian's own WSGI",
}


def tell(capsys: pytest.CaptureFixture[str], lines: list[str]) -> None:
    """Print what was measured, past what captures it."""
    with capsys.disabled():
        print("\n" + "\n".join(lines), flush=True)  # noqa: T201 - the result


def publish(collector: LiveCollector) -> None:
    """Make the collector take reports of the survey."""
    assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 201


def raw_rate(path: Path, count: int) -> float:
    """Rows a second that `executemany` adds, a thousand in each durable transaction."""
    table = SqliteTable.of(PUBLISHED)
    values = [
        value if isinstance(value, int) else str(value).replace(" ", "")
        for value in randomize(PUBLISHED, {}).values.values()
    ]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(table.create_sql)
        took = 0.0
        for _ in range(count // BATCH):
            rows = [(os.urandom(16), *values) for _ in range(BATCH)]
            begin = time.perf_counter()
            connection.execute("BEGIN")
            connection.executemany(table.insert_sql, rows)
            connection.execute("COMMIT")
            took += time.perf_counter() - begin
    return count / took


def resident_mib(collector: LiveCollector) -> float:
    """How much memory the collector has now."""
    status = Path(f"/proc/{collector.process.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


@pytest.mark.parametrize("workers", [1, 2])
def test_single_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int) -> None:
    """Durable reports, one a request, against an endpoint that only parses them."""
    parsed: dict[str, list[float]] = {server: [] for server in PARSING}
    stored = []
    for index in range(2):
        for server, rates in parsed.items():
            with parsing_server(server, workers) as url:
                rates.append(load(url, PUBLISHED, "singles", *SECONDS)["rate"])
        path = tmp_path / f"{index}.sqlite"
        with live_collector(path, "--workers", str(workers), "--threads", "32") as collector:
            publish(collector)
            found = load(collector.url, PUBLISHED, "singles", *SECONDS)
            assert not found["refused"]
            stored.append(found["rate"])
    rate = fmean(stored)
    lines = [
        f"single reports, {workers} workers, 64 connections, a load generator beside them",
        f"  durable on disk: {rate:,.0f} a second",
        *(
            f"  {words}: {fmean(rates):,.0f} a second, ratio {rate / fmean(rates):.2f}"
            for words, rates in zip(PARSING.values(), parsed.values(), strict=True)
        ),
    ]
    tell(capsys, lines)


def test_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines over HTTP against rows that are handed to SQLite as they are."""
    raw = [raw_rate(tmp_path / "before.sqlite", LINES)]
    with live_collector(tmp_path / "store.sqlite") as collector:
        publish(collector)
        found = load(collector.url, PUBLISHED, "lines", "--count", str(LINES))
    raw.append(raw_rate(tmp_path / "after.sqlite", LINES))
    lines = [
        f"{LINES:,} reports",
        f"  executemany, 1,000 rows a transaction: {fmean(raw):,.0f} a second",
        f"  lines over HTTP, checked and durable: {found['rate']:,.0f} a second",
        f"  ratio {found['rate'] / fmean(raw):.2f}",
    ]
    tell(capsys, lines)
    assert not found["refused"]


def test_many_lines_go_in_at_a_flat_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five million reports: the rate and the memory after each tenth.

    These machines are half as fast again at one time as at another, so a small
    new file is filled beside each tenth.
    """
    rates, beside = [], [raw_rate(tmp_path / "before.sqlite", RAW_ROWS)]
    with live_collector(tmp_path / "store.sqlite") as collector:
        publish(collector)
        columns = "a second, a processor's second, MiB; executemany beside them, a second"
        tell(capsys, [f"{MANY_TENTHS * MANY_LINES:,} reports, in tenths: {columns}"])
        for index in range(MANY_TENTHS):
            used = collector.worked_s()
            found = load(collector.url, PUBLISHED, "lines", "--count", str(MANY_LINES))
            assert not found["refused"]
            worked = MANY_LINES / (collector.worked_s() - used)
            rates.append(found["rate"])
            beside.append(raw_rate(tmp_path / f"{index}.sqlite", RAW_ROWS))
            memory = resident_mib(collector)
            raw = fmean(beside[-2:])
            tell(capsys, [f"  {rates[-1]:9,.0f}  {worked:9,.0f}  {memory:6.0f}  {raw:9,.0f}"])
    flat = rates[-1] / rates[0]
    steady = flat * fmean(beside[:2]) / fmean(beside[-2:])
    words = "of the first one's rate, {:.2f} of it as a part of what executemany does beside each"
    tell(capsys, [f"  the last tenth at {flat:.2f} " + words.format(steady)])
