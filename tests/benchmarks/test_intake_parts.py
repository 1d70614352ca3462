"""What reading a line takes and what storing it takes, on both engines: printed, never asserted.

Reading can be done in several processes at once; storing is one transaction after another. So the
rate of many workers is at most that of storing alone.
"""

import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
import pytest

from deniable_collector.intake.reading import SurveyReader
from deniable_collector.store import open_store
from deniable_collector.store.base import ReportOutcome, Row
from deniable_collector.store.postgres.inserting import copy_in, encode_rows
from deniable_sdk import randomize
from deniable_storage.postgres_tables import PostgresTable
from postgres_server import PostgresServer
from sample_definitions import choice, survey, yes_no
from served import publish

pytestmark = pytest.mark.bench

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
LINES = 100_000
AT_ONCE = 5_000
DIFFERENT = 2_000
TIMES = 5


def values() -> list[Row]:
    """Rows whose values differ; their ids are replaced."""
    reader = SurveyReader(PUBLISHED)
    found = [reader.read_known_form(randomize(PUBLISHED, {}).to_bytes()) for _ in range(DIFFERENT)]
    return [row for row in found if row is not None]


def batches(some: list[Row]) -> Iterator[list[Row]]:
    """Rows with new ids, as many as one transaction stores."""
    for _ in range(LINES // AT_ONCE):
        yield [(os.urandom(16), *some[number % DIFFERENT][1:]) for number in range(AT_ONCE)]


def took(work: Callable[[list[Row]], None], some: list[Row]) -> tuple[float, float]:
    """Seconds and seconds of this process for all lines."""
    whole = own = 0.0
    for rows in batches(some):
        begin, began = time.perf_counter(), time.process_time()
        work(rows)
        whole, own = whole + time.perf_counter() - begin, own + time.process_time() - began
    return whole, own


def took_to_store(location: str, some: list[Row]) -> tuple[float, float]:
    """The same of storing as the collector does; all rows must be new."""
    publish(location, PUBLISHED)
    with closing(open_store(location)) as store:

        def work(rows: list[Row]) -> None:
            outcomes = store.add_rows({PUBLISHED.digest: rows})[PUBLISHED.digest]
            assert set(outcomes) == {ReportOutcome.STORED}

        return took(work, some)


def test_reading_and_storing_in_sqlite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Processor time for a line, which others on the machine change little."""
    reader, some = SurveyReader(PUBLISHED), values()
    lines = [randomize(PUBLISHED, {}).to_bytes() for _ in range(DIFFERENT)]
    read, stored, rates = [], [], []
    for turn in range(TIMES):
        began = time.thread_time()
        for number in range(LINES):
            reader.read_known_form(lines[number % DIFFERENT])
        read.append((time.thread_time() - began) / LINES * 1e6)
        whole, own = took_to_store(str(tmp_path / f"{turn}.sqlite"), some)
        stored.append(own / LINES * 1e6)
        rates.append(LINES / whole)
    with capsys.disabled():
        print(  # noqa: T201 - the result
            f"\nSQLite: reading a line {median(read):.1f} µs, storing it {median(stored):.1f} µs "
            f"of processor time; {median(rates):,.0f} lines a second are stored; several workers "
            f"bring at most {1 + median(read) / median(stored):.2f} times one that does one after "
            "the other"
        )


def test_storing_in_postgres(
    quiet_server: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """The way of the collector against a bare COPY into the same table, in turns."""
    some, table = values(), PostgresTable.of(PUBLISHED)
    begin = struct.pack(">hi", 1 + len(table.columns), 16)
    ratios, rates = [], []
    for _ in range(TIMES):
        url = quiet_server.schema()
        publish(url, PUBLISHED)
        with closing(psycopg.connect(url)) as connection:

            def copy(rows: list[Row], connection: Any = connection) -> None:
                copy_in(connection, f'"{table.name}"', encode_rows(begin, sorted(rows)))
                connection.commit()

            bare, _own = took(copy, some)
        whole, _own = took_to_store(quiet_server.schema(), some)
        ratios.append(bare / whole)
        rates.append(LINES / whole)
    with capsys.disabled():
        print(  # noqa: T201 - the result
            f"\nPostgreSQL: {median(rates):,.0f} lines a second are stored, "
            f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) of a bare COPY"
        )
