"""The store's file beside other programs: read, removed, replaced, oddly named."""

import logging
import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.errors import ErasingUnfinished, StoreUnavailable
from deniable_collector.store import add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import randomize
from sample_definitions import survey, yes_no

HEALTH = survey(yes_no())
SOURCE = random.Random(5)
REPORTS = [randomize(HEALTH, {}, read_bytes=SOURCE.randbytes) for _ in range(3)]


def remove(path: Path) -> None:
    """Take the file and its logs away, as `rm store*` does."""
    for found in path.parent.glob(f"{path.name}*"):
        found.unlink()


def replace(path: Path) -> None:
    """Put another store in the file's place."""
    remove(path)
    with closing(open_store(path)) as other:
        other.publish(HEALTH)


def test_a_survey_is_not_called_closed_while_the_log_tells_the_order(tmp_path: Path) -> None:
    """A program that reads keeps the log; the owner learns to close again."""
    path = tmp_path / "store.sqlite"
    log = path.with_name("store.sqlite-wal")
    with (
        closing(open_store(path, busy_timeout_s=0.05)) as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        store.publish(HEALTH)
        add_reports(store, REPORTS[:1])
        other.execute("BEGIN")
        other.execute("SELECT * FROM surveys").fetchall()
        with pytest.raises(ErasingUnfinished, match="close the survey again once no other") as e:
            store.close_survey("health")
        assert isinstance(e.value, StoreUnavailable)
        assert "order in which the reports arrived (another program is reading" in str(e.value)
        assert log.stat().st_size > 0
        assert add_reports(store, REPORTS[1:2]) == (ReportOutcome.CLOSED,)
        other.execute("ROLLBACK")
        closed = store.close_survey("health")
        assert closed is not None
        assert closed.is_closed
        assert log.stat().st_size == 0


def test_a_log_that_could_not_be_emptied_is_said_at_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Letting go of a file that another program reads is no failure, and is told."""
    path = tmp_path / "store.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        with closing(open_store(path, busy_timeout_s=0.05)) as store:
            store.publish(HEALTH)
            other.execute("BEGIN")
            other.execute("SELECT * FROM surveys").fetchall()
            add_reports(store, REPORTS)
        assert path.with_name("store.sqlite-wal").stat().st_size > 0
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "its log was not emptied" in record.getMessage()


@pytest.mark.parametrize("lose", [remove, replace])
def test_a_file_that_is_lost_takes_no_reports(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    """What would be written where nobody finds it is refused, and health says so."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(HEALTH)
        store.check()
        lose(path)
        writes: list[Callable[[], object]] = [
            lambda: add_reports(store, REPORTS),
            lambda: store.publish(HEALTH),
            lambda: store.close_survey("health"),
            store.check,
        ]
        for write in writes:
            with pytest.raises(StoreUnavailable, match="its file was removed or replaced"):
                write()
    assert path.exists() is (lose is replace)
    if path.exists():
        with closing(open_store(path)) as other:
            assert other.count_reports(HEALTH.digest) == 0


def test_a_file_that_is_put_back_is_used_again(tmp_path: Path) -> None:
    """The same file in its old place loses nothing."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(HEALTH)
        path.rename(tmp_path / "elsewhere")
        with pytest.raises(StoreUnavailable, match="removed or replaced"):
            add_reports(store, REPORTS)
        (tmp_path / "elsewhere").rename(path)
        assert add_reports(store, REPORTS) == (ReportOutcome.STORED,) * len(REPORTS)


def test_a_store_stays_where_it_was_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path means one file, wherever the process goes afterwards."""
    monkeypatch.chdir(tmp_path)
    with closing(open_store("store.sqlite")) as store:
        store.publish(HEALTH)
        os.chdir("/")
        assert add_reports(store, REPORTS) == (ReportOutcome.STORED,) * len(REPORTS)


@pytest.mark.parametrize("name", [":memory:", "file:x?mode=memory", "file::memory:?cache=shared"])
def test_a_name_that_sqlite_knows_is_a_file_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What was said to be published is on disk, whatever the file is called."""
    monkeypatch.chdir(tmp_path)
    with closing(open_store(name)) as store:
        store.publish(HEALTH)
        assert add_reports(store, REPORTS) == (ReportOutcome.STORED,) * len(REPORTS)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with closing(open_store(name, must_exist=True)) as store:
        assert store.count_reports(HEALTH.digest) == len(REPORTS)
