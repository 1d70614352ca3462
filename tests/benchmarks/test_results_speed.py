"""How long the results of ten million reports take, in both engines: printed, never asserted."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from statistics import median

import psycopg
import pytest
from flask.testing import FlaskClient

from deniable_analysis import open_study
from deniable_collector.intake.reading import SurveyReader
from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import randomize
from deniable_web.site import create_site
from sample_definitions import choice, multiple, number, scale, survey, yes_no

pytestmark = pytest.mark.bench

MILLION, STEP, DIFFERENT = 1_000_000, 50_000, 20_000
PUBLISHED = survey(
    *(choice(f"q{place}", options=4) for place in range(4)),
    *(yes_no(f"y{place}") for place in range(2)),
    scale(),
    multiple(options=6),
    number(),
    choice("large", options=20),
    epsilon=10,
    ask="all",
)
BASE = "/manage/surveys/health/results"
SMALL = survey(*(choice(f"q{place}") for place in range(2)), slug="small")
VIEWS = (
    (
        "a small survey, first of all after a start",
        "/manage/surveys/small/results/content?lang=en",
    ),
    ("first view of the ten million", f"{BASE}/content?lang=en"),
    ("the next one's view", f"{BASE}/content?lang=en"),
    ("in another language", f"{BASE}/content?lang=ar"),
    ("with other intervals", f"{BASE}/content?lang=en&confidence=0.99"),
    ("for every look", f"{BASE}/content?lang=en&interval=anytime"),
    ("whether there is anything new", f"{BASE}/state"),
    ("the list of surveys", "/manage/surveys"),
)


def fill(location: str) -> str:
    """Publish the survey, with ten million reports; the name of their table."""
    reader = SurveyReader(PUBLISHED)
    drawn = [reader.read_known_form(randomize(PUBLISHED, {}).to_bytes()) for _ in range(DIFFERENT)]
    values = [row[1:] for row in drawn if row]
    with closing(open_store(location)) as store:
        store.publish(SMALL)
        store.add_rows({SMALL.digest: [(bytes(16), 0, 1)]})
        table = store.publish(PUBLISHED).stored.reports_table
        for start in range(0, MILLION, STEP):
            rows = [
                (n.to_bytes(16, "big"), *values[n % len(values)])
                for n in range(start, start + STEP)
            ]
            store.add_rows({PUBLISHED.digest: rows})
    copy(location, table)
    return table


def copy(location: str, table: str) -> None:
    """Nine more of each report, under other ids."""
    names = ", ".join(f'"{block.id}"' for block in PUBLISHED.blocks)
    copied = (
        f'INSERT INTO "{table}" (_report, {names}) SELECT {{}}, {names} FROM "{table}" WHERE {{}}'  # noqa: S608 - our own
    )
    if location.startswith("postgresql:"):
        with psycopg.connect(location, autocommit=True) as connection:
            for place in range(1, 10):
                new = f"('{place:02x}' || substr(_report::text, 3))::uuid"
                connection.execute(copied.format(new, "_report::text < '01'").encode())
            connection.execute(f'VACUUM ANALYZE "{table}"'.encode())
        return
    with closing(sqlite3.connect(location)) as database, database:
        database.execute("PRAGMA synchronous = OFF")
        for place in range(1, 10):
            new = f"CAST(x'{place:02x}' || substr(_report, 2) AS BLOB)"
            database.execute(copied.format(new, "_report < x'01'"))


def grouped(location: str, table: str) -> list[tuple[object, int]]:
    """How often each value of the first block occurs, in plain SQL."""
    block = PUBLISHED.blocks[0].id
    statement = f'SELECT "{block}", count(*) FROM "{table}" GROUP BY "{block}"'  # noqa: S608 - our own
    if location.startswith("postgresql:"):
        with psycopg.connect(location) as connection:
            return connection.execute(statement.encode()).fetchall()
    with closing(sqlite3.connect(location)) as database:
        return database.execute(statement).fetchall()


def timed(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def viewed(client: FlaskClient, token: str) -> Iterator[str]:
    """A line for each view: its time and size."""
    for label, path in VIEWS:
        begin = time.perf_counter()
        answer = client.get(path, headers={"Authorization": f"Bearer {token}"})
        seconds = time.perf_counter() - begin
        assert answer.status_code == 200
        yield f"  {label:44} {1000 * seconds:10.1f} ms {len(answer.data) / 1024:8.0f} KiB"


def measured(location: str) -> Iterator[str]:
    """A line for each way to the numbers, and for each view."""
    table, token = fill(location), make_token(Role.OWNER)
    with closing(open_store(location)) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        stored = store.find_edition(PUBLISHED.digest)
        assert stored is not None
        recounting = timed(lambda: store.repair_tally(stored))
        yield f"  {'recounting, as an upgrade does':44} {recounting:10.1f} s"
        rows: list[tuple[object, int]] = []
        bare = timed(lambda: rows.extend(grouped(location, table)))
        yield f"  {'a bare GROUP BY, for one of ten blocks':44} {bare:10.1f} s"
        counts = store.look(stored, PUBLISHED.blocks)
        assert counts.report_count == sum(count for _, count in rows) == 10 * MILLION
        tally = [timed(lambda: store.look(stored, PUBLISHED.blocks)) for _ in range(9)]
        yield f"  {'all counts, from the tally':44} {1000 * median(tally):10.2f} ms"
        first, *others = [timed(open_study(location, "health").estimate) for _ in range(6)]
        yield (
            f"  {'all estimates: first, and median of five':44} {1000 * first:10.1f} ms "
            f"{1000 * median(others):8.1f} ms"
        )
        yield from viewed(create_site(store, Settings()).test_client(), token)


def test_results_of_ten_million(
    place: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Counts, estimates and pages, beside plain SQL in the same run."""
    location = place("store")
    engine = "PostgreSQL" if location.startswith("postgresql:") else "SQLite"
    lines = [f"\n10,000,000 reports of 10 blocks in {engine}", *measured(location)]
    with capsys.disabled():
        print("\n".join(lines), flush=True)  # noqa: T201 - the result
