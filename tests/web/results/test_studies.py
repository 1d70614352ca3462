"""A store is counted once for all viewers, and no more often than its load allows."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier

import pytest

from deniable_analysis import Interval
from deniable_collector.store import open_store
from deniable_collector.store.sqlite import SqliteStore
from deniable_web.pages.cache import ComputeOnceCache
from deniable_web.results.findings import ResultChoices
from deniable_web.results.results_cache import ResultsCache
from deniable_web.results.studies import REST, Studies
from results_site import add_stress, stress


@dataclass
class Clock:
    """A clock that is set by hand, and moves on by itself where something is counted."""

    now_s: float = 0.0
    counted: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        """The time."""
        return self.now_s


COUNTING_S = 2.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock on which counting takes two seconds."""
    made = Clock()
    count = SqliteStore.look

    def slow(*arguments: object) -> object:
        made.counted.append(made.now_s)
        made.now_s += COUNTING_S
        return count(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(SqliteStore, "look", slow)
    return made


def test_a_large_survey_is_counted_anew_only_after_a_rest(tmp_path: Path, clock: Clock) -> None:
    """Meanwhile everybody sees the last counts, and how many reports there are by now."""
    source = random.Random(1)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        survey = stress("First")
        stored = store.publish(survey).stored
        add_stress(store, survey, 3, source)
        kept = Studies(store, clock)
        assert kept.study(stored).report_count == 3
        add_stress(store, survey, 4, source)
        assert kept.shown(survey.digest, 7) == 3
        assert kept.study(stored).report_count == 3
        clock.now_s += REST * COUNTING_S
        assert kept.shown(survey.digest, 7) == 7
        assert kept.study(stored).report_count == 7
        clock.now_s += 100 * REST * COUNTING_S
        assert kept.study(stored).report_count == 7
        assert len(clock.counted) == 2


def test_estimates_that_take_long_lengthen_the_rest(tmp_path: Path, clock: Clock) -> None:
    """What counting and estimating cost together decides."""
    source = random.Random(2)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        survey = stress("First")
        stored = store.publish(survey).stored
        kept = Studies(store, clock)
        kept.study(stored)
        kept.charge(survey.digest, 3.0)
        add_stress(store, survey, 1, source)
        clock.now_s += REST * COUNTING_S
        assert kept.shown(survey.digest, 1) == 0
        clock.now_s += REST * 3.0
        assert kept.shown(survey.digest, 1) == 1


def test_many_who_look_at_once_cost_one_count(tmp_path: Path, clock: Clock) -> None:
    """Who comes while it is being counted waits for the same counts and estimates."""
    source = random.Random(3)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        survey = stress("First")
        stored = store.publish(survey).stored
        add_stress(store, survey, 5, source)
        board, choices = ResultsCache(store), ResultChoices(0.95, Interval.WILSON)
        barrier = Barrier(8)

        def look(_: int) -> int:
            barrier.wait()
            return id(board.findings(stored, choices))

        with ThreadPoolExecutor(8) as pool:
            seen = set(pool.map(look, range(8)))
        assert len(seen) == 1
        assert len(clock.counted) == 1


def test_the_least_recently_seen_is_forgotten() -> None:
    """However many surveys are looked at, so many are kept, and a failure never is."""
    memory: ComputeOnceCache[int] = ComputeOnceCache(2)
    asked: list[str] = []

    def value(key: str) -> int:
        def compute() -> int:
            asked.append(key)
            return len(asked)

        return memory.get(key, compute)

    assert [value(key) for key in ("a", "b", "a", "c", "a", "b")] == [1, 2, 1, 3, 1, 4]
    assert asked == ["a", "b", "c", "b"]

    def fail() -> int:
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        memory.get("d", fail)
    assert value("d") == 5
