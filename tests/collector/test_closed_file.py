"""A closed survey's SQLite file has the same bytes, however its reports arrived."""

import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from deniable_collector.store import Store, add_reports, open_store, raw_files
from deniable_collector.store.sqlite import SqliteStore
from deniable_sdk import PublishedSurvey, Report
from invitations import invited_survey, many_reports
from sample_definitions import choice, multiple, survey, yes_no
from store_samples import reports_of

PUBLISHED = survey(yes_no(), choice(options=30), multiple(options=6), ask=2, epsilon=2)
INVITED = invited_survey(yes_no(), choice(options=5), slug="health", ask="all", epsilon=3)
COUNT = 500


def counters(content: bytes) -> set[int]:
    """The counters in the header of a file."""
    return {int.from_bytes(content[place : place + 4], "big") for place in (24, 92)}


def filled(
    path: Path, published: PublishedSurvey, commits: Sequence[Sequence[Report]], stores: int = 1
) -> bytes:
    """The bytes of a file after each commit came to one of several stores in turn."""
    with ExitStack() as stack:
        opened: list[Store] = [
            stack.enter_context(closing(open_store(path))) for _ in range(stores)
        ]
        opened[0].publish(published)
        for number, reports in enumerate(commits):
            add_reports(opened[number % stores], reports)
        before = path.read_bytes()
        opened[-1].close_survey(published.slug)
    after = path.read_bytes()
    assert after != before
    return after


def one_by_one(reports: list[Report], _: random.Random) -> list[list[Report]]:
    """Each report in a commit of its own."""
    return [[report] for report in reports]


def backwards(reports: list[Report], _: random.Random) -> list[list[Report]]:
    """A hundred reports in each commit, the last one first."""
    return [reports[begin : begin + 100] for begin in range(0, len(reports), 100)][::-1]


def at_random(reports: list[Report], source: random.Random) -> list[list[Report]]:
    """In a random order, in commits of random sizes, and some of them twice."""
    shuffled = source.sample(reports, len(reports))
    commits = []
    while shuffled:
        size = source.randint(1, 60)
        commits.append(shuffled[:size] + source.sample(reports, 0 if size > 30 else 3))
        shuffled = shuffled[size:]
    return commits


@pytest.mark.sweep
@pytest.mark.parametrize("arrive", [backwards, at_random])
@pytest.mark.parametrize("stores", [1, 2])
@pytest.mark.parametrize("published", [PUBLISHED, INVITED.published], ids=["open", "invited"])
def test_a_closed_file_tells_neither_order_nor_commits(
    tmp_path: Path,
    published: PublishedSurvey,
    stores: int,
    arrive: Callable[[list[Report], random.Random], list[list[Report]]],
) -> None:
    """Byte for byte, it is that of reports that came one by one to one process."""
    source = random.Random(f"{published.slug} {stores}")
    reports = (
        many_reports(INVITED, 60, source)
        if published.invited
        else reports_of(published, COUNT, source)
    )
    one = filled(tmp_path / "one.sqlite", published, one_by_one(reports, source))
    other = filled(tmp_path / "other.sqlite", published, arrive(reports, source), stores)
    assert one == other
    assert counters(one) == {1}


def test_an_open_file_tells_and_the_comparison_sees_it(tmp_path: Path) -> None:
    """Before it is closed, the file of two orders is two files; so the test above can fail."""
    reports = reports_of(PUBLISHED, 200, random.Random(1))
    contents = []
    for name, order in (("one", reports), ("two", reports[::-1])):
        path = tmp_path / f"{name}.sqlite"
        with closing(open_store(path)) as store:
            store.publish(PUBLISHED)
            for report in order:
                add_reports(store, [report])
        contents.append(path.read_bytes())
    assert contents[0] != contents[1]


@pytest.mark.deep
def test_without_the_reset_turns_of_processes_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes that take turns leave another number than one; so the reset is needed."""
    monkeypatch.setattr("deniable_collector.store.sqlite.reset_counters", lambda *_: None)
    reports = reports_of(PUBLISHED, COUNT, random.Random(1))
    commits = one_by_one(reports, random.Random(1))
    one = filled(tmp_path / "one.sqlite", PUBLISHED, commits)
    other = filled(tmp_path / "other.sqlite", PUBLISHED, commits, stores=2)
    assert one != other
    assert counters(one) != counters(other)
    assert one[:24] + one[28:92] + one[96:] == other[:24] + other[28:92] + other[96:]


def test_a_store_goes_on_after_its_counters_were_reset(tmp_path: Path) -> None:
    """Its file is sound, everything that is published later is there, and counted from 1."""
    path = tmp_path / "store.sqlite"
    later = survey(yes_no(), choice(options=30), slug="later")
    with closing(open_store(path)) as store, closing(open_store(path)) as beside:
        store.publish(PUBLISHED)
        for number, report in enumerate(reports_of(PUBLISHED, 300, random.Random(1))):
            add_reports((store, beside)[number % 2], [report])
        store.close_survey("health")
        assert counters(path.read_bytes()) == {1}
        store.publish(later)
        for number, report in enumerate(reports_of(later, 300, random.Random(2))):
            add_reports((store, beside)[number % 2], [report])
        assert store.count_reports(later.digest) == beside.count_reports(later.digest) == 300
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert max(counters(path.read_bytes())) < 300


def test_what_cannot_be_reset_keeps_nobody_from_closing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where no program may be started, the survey is closed all the same, and the log says it."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(PUBLISHED)
        closed = store.close_survey("health")
        assert closed is not None
        assert closed.is_closed
    assert "counters were not reset: FileNotFoundError" in caplog.text


def test_counters_of_a_file_in_use_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If somebody else is writing, or the log has pages, the header is left alone."""
    path = tmp_path / "store.sqlite"
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("it was written"))
    with closing(SqliteStore(path)) as store:
        store.publish(PUBLISHED)
        raw_files.reset_counters(store._writer, path)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            store._writer.execute("PRAGMA busy_timeout = 10")
            raw_files.reset_counters(store._writer, path)
