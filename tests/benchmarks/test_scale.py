"""What docs/SCALE.md says beyond one machine: the sizes of reports, and a busy day.

Printed, never asserted. The day is simulated, with the time of a commit that this machine needs,
and with a rate of requests that `test_tally_speed.py` measures (DENIABLE_BENCH_RATE).
"""

import os
import random
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

import numpy as np
import psycopg
import pytest

from deniable_analysis import export_parts
from deniable_collector.store import open_store
from deniable_collector.store.base import Row
from deniable_storage.postgres_tables import PostgresTable
from postgres_server import PostgresServer
from sample_definitions import choice, survey

pytestmark = pytest.mark.bench

TEN = survey(*(choice(f"q{place}", options=4) for place in range(10)), epsilon=5, ask="all")
# Two of five options, as a store has them.
SETS = [f"[{first},{last}]" for first in range(5) for last in range(first + 1, 5)]
# Requests a second that a collector answers.
RATE = float(os.environ.get("DENIABLE_BENCH_RATE", "4950"))
STORED = 100_000
# A fifth of a day's reports come in one hour, half of these within ten minutes.
BUSIEST = 0.2 * 0.5 / 600
DAYS = (1_000_000, 10_000_000, 100_000_000, 1_000_000_000)
SIMULATED_S = 60
MOST_IN_A_COMMIT = 8_192
LONGEST_WAIT_S = 1.0


def rows(count: int) -> list[Row]:
    """Rows of new reports, whose values say nothing about each other."""
    generator = random.Random(os.urandom(8))
    columns = [generator.choices(SETS, k=count) for _ in TEN.blocks]
    return [(os.urandom(16), *values) for values in zip(*columns, strict=True)]


def fill(location: str) -> list[tuple[int, float]]:
    """Store reports and close their survey; the rows and seconds of some commits."""
    took = []
    sizes = [1] * 40 + [100] * 40 + [5_000] * ((STORED - 4_040) // 5_000)
    with closing(open_store(location)) as store:
        store.publish(TEN)
        for size in [*sizes, STORED - sum(sizes)]:
            some = rows(size)
            begin = time.perf_counter()
            store.add_rows({TEN.digest: some})
            took.append((size, time.perf_counter() - begin))
        store.close_survey(TEN.slug)
    return took


def seconds_of(took: list[tuple[int, float]], size: int) -> float:
    """The median of the commits of a size."""
    return median(seconds for rows, seconds in took if rows == size)


def test_sizes(
    quiet_server: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bytes on disk for each report of ten blocks, once the survey is closed."""
    url, path = quiet_server.schema(), tmp_path / "store.sqlite"
    fill(str(path))
    fill(url)
    export_parts(path, tmp_path / "parts")
    with psycopg.connect(url) as connection:
        statement = f"SELECT pg_total_relation_size('{PostgresTable.of(TEN).name}')"
        (in_postgres,) = connection.execute(statement.encode()).fetchone() or (0,)
    in_parts = sum(each.stat().st_size for each in (tmp_path / "parts").iterdir())
    sizes = {"SQLite": path.stat().st_size, "PostgreSQL": in_postgres, "parts": in_parts}
    with capsys.disabled():
        listed = ", ".join(f"{name} {size / STORED:.0f}" for name, size in sizes.items())
        print(f"\nbytes of a report of ten blocks: {listed}")  # noqa: T201 - the result


def waits(rate: float, commit_s: float, row_s: float) -> np.ndarray:
    """How long each device waits for the answer of one collector, in seconds.

    Args:
        rate: how many reports arrive in a second; their moments are independent.
        commit_s: what a commit takes.
        row_s: what each report in it takes in addition.
    """
    generator = np.random.default_rng(1)
    arrived = np.cumsum(generator.exponential(1 / rate, int(rate * SIMULATED_S)))
    places = np.arange(len(arrived))
    # One request after the other is read; a request waits for those before it.
    read = (places + 1) / RATE + np.maximum.accumulate(arrived - places / RATE)
    answered = np.empty_like(read)
    now, first = 0.0, 0
    while first < len(read):
        now = max(now, read[first])
        last = min(int(np.searchsorted(read, now, "right")), first + MOST_IN_A_COMMIT)
        now += commit_s + row_s * (last - first)
        answered[first:last] = now
        first = last
    return answered - arrived


def simulated(commit_s: float, row_s: float) -> Iterator[str]:
    """A line for each day: the fewest collectors at which few wait for more than a second."""
    for day in DAYS:
        busiest = day * BUSIEST
        machines = 1
        while True:
            found = waits(busiest / machines, commit_s, row_s)
            if np.quantile(found, 0.999) < LONGEST_WAIT_S:
                break
            machines = max(machines + 1, int(machines * 1.1))
        half, most = np.quantile(found, [0.5, 0.999])
        yield (
            f"  {day:13,} {busiest:14,.0f} {machines:10} {1000 * half:9.1f} {1000 * most:10.1f} "
            f"{busiest / machines / RATE:8.2f}"
        )


def test_a_busy_day(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How many collectors with a SQLite store each answer a day's reports, simulated."""
    took = fill(str(tmp_path / "store.sqlite"))
    commit_s = seconds_of(took, 1)
    row_s = max(0.0, (seconds_of(took, 5_000) - commit_s) / 5_000)
    with capsys.disabled():
        print(  # noqa: T201 - the result
            f"\na commit takes {1000 * commit_s:.1f} ms and {1e6 * row_s:.0f} µs for each report; "
            f"a collector reads {RATE:,.0f} requests a second"
            "\n  reports a day  at the peak/s  collectors   half ms  99.9 % ms    busy"
        )
        for line in simulated(commit_s, row_s):
            print(line, flush=True)  # noqa: T201 - as above
