"""How long the results of a million reports take: printed, never asserted."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from benchmarks.test_counting_speed import stored_values
from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_collector.store.base import StoredSurvey
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_web.site import create_site
from sample_definitions import choice, multiple, number, scale, survey, yes_no

pytestmark = pytest.mark.bench

MILLION, STEP = 1_000_000, 50_000
KINDS = [
    *(choice(f"q{place}", options=4) for place in range(4)),
    *(yes_no(f"y{place}") for place in range(2)),
    scale(),
    multiple(options=6),
    number(),
    choice("large", options=20),
]
BASE = "/manage/surveys/health/results"
VIEWS = (
    ("first view: estimated", f"{BASE}/content?lang=en"),
    ("the next one's view", f"{BASE}/content?lang=en"),
    ("in another language", f"{BASE}/content?lang=ar"),
    ("with other intervals", f"{BASE}/content?lang=en&confidence=0.99"),
    ("whether there is anything new", f"{BASE}/state"),
    ("the list of surveys", "/manage/surveys"),
)


def fill(path: Path, stored: StoredSurvey) -> None:
    """A million reports of ten blocks, written beside the store."""
    generator = np.random.default_rng(1)
    blocks = stored.survey.blocks
    places = ", ".join("?" * (1 + len(blocks)))
    with closing(sqlite3.connect(path, timeout=60)) as database, database:
        database.execute("PRAGMA synchronous = OFF")
        for start in range(0, MILLION, STEP):
            ids = ((start + index).to_bytes(16, "big") for index in range(STEP))
            columns = (stored_values(block, STEP, generator) for block in blocks)
            database.executemany(
                f'INSERT INTO "{stored.reports_table}" VALUES ({places})',  # noqa: S608 - ours
                zip(ids, *columns, strict=True),
            )


def measured(client: FlaskClient, token: str) -> Iterator[str]:
    """A line for each view: its time and size."""
    for label, path in VIEWS:
        begin = time.perf_counter()
        answer = client.get(path, headers={"Authorization": f"Bearer {token}"})
        seconds = time.perf_counter() - begin
        assert answer.status_code == 200
        yield f"  {label:44} {1000 * seconds:10.0f} {len(answer.data) / 1024:8.0f}"


def test_results_speed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Milliseconds until a page of results is there, and its size."""
    path, token = tmp_path / "store.sqlite", make_token(Role.OWNER)
    with closing(open_store(path)) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        stored = store.publish(survey(*KINDS, epsilon=10, ask="all")).stored
        fill(path, stored)
        store.repair_tally(stored)
        client = create_site(store, Settings()).test_client()
        lines = [
            "",
            f"{'results of 1,000,000 reports, 10 blocks':46}         ms      KiB",
            *measured(client, token),
        ]
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result
