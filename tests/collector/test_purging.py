"""Purged reports leave no byte on disk."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.errors import ErasingUnfinished
from deniable_collector.store import add_reports, open_store
from deniable_collector.store.sqlite import SqliteStore
from deniable_sdk import Report, randomize
from sample_definitions import choice, survey, yes_no

ReadBytes = Callable[[int], bytes]

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5", slug="gone")
KEPT = survey(yes_no(), slug="kept")


def filled(path: Path, read_bytes: ReadBytes) -> tuple[SqliteStore, list[Report]]:
    """A store with 2,000 reports of a closed survey among those of an open one."""
    store = open_store(path)
    assert isinstance(store, SqliteStore)
    store.publish(PUBLISHED)
    store.publish(KEPT)
    reports = [randomize(PUBLISHED, {}, read_bytes=read_bytes) for _ in range(2_000)]
    for start in range(0, 2_000, 100):
        others = [randomize(KEPT, {}, read_bytes=read_bytes) for _ in range(5)]
        add_reports(store, [*reports[start : start + 100], *others])
    store.close_survey("gone")
    return store, reports


def ids_on_disk(path: Path, reports: list[Report]) -> int:
    """How many of the reports' ids are anywhere in the store's files."""
    files = sorted(path.parent.glob(f"{path.name}*"))
    assert len(files) == 3  # the log is looked at too
    content = b"".join(file.read_bytes() for file in files)
    return sum(bytes.fromhex(report.id) in content for report in reports)


def test_no_byte_of_a_purged_report_stays_while_the_store_is_open(
    tmp_path: Path, read_bytes: ReadBytes
) -> None:
    """Neither the file nor its log holds an id, while the rest is all there."""
    path = tmp_path / "store.sqlite"
    store, reports = filled(path, read_bytes)
    with closing(store):
        assert ids_on_disk(path, reports) == 2_000
        before = path.stat().st_size
        assert store.purge_reports(PUBLISHED.digest) == 2_000
        assert ids_on_disk(path, reports) == 0
        assert path.stat().st_size < before / 2
        assert store.count_reports(KEPT.digest) == 100


def test_the_file_is_zero_where_reports_were_before_it_is_cut(
    tmp_path: Path, read_bytes: ReadBytes
) -> None:
    """What the file system gets back holds no reports either."""
    path = tmp_path / "store.sqlite"
    store, reports = filled(path, read_bytes)
    with closing(store):
        size = path.stat().st_size
        # The same blocks under another name, which is not cut.
        copied: list[bytes] = []
        connection = store._writer

        def look(statement: str) -> None:
            if statement == "VACUUM":
                copied.append(path.read_bytes())

        connection.set_trace_callback(look)
        store.purge_reports(PUBLISHED.digest)
    (cut,) = copied
    assert len(cut) == size
    assert not any(bytes.fromhex(report.id) in cut for report in reports)


def test_a_purge_that_another_program_disturbs_is_repeated(
    tmp_path: Path, read_bytes: ReadBytes
) -> None:
    """Whoever reads the old log keeps it there; the error says so, and again helps."""
    path = tmp_path / "store.sqlite"
    store, reports = filled(path, read_bytes)
    store.close()
    with closing(open_store(path, busy_timeout_s=0.1)) as store_again:
        add_reports(store_again, [randomize(KEPT, {}, read_bytes=read_bytes)])
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM surveys").fetchone()
            with pytest.raises(ErasingUnfinished, match="purge the survey again once no other"):
                store_again.purge_reports(PUBLISHED.digest)
        assert store_again.count_reports(PUBLISHED.digest) == 0
        assert ids_on_disk(path, reports) > 0
        assert store_again.purge_reports(PUBLISHED.digest) == 0
        assert ids_on_disk(path, reports) == 0
