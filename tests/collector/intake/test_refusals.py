"""A body may have only so many refused reports, and fewer while other requests wait."""

import io
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.errors import Refused, TooBusy
from deniable_collector.intake import GroupCommit, Readers, take_json, take_lines
from deniable_collector.intake.refusals import MOST_IF_CROWDED, MOST_REFUSED, Refusals
from deniable_collector.store.sqlite import SqliteStore
from deniable_sdk import randomize
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no())
GARBAGE = (b"{}", b"broken", b"[1]", b'"\xff"')


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with a survey."""
    with closing(SqliteStore(tmp_path / "store.sqlite")) as opened:
        opened.publish(PUBLISHED)
        yield opened


def legal(count: int, source: random.Random) -> list[bytes]:
    """Reports as devices send them."""
    return [randomize(PUBLISHED, {}, read_bytes=source.randbytes).to_bytes() for _ in range(count)]


def take(store: SqliteStore, lines: list[bytes], *, is_crowded: bool) -> tuple[int, int]:
    """How many of these lines were stored and how many refused."""
    with closing(GroupCommit(store)) as commits:
        taken = take_lines(
            io.BytesIO(b"\n".join(lines)),
            Readers(store.find_edition),
            commits,
            most_receipts=5,
            longest=999,
            refusals=Refusals(lambda: is_crowded),
        )
    return taken.stored, taken.refused


@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("is_crowded", [False, True], ids=["alone", "crowded"])
def test_a_body_of_lines_ends_after_so_many_refused_ones(
    store: SqliteStore, random_source: random.Random, garbage: bytes, is_crowded: bool
) -> None:
    """With as many all is well; one more ends it, and what was legal before is stored."""
    most = MOST_IF_CROWDED if is_crowded else MOST_REFUSED
    before, after = legal(3, random_source), legal(3, random_source)
    lines = [*before, *[garbage] * most, *after]
    assert take(store, lines, is_crowded=is_crowded) == (6, most)
    before, after = legal(2, random_source), legal(2, random_source)
    with pytest.raises(Refused) as refused:
        take(store, [*before, *[garbage] * (most + 1), *after], is_crowded=is_crowded)
    name = "too-busy" if is_crowded else "too-many-refused"
    assert refused.value.problem.name == name
    detail = str(refused.value)
    assert f"after {most + 3} lines, which were processed; a body may have at most" in detail
    assert "only legal ones. The last refusal: No" in detail
    assert store.count_reports(PUBLISHED.digest) == 8


def test_lines_that_the_store_refuses_are_counted_too(
    store: SqliteStore, random_source: random.Random
) -> None:
    """Nobody sends a long body to a survey that is closed."""
    store.close_survey(PUBLISHED.slug)
    (line,) = legal(1, random_source)
    with pytest.raises(Refused, match="survey accepts no more reports") as refused:
        take(store, [line] * (3 * MOST_REFUSED), is_crowded=False)
    assert refused.value.problem.name == "too-many-refused"


LONG = b'{"values":[0],"more":"' + b"x" * (1 << 14) + b'"}'


@pytest.mark.parametrize("kind", ["lines", "array", "one"])
def test_long_reports_do_not_wait_for_each_other_in_a_crowd(store: SqliteStore, kind: str) -> None:
    """They give their threads away; without a crowd they take turns."""
    body = {"lines": LONG + b"\n", "array": b"[" + LONG + b"]", "one": LONG}[kind]
    crowd = threading.Event()

    def take_it() -> object:
        refusals, stream = Refusals(crowd.is_set), io.BytesIO(body)
        readers = Readers(store.find_edition)
        if kind != "lines":
            return take_json(stream, readers, commits, 9, refusals)
        return take_lines(
            stream, readers, commits, most_receipts=9, longest=1 << 20, refusals=refusals
        )

    with closing(GroupCommit(store)) as commits, ThreadPoolExecutor(1) as threads:
        with Refusals().parsing_alone():
            crowd.set()
            with pytest.raises((TooBusy, Refused)) as refused:
                take_it()
            if isinstance(refused.value, Refused):
                assert refused.value.problem.name == "too-busy"
            crowd.clear()
            waiting = threads.submit(take_it)
            with pytest.raises(TimeoutError):
                waiting.result(0.3)
        assert waiting.result(60)


def test_of_an_array_that_ends_nothing_is_stored(
    store: SqliteStore, random_source: random.Random
) -> None:
    """The sender learns why; while nobody waits, the legal reports are stored."""
    members = [*legal(2, random_source), *[b"{}"] * (MOST_IF_CROWDED + 1)]
    body = b"[" + b",".join(members) + b"]"
    with closing(GroupCommit(store)) as commits:
        readers = Readers(store.find_edition)
        crowded = Refusals(lambda: True)
        with pytest.raises(Refused, match="None of the array was stored; a body may") as refused:
            take_json(io.BytesIO(body), readers, commits, 999, crowded)
        assert refused.value.problem.name == "too-busy"
        assert store.count_reports(PUBLISHED.digest) == 0
        taken = take_json(io.BytesIO(body), readers, commits, 999)
    assert isinstance(taken, list)
    assert [receipt.status for receipt in taken[:3]] == [201, 201, 422]
