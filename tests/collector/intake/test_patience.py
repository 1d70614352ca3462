"""Lines of long bodies wait for other reports, and are stored in the order of ids."""

import random
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from deniable_collector.errors import StoreUnavailable, TooBusy
from deniable_collector.intake.commits import MOST_WAITING, GroupCommit
from deniable_collector.store.base import ReportOutcome, Row
from slow_store import DIGEST, PATIENCE_S, SlowStore, Waiting, rows, slow_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SlowStore]:
    """A store with one survey, whose transactions wait for their turns."""
    with slow_store(tmp_path / "store.sqlite") as opened:
        yield opened


def test_whoever_cannot_wait_goes_between_the_lines(
    store: SlowStore, random_source: random.Random
) -> None:
    """A device's report waits for one transaction of a long body, not for all of them."""
    waiting = Waiting()
    with closing(GroupCommit(store, observer=waiting)) as commits:
        blocker = commits.submit(rows(1, random_source))
        assert store.began.wait(PATIENCE_S)
        lines = [
            commits.submit(rows(5_000, random_source), patience_s=PATIENCE_S) for _ in range(6)
        ]
        single = commits.submit(rows(1, random_source))
        assert waiting.count == 30_002
        assert commits.has_room(MOST_WAITING - 2)
        assert not commits.has_room(MOST_WAITING - 1)
        store.let(2)
        assert blocker.result() == single.result() == {DIGEST: [ReportOutcome.STORED]}
        assert not any(submission.done() for submission in lines)
        store.go_on()
        for submission in lines:
            assert submission.result() == {DIGEST: [ReportOutcome.STORED] * 5_000}
    assert store.sizes[:2] == [1, 1]
    assert waiting.count == 0
    assert store.count_reports(DIGEST) == 30_002


def test_waiting_lines_are_stored_stretch_by_stretch(
    store: SlowStore, random_source: random.Random
) -> None:
    """Each transaction takes the ids that follow those of the one before."""
    with closing(GroupCommit(store)) as commits:
        commits.submit(rows(1, random_source))
        assert store.began.wait(PATIENCE_S)
        for _ in range(6):
            commits.submit(rows(5_000, random_source), patience_s=PATIENCE_S)
        store.go_on()
    _, *stretches = [taken[DIGEST] for taken in store.taken]
    assert len(stretches) == 4
    for before, after in pairwise(stretches):
        assert max(row[0] for row in before) < min(row[0] for row in after)


def test_each_line_is_told_what_became_of_it(
    store: SlowStore, random_source: random.Random
) -> None:
    """Lines that came before, conflict or come twice are told so, wherever they stand."""
    ids = [random_source.randbytes(16) for _ in range(600)]
    old: list[Row] = [(identity, 0) for identity in ids[:300]]
    others: list[Row] = [(identity, 1) for identity in ids[:300]]
    new: list[Row] = [(identity, 0) for identity in ids[300:]]
    mixed = [row for three in zip(new, old, others, strict=True) for row in three]
    store.go_on()
    store.add_rows({DIGEST: old})
    with closing(GroupCommit(store)) as commits:
        first = commits.submit({DIGEST: mixed}, patience_s=PATIENCE_S)
        second = commits.submit({DIGEST: new}, patience_s=PATIENCE_S)
        told = [ReportOutcome.STORED, ReportOutcome.ALREADY_STORED, ReportOutcome.CONFLICT]
        assert first.result() == {DIGEST: told * 300}
        assert second.result() == {DIGEST: [ReportOutcome.ALREADY_STORED] * 300}
    assert store.count_reports(DIGEST) == 600


def test_a_store_that_fails_fails_all_lines_that_wait(
    store: SlowStore, random_source: random.Random
) -> None:
    """Nobody waits for one failure after the other, and the next lines are taken again."""
    store.fails = True
    waiting = Waiting()
    with closing(GroupCommit(store, observer=waiting)) as commits:
        doomed = [
            commits.submit(rows(5_000, random_source), patience_s=PATIENCE_S) for _ in range(6)
        ]
        store.go_on()
        for submission in doomed:
            with pytest.raises(StoreUnavailable, match="SQLITE_FULL"):
                submission.result()
        assert len(store.taken) <= 2
        store.fails = False
        again = commits.submit(doomed[0].rows, patience_s=PATIENCE_S)
        assert again.result() == {DIGEST: [ReportOutcome.STORED] * 5_000}
    assert (store.count_reports(DIGEST), waiting.count) == (5_000, 0)


def test_lines_have_a_room_of_their_own(store: SlowStore, random_source: random.Random) -> None:
    """A long body takes no place from devices, and waits itself until there is room."""
    with closing(GroupCommit(store, most_waiting=2, most_patient_bytes=10)) as commits:
        lines = commits.submit(rows(9, random_source), patience_s=PATIENCE_S)
        with pytest.raises(TooBusy):
            commits.submit(rows(2, random_source), patience_s=0.01)
        single = commits.submit(rows(1, random_source))
        store.go_on()
        assert lines.result() == {DIGEST: [ReportOutcome.STORED] * 9}
        assert single.result() == {DIGEST: [ReportOutcome.STORED]}
        later = commits.submit(rows(10, random_source), patience_s=PATIENCE_S)
        assert later.result() == {DIGEST: [ReportOutcome.STORED] * 10}
