"""The layout of a store: made once, checked at each opening, and changed step by step."""

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.errors import StoreUnavailable, UnreadableStore
from deniable_collector.store import add_reports, migrations, open_store
from deniable_collector.store.postgres import migrations as postgres_migrations
from later_layout import LATER, later_version
from postgres_server import PostgresServer
from sample_definitions import survey, yes_no
from store_samples import reports_of

SURVEY = survey(yes_no())


def dump(path: Path) -> list[str]:
    """Every statement that would make the file again."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def filled(location: Path | str) -> None:
    """Make a store with reports."""
    with closing(open_store(location)) as store:
        store.publish(SURVEY)
        add_reports(store, reports_of(SURVEY, 12, random.Random(1)))


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where there is no store yet, in each engine."""
    if request.param == "sqlite":
        return tmp_path / "store.sqlite"
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return server.schema()


def test_a_step_keeps_what_is_in_a_store(
    location: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later version brings it to its layout once; this version then refuses it."""
    filled(location)
    with monkeypatch.context() as patch:
        later_version(patch)
        for _ in range(2):
            with closing(open_store(location)) as store:
                assert store.count_reports(SURVEY.digest) == 12
                assert store.read_log() == (SURVEY.digest,)
    with pytest.raises(UnreadableStore, match=rf"made by a newer version \(it has {LATER}\)"):
        open_store(location)


def test_a_step_that_fails_leaves_nothing(
    location: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is as it was, and opens in this version."""
    filled(location)
    with monkeypatch.context() as patch:
        later_version(patch)
        for module in (migrations, postgres_migrations):
            broken = (*module.STEPS_SQL[LATER], "INSERT INTO nowhere VALUES (1)")
            patch.setitem(module.STEPS_SQL, LATER, broken)
        with pytest.raises(StoreUnavailable, match=r"SQLITE_ERROR|UndefinedTable"):
            open_store(location)
    with closing(open_store(location)) as store:
        assert store.count_reports(SURVEY.digest) == 12


def test_opening_leaves_no_time_and_is_done_once(tmp_path: Path) -> None:
    """A store says nothing of when it was made, and stays as it is."""
    path = tmp_path / "store.sqlite"
    filled(path)
    after = dump(path)
    open_store(path).close()
    assert dump(path) == after
    with closing(sqlite3.connect(path)) as connection:
        times = connection.execute("SELECT DISTINCT applied_at FROM _sqlite_migrations")
        assert times.fetchall() == [("",)]


def test_a_changed_table_of_surveys_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """A file that is not what its layout says is not built upon."""
    path = tmp_path / "store.sqlite"
    filled(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE surveys ADD COLUMN created_at TEXT")
    before = dump(path)
    with pytest.raises(UnreadableStore, match="its table of surveys is missing or was changed"):
        open_store(path)
    assert dump(path) == before


def test_a_changed_table_of_tokens_is_refused(tmp_path: Path) -> None:
    """A store that lost its tokens is not one that anybody may open."""
    path = tmp_path / "store.sqlite"
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE tokens")
    with pytest.raises(UnreadableStore, match="its table of tokens is missing or was changed"):
        open_store(path)


def test_a_present_store_is_opened_without_the_tool_that_makes_one(tmp_path: Path) -> None:
    """What is imported for changing a layout takes longer than all else at a start."""
    path = tmp_path / "store.sqlite"
    open_store(path).close()
    program = (
        "import sys; from deniable_collector.store import open_store; "
        f"open_store({str(path)!r}, must_exist=True).close(); "
        "print(sorted({'pandas', 'sqlite_utils'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"
