"""Concurrent reports share commits, and each request gets its own outcome."""

import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.errors import StoreUnavailable, TooBusy
from deniable_collector.intake.commits import GroupCommit
from deniable_collector.store import open_store
from deniable_collector.store.base import ReportOutcome, Row
from slow_store import DIGEST, PATIENCE_S, PUBLISHED, SlowStore, Waiting, rows, slow_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SlowStore]:
    """A store with one survey, whose commits wait."""
    with slow_store(tmp_path / "store.sqlite") as opened:
        yield opened


def test_what_comes_while_a_commit_waits_is_the_next_commit(
    store: SlowStore, random_source: random.Random
) -> None:
    """A hundred requests take two transactions, and each gets its own outcomes."""
    waiting = Waiting()
    with closing(GroupCommit(store, observer=waiting)) as commits:
        first = commits.submit(rows(1, random_source))
        assert store.began.wait(PATIENCE_S)
        others = [commits.submit(rows(2, random_source)) for _ in range(99)]
        assert waiting.count == 199
        store.go_on()
        assert first.result() == {DIGEST: [ReportOutcome.STORED]}
        for other in others:
            assert other.result() == {DIGEST: [ReportOutcome.STORED] * 2}
    assert store.sizes == [1, 198]
    assert store.count_reports(DIGEST) == 199
    assert waiting.count == 0


def test_each_is_told_what_became_of_its_own_reports(
    store: SlowStore, random_source: random.Random
) -> None:
    """In one transaction some are new, some sent twice, some conflict, some unknown."""
    store.let(1)
    (new,) = rows(1, random_source)[DIGEST]
    report_id, value = new[0], new[-1]
    other_values: Row = (report_id, 1 - int(str(value)))
    store.add_rows({DIGEST: [new]})
    store.began.clear()
    with closing(GroupCommit(store)) as commits:
        blocker = commits.submit(rows(1, random_source))
        assert store.began.wait(PATIENCE_S)
        again = commits.submit({DIGEST: [new]})
        conflict = commits.submit({DIGEST: [other_values, *rows(1, random_source)[DIGEST]]})
        unknown = commits.submit({"0" * 64: [new]})
        store.go_on()
        assert blocker.result() == {DIGEST: [ReportOutcome.STORED]}
        assert again.result() == {DIGEST: [ReportOutcome.ALREADY_STORED]}
        assert conflict.result() == {DIGEST: [ReportOutcome.CONFLICT, ReportOutcome.STORED]}
        assert unknown.result() == {"0" * 64: [ReportOutcome.UNKNOWN_SURVEY]}


def test_the_same_report_twice_in_one_commit_is_stored_once(
    store: SlowStore, random_source: random.Random
) -> None:
    """Two requests with the same report at once: one 201, one 200."""
    with closing(GroupCommit(store)) as commits:
        commits.submit(rows(1, random_source))
        assert store.began.wait(PATIENCE_S)
        same = rows(1, random_source)
        both = [commits.submit(same), commits.submit(same)]
        store.go_on()
        found = Counter(submission.result()[DIGEST][0] for submission in both)
    assert found == {ReportOutcome.STORED: 1, ReportOutcome.ALREADY_STORED: 1}
    assert store.count_reports(DIGEST) == 2


def test_a_full_queue_refuses_and_recovers(store: SlowStore, random_source: random.Random) -> None:
    """What does not fit is refused at once; once there is room it is taken."""
    waiting = Waiting()
    with closing(GroupCommit(store, most_waiting=10, observer=waiting)) as commits:
        first = commits.submit(rows(8, random_source))
        with pytest.raises(TooBusy):
            commits.submit(rows(3, random_source))
        assert waiting.count == 8
        store.go_on()
        first.result()
        later = commits.submit(rows(9, random_source), patience_s=PATIENCE_S)
        assert later.result() == {DIGEST: [ReportOutcome.STORED] * 9}
    assert store.count_reports(DIGEST) == 17


def test_batches_take_no_place_from_single_reports(
    store: SlowStore, random_source: random.Random
) -> None:
    """However many arrays wait, a device's report is taken, and the other way round."""
    waiting = Waiting()
    with closing(GroupCommit(store, most_waiting=10, observer=waiting)) as commits:
        batch = commits.submit(rows(10, random_source), is_batch=True)
        with pytest.raises(TooBusy):
            commits.submit(rows(1, random_source), is_batch=True)
        single = commits.submit(rows(1, random_source))
        assert waiting.count == 11
        assert commits.has_room(9)
        assert not commits.has_room(10)
        store.go_on()
        assert single.result() == {DIGEST: [ReportOutcome.STORED]}
        assert batch.result() == {DIGEST: [ReportOutcome.STORED] * 10}
    assert store.count_reports(DIGEST) == 11


def test_a_batch_larger_than_the_queue_is_taken_alone(
    store: SlowStore, random_source: random.Random
) -> None:
    """A limit on what waits must not make a legal batch impossible for ever."""
    store.go_on()
    with closing(GroupCommit(store, most_waiting=10)) as commits:
        taken = commits.submit(rows(25, random_source))
        assert taken.result() == {DIGEST: [ReportOutcome.STORED] * 25}


def test_a_commit_that_fails_is_told_to_all_and_the_next_works(
    store: SlowStore, random_source: random.Random
) -> None:
    """A full disk refuses what waits; once there is room, reports are taken again."""
    store.fails = True
    with closing(GroupCommit(store)) as commits:
        doomed = [commits.submit(rows(1, random_source)) for _ in range(3)]
        store.go_on()
        for submission in doomed:
            with pytest.raises(StoreUnavailable, match="SQLITE_FULL"):
                submission.result()
        store.fails = False
        assert commits.submit(rows(1, random_source)).result() == {DIGEST: [ReportOutcome.STORED]}
    assert store.count_reports(DIGEST) == 1


def test_closing_stores_what_was_accepted_and_takes_no_more(
    store: SlowStore, random_source: random.Random
) -> None:
    """Whoever was let in gets an answer; whoever comes later is refused."""
    commits = GroupCommit(store)
    accepted = [commits.submit(rows(1, random_source)) for _ in range(20)]
    closing_thread = threading.Thread(target=commits.close)
    closing_thread.start()
    store.go_on()
    closing_thread.join()
    for submission in accepted:
        assert submission.result() == {DIGEST: [ReportOutcome.STORED]}
    with pytest.raises(StoreUnavailable, match="it was closed"):
        commits.submit(rows(1, random_source))
    commits.close()


def test_many_threads_get_their_own_outcomes(tmp_path: Path, random_source: random.Random) -> None:
    """Under load from all sides every report is stored once and answered rightly."""
    shared = rows(50, random_source)[DIGEST]
    own = [rows(50, random_source)[DIGEST] for _ in range(8)]
    found: list[Counter[ReportOutcome]] = [Counter() for _ in own]

    def send(number: int) -> None:
        for mine, everyones in zip(own[number], shared, strict=True):
            found[number].update(commits.submit({DIGEST: [mine, everyones]}).result()[DIGEST])

    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(PUBLISHED)
        with closing(GroupCommit(store)) as commits:
            threads = [threading.Thread(target=send, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert store.count_reports(DIGEST) == 50 + 8 * 50
    total = sum(found, Counter())
    assert total == {ReportOutcome.STORED: 450, ReportOutcome.ALREADY_STORED: 350}
