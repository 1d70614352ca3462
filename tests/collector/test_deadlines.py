"""How long a request may wait for others, whatever it waits for."""

import random
import threading
import time
from contextlib import closing
from math import inf
from pathlib import Path

import psycopg
import pytest

from deniable_collector import deadlines
from deniable_collector.deadlines import (
    deadline_from_now,
    extend_deadline,
    left_s,
    present_deadline,
    renew_deadline,
    waiting_until,
)
from deniable_collector.errors import StoreUnavailable
from deniable_collector.intake import GroupCommit
from deniable_collector.intake.waiting import RowSubmission
from deniable_collector.store.base import ReportOutcome
from deniable_collector.store.connections import turn
from deniable_collector.store.postgres.connections import Connections
from deniable_collector.store.sqlite import SqliteStore
from locks import writing
from postgres_server import PostgresServer
from slow_store import DIGEST, PUBLISHED, rows

OVER = 0.0


def test_without_a_request_nothing_limits_a_wait() -> None:
    """Commands wait as long as they say."""
    assert present_deadline() == inf
    assert left_s(10) == 10


def test_a_deadline_holds_in_its_block() -> None:
    """What is left is never below 0, and the deadline before comes back."""
    with waiting_until(deadline_from_now()):
        assert left_s(5) == 5
        assert 5 < left_s(60) <= deadlines.MOST_WAIT_S
        with waiting_until(OVER):
            assert left_s(5) == 0
            extend_deadline(time.monotonic() + 60)
            assert left_s(5) == 5
        with waiting_until(OVER):
            renew_deadline()
            assert left_s(5) == 5
        assert left_s(5) == 5
    assert left_s(99) == 99


def test_a_thread_is_not_waited_for_when_the_deadline_is_over() -> None:
    """The lock is tried once, and free again afterwards."""
    lock = threading.Lock()
    with waiting_until(OVER):
        with (
            turn(lock),
            pytest.raises(StoreUnavailable, match="longer than a request may wait"),
            turn(lock),
        ):
            pytest.fail("two threads had one lock")
        assert not lock.locked()


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    """A store with a survey, which waits for other programs for a minute."""
    opened = SqliteStore(tmp_path / "store.sqlite", busy_timeout_s=60)
    opened.publish(PUBLISHED)
    return opened


def test_who_waits_behind_a_transaction_that_waited_in_vain_fails_with_it(
    store: SqliteStore, tmp_path: Path, random_source: random.Random
) -> None:
    """Single reports and lines; each is tried once more, and stored when the lock is gone."""
    with closing(store), closing(GroupCommit(store)) as commits:
        with writing(tmp_path / "store.sqlite"):
            with waiting_until(time.monotonic() + 0.5):
                first = commits.submit(rows(1, random_source))
                behind = [
                    commits.submit(rows(3, random_source), is_batch=True),
                    commits.submit(rows(3, random_source), patience_s=1),
                    commits.submit(rows(1, random_source)),
                ]
            for submission in (first, *behind):
                with pytest.raises(StoreUnavailable, match="SQLITE_BUSY"):
                    submission.result(60)
        with waiting_until(OVER):
            late = commits.submit(rows(1, random_source))
        assert late.result(60) == {DIGEST: [ReportOutcome.STORED]}


def test_outcomes_are_waited_for_while_the_store_makes_progress(
    random_source: random.Random,
) -> None:
    """A part that was stored renews the deadline; without any, waiting ends."""
    with waiting_until(OVER):
        submission = RowSubmission(rows(2, random_source))
    with pytest.raises(StoreUnavailable, match="waited for too long"):
        submission.outcomes()
    (part,) = submission.parts()
    one = type(part)(submission, DIGEST, part.rows[:1], range(1))
    submission.settle(one, [ReportOutcome.STORED])
    assert submission.deadline > time.monotonic()
    submission.settle(one, [ReportOutcome.STORED])
    submission.deadline = OVER
    assert submission.outcomes() == {DIGEST: [ReportOutcome.STORED] * 2}


def test_a_server_waits_for_locks_as_long_as_the_request_may(
    postgres_server: PostgresServer,
) -> None:
    """It is told less when less is left, and the whole patience again afterwards."""
    with closing(Connections(postgres_server.url, most=1, patience_s=10)) as pool:

        def told() -> object:
            with pool.lend() as connection:
                return connection.execute("SHOW lock_timeout").fetchall()

        assert told() == [("10s",)]
        with waiting_until(time.monotonic() + 60):
            assert told() == [("10s",)]
        with waiting_until(OVER):
            assert told() == [("1ms",)]
        assert told() == [("10s",)]


def test_a_lock_of_another_program_is_not_waited_for_after_the_deadline(
    postgres_server: PostgresServer,
) -> None:
    """The connection is good again at once, and no other waits for it."""
    with (
        closing(Connections(postgres_server.url, most=1, patience_s=60)) as pool,
        psycopg.connect(postgres_server.url) as other,
    ):
        other.execute("CREATE TABLE locked (number integer)")
        other.commit()
        other.execute("LOCK TABLE locked IN ACCESS EXCLUSIVE MODE")
        with waiting_until(OVER):
            with pytest.raises(StoreUnavailable, match="LockNotAvailable"), pool.lend() as lent:
                lent.execute("SELECT * FROM locked")
            with pool.lend() as again:
                assert again.execute("SELECT 1").fetchall() == [(1,)]
        other.execute("DROP TABLE locked")
        other.commit()


def test_a_file_of_another_program_is_tried_once_after_the_deadline(
    store: SqliteStore, tmp_path: Path
) -> None:
    """No deadline makes a free file fail."""
    with closing(store), waiting_until(OVER):
        with writing(tmp_path / "store.sqlite"), pytest.raises(StoreUnavailable, match="BUSY"):
            store.close_survey(PUBLISHED.slug)
        assert store.close_survey(PUBLISHED.slug) is not None
