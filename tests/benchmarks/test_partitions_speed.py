"""A PostgreSQL table of reports, and the same in partitions of ids: printed, never asserted.

What takes time there is storing reports, and counting several blocks together; other results come
from tallies. DENIABLE_BENCH_MILLIONS sets how many reports there are, by default 2 million.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from deniable_collector.store import open_store
from deniable_collector.store.base import ReportOutcome, Row
from deniable_storage import postgres
from deniable_storage.chunks import tuples_of_chunks
from deniable_storage.counts import JointCounts
from deniable_storage.postgres_tables import PostgresTable
from deniable_storage.values import sum_of_tuples
from postgres_server import PostgresServer, execute
from sample_definitions import choice, survey

pytestmark = pytest.mark.bench

PUBLISHED = survey(*(choice(f"q{place}", options=4) for place in range(10)), epsilon=5, ask="all")
TABLE = PostgresTable.of(PUBLISHED)
BLOCKS = PUBLISHED.blocks[:2]
REPORTS = int(float(os.environ.get("DENIABLE_BENCH_MILLIONS", "2")) * 1_000_000)
PARTS = 8
PART_NAMES = [f"part_{place}" for place in range(PARTS)]
# Rows of a commit, and how many commits are timed.
COMMITS = {20: 200, 5_000: 10}
TURNS = 3
MOST = 1_000_000
FORMS = ("plain", "hash", "range")
# Two of five options, as a list.
DRAWN = "(ARRAY['[0,1]','[0,2]','[0,3]','[0,4]','[1,2]','[1,3]','[1,4]','[2,3]','[2,4]','[3,4]'])"


_REST = "000000-0000-0000-0000-000000000000"


def partitioned(form: str) -> Iterator[str]:
    """The statements that replace the table of reports by one in partitions of ids."""
    columns = f'LIKE "{TABLE.name}", PRIMARY KEY (_report)'
    yield f"CREATE TABLE parts ({columns}) PARTITION BY {form} (_report)"
    for place in range(PARTS):
        if form == "hash":
            bounds = f"WITH (MODULUS {PARTS}, REMAINDER {place})"
        else:
            steps = [f"'{256 // PARTS * at:02x}{_REST}'" for at in range(PARTS)]
            first, last = [*steps, "MAXVALUE"][place : place + 2]
            bounds = f"FROM ({first}) TO ({last})"
        yield f"CREATE TABLE part_{place} PARTITION OF parts FOR VALUES {bounds}"
    yield f'DROP TABLE "{TABLE.name}"'
    yield f'ALTER TABLE parts RENAME TO "{TABLE.name}"'


def fill(url: str, form: str) -> None:
    """A store whose table has this form, and reports."""
    with closing(open_store(url)) as store:
        store.publish(PUBLISHED)
    if form != "plain":
        execute(url, *partitioned(form))
    values = ", ".join([f"{DRAWN}[1 + floor(random() * 10)::int]"] * len(PUBLISHED.blocks))
    execute(
        url,
        f'INSERT INTO "{TABLE.name}" SELECT gen_random_uuid(), {values} '  # noqa: S608 - ours
        f"FROM generate_series(1, {REPORTS})",
        f'VACUUM (FREEZE, ANALYZE) "{TABLE.name}"',
        "CHECKPOINT",
    )


def rows(count: int, start: int) -> list[Row]:
    """New rows with different values."""
    texts = [f"[{first},{last}]" for first in range(5) for last in range(first + 1, 5)]
    return [
        (os.urandom(16), *(texts[(start + 7 * n + block) % 10] for block in range(10)))
        for n in range(count)
    ]


def store_commits(url: str, size: int) -> Callable[[], None]:
    """The store's own transactions, some of this size."""

    def work() -> None:
        with closing(open_store(url)) as store:
            for turn in range(COMMITS[size]):
                outcomes = store.add_rows({PUBLISHED.digest: rows(size, turn)})
                assert set(outcomes[PUBLISHED.digest]) == {ReportOutcome.STORED}

    return work


def worked_s(server: PostgresServer) -> float:
    """How long the processor has worked for the server and for this process."""
    leader = int((server.folder / "data" / "postmaster.pid").read_text().split()[0])
    children = Path(f"/proc/{leader}/task/{leader}/children").read_text().split()
    ticks = 0
    for pid in (leader, *map(int, children)):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            # Its own time; for the first process, also that of those that have ended.
            ticks += sum(map(int, fields[11:15] if pid == leader else fields[11:13]))
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def measured_once(server: PostgresServer, work: Callable[[], object]) -> tuple[float, float]:
    """Seconds and processor seconds."""
    begin, worked = time.perf_counter(), worked_s(server)
    work()
    return time.perf_counter() - begin, worked_s(server) - worked


def count_grouped(url: str, workers: int) -> Callable[[], None]:
    """The server groups and counts, with so many workers beside its own process."""
    names = ", ".join(f'"{block.id}"' for block in BLOCKS)

    def work() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"SET max_parallel_workers_per_gather = {workers}".encode())
            connection.execute(
                f'SELECT {names}, count(*) FROM "{TABLE.name}" GROUP BY {names}'.encode()  # noqa: S608 - ours
            ).fetchall()

    return work


def count_tables(url: str, tables: Sequence[str]) -> Callable[[], None]:
    """The way of a store, at most two tables at the same time."""

    def count(table: str) -> JointCounts:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(postgres.begin_moment_sql(table).encode())
            chunks = postgres.read_reports(connection, table, BLOCKS, only_complete=True)
            return tuples_of_chunks(BLOCKS, chunks, MOST)

    def work() -> None:
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(count, tables))
        sum_of_tuples(tuple(block.mechanism.form for block in BLOCKS), found)

    return work


def works_of(url: str, form: str) -> dict[str, Callable[[], None]]:
    """What is measured of a table."""
    tables = [TABLE.name] if form == "plain" else PART_NAMES
    return {
        "2 blocks together, as a store counts": count_tables(url, tables),
        "the same by GROUP BY of the server": count_grouped(url, 0),
        "the same, with 2 workers": count_grouped(url, 2),
        **{
            f"{times} commits of {size:,} reports": store_commits(url, size)
            for size, times in COMMITS.items()
        },
    }


def measured(server: PostgresServer) -> Iterator[str]:
    """A line for each work and form: the best of some turns, as others use the machine."""
    urls = {form: server.schema() for form in FORMS}
    for form, url in urls.items():
        fill(url, form)
    works = {form: works_of(url, form) for form, url in urls.items()}
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for turn in range(TURNS):
        for form in FORMS[:: 1 if turn % 2 else -1]:
            for name, work in works[form].items():
                found.setdefault((name, form), []).append(measured_once(server, work))
    for name in works["plain"]:
        for form in FORMS:
            seconds, worked = (min(each) for each in zip(*found[name, form], strict=True))
            yield f"  {name:40} {form:6} {seconds:9.2f} {worked:9.2f}"


HEADING = (
    f"\n{REPORTS:,} reports of 10 blocks in PostgreSQL, in one table and in {PARTS} partitions"
    f"\n{'seconds':>59} processor"
)


def test_partitions_speed(
    quiet_server: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seconds to count and reports a second, by the form of the table."""
    with capsys.disabled():
        print(HEADING, flush=True)  # noqa: T201 - the result
        for line in measured(quiet_server):
            print(line, flush=True)  # noqa: T201 - as above
