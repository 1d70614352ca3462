"""Any number of lines is stored while they arrive, and the response has their outcomes."""

import io
import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.errors import Refused, StoreUnavailable
from deniable_collector.intake import GroupCommit, Readers, streams, take_lines
from deniable_collector.intake.streams import GATHERED_BYTES, LINES_AT_A_TIME
from deniable_collector.store import open_store
from deniable_collector.store.sqlite import SqliteStore
from deniable_sdk import PublishedSurvey, randomize
from load_generator import Reports
from sample_definitions import choice, survey, yes_no
from slow_store import PATIENCE_S, Waiting, rows, slow_store

PUBLISHED = survey(yes_no(), choice(), ask="all")
SHORT = survey(yes_no(), slug="short")
# Its reports are of a thousand numbers.
LONG = survey(
    *(choice(name, options=900) for name in "abc"), slug="long", ask="all", epsilon="0.5"
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with one survey."""
    with closing(SqliteStore(tmp_path / "store.sqlite")) as opened:
        opened.publish(PUBLISHED)
        yield opened


class Slices:
    """A stream that gives a few bytes at a time, as a slow network does."""

    def __init__(self, content: bytes, most: int) -> None:
        self._content = io.BytesIO(content)
        self._most = most

    def read(self, size: int, /) -> bytes:
        """The next bytes, fewer than were asked for."""
        return self._content.read(min(size, self._most))


def lines_of(
    count: int, source: random.Random, published: PublishedSurvey = PUBLISHED
) -> list[bytes]:
    """Reports as lines."""
    return [randomize(published, {}, read_bytes=source.randbytes).to_bytes() for _ in range(count)]


@pytest.mark.parametrize("most", [1, 7, 100, 1 << 20])
def test_lines_are_put_together_however_they_come(
    store: SqliteStore, random_source: random.Random, most: int
) -> None:
    """Neither the size of what comes at once nor a last line end matters."""
    lines = lines_of(5, random_source)
    body = b"\n\n" + b"\r\n".join(lines[:3]) + b"\n   \n" + b"\n".join(lines[3:])
    with closing(GroupCommit(store)) as commits:
        told = take_lines(
            Slices(body, most), Readers(store.find_edition), commits, most_receipts=9, longest=999
        ).to_json()
    taken = json.loads(told)
    assert (taken["stored"], taken["already_stored"], taken["refused"]) == (5, 0, 0)
    assert store.count_reports(PUBLISHED.digest) == 5


def test_every_line_has_its_result_while_there_are_few(
    store: SqliteStore, random_source: random.Random
) -> None:
    """Results are in the order of the lines, with the same numbers as an array's."""
    one, two = lines_of(2, random_source)
    body = b"\n".join([one, b"broken", one, two, b"[]"])
    with closing(GroupCommit(store)) as commits:
        told = take_lines(
            io.BytesIO(body), Readers(store.find_edition), commits, most_receipts=5, longest=999
        ).to_json()
    taken = json.loads(told)
    assert (taken["stored"], taken["already_stored"], taken["refused"]) == (2, 1, 2)
    results = taken["results"]
    assert [result["index"] for result in results] == [0, 1, 2, 3, 4]
    assert [result["status"] for result in results] == [201, 400, 200, 201, 422]


def test_of_many_lines_only_the_refused_have_results(
    store: SqliteStore, random_source: random.Random
) -> None:
    """The answer does not grow with the body: all are counted, few are told."""
    lines = lines_of(2 * LINES_AT_A_TIME + 10, random_source)
    broken = {3: b"one", LINES_AT_A_TIME + 1: b"two", 2 * LINES_AT_A_TIME + 5: b"three"}
    for place, line in broken.items():
        lines.insert(place, line)
    with closing(GroupCommit(store)) as commits:
        told = take_lines(
            io.BytesIO(b"\n".join(lines)),
            Readers(store.find_edition),
            commits,
            most_receipts=2,
            longest=999,
        ).to_json()
    taken = json.loads(told)
    assert (taken["stored"], taken["refused"]) == (2 * LINES_AT_A_TIME + 10, 3)
    results = taken["results"]
    assert [result["index"] for result in results] == [*broken][:2]
    assert store.count_reports(PUBLISHED.digest) == 2 * LINES_AT_A_TIME + 10


def test_a_line_too_long_stops_the_stream_and_says_where(
    store: SqliteStore, random_source: random.Random
) -> None:
    """What came before is stored and counted; nothing is read without end."""
    lines = lines_of(LINES_AT_A_TIME, random_source)
    body = b"\n".join([*lines, b"[" * 2_000])
    with closing(GroupCommit(store)) as commits, pytest.raises(Refused) as refused:
        take_lines(
            Slices(body, 500),
            Readers(store.find_edition),
            commits,
            most_receipts=5,
            longest=1_000,
        )
    assert refused.value.problem.name == "line-too-long"
    assert f"after {LINES_AT_A_TIME} lines, which were processed" in str(refused.value)
    assert store.count_reports(PUBLISHED.digest) == LINES_AT_A_TIME


def test_a_store_that_fails_stops_the_stream_and_sending_again_completes_it(
    store: SqliteStore, random_source: random.Random, tmp_path: Path
) -> None:
    """The answer says what was dealt with; the same lines again double nothing."""
    lines = lines_of(3 * LINES_AT_A_TIME, random_source)
    path = tmp_path / "store.sqlite"

    class Failing(Slices):
        """Lines during which the store's file goes away."""

        def read(self, size: int, /) -> bytes:
            """The next bytes; half-way the file is moved."""
            given = super().read(size)
            if self._content.tell() > len(b"\n".join(lines)) // 2 and path.exists():
                while waiting.count:
                    time.sleep(0.001)
                path.rename(tmp_path / "elsewhere")
            return given

    body = b"\n".join(lines)
    readers = Readers(store.find_edition)
    waiting = Waiting()
    with closing(GroupCommit(store, observer=waiting)) as commits:
        with pytest.raises(Refused, match="send everything again later") as refused:
            take_lines(Failing(body, 50_000), readers, commits, most_receipts=5, longest=999)
        assert refused.value.problem.name == "store-unavailable"
        (tmp_path / "elsewhere").rename(path)
        before = store.count_reports(PUBLISHED.digest)
        assert 0 < before < len(lines)
        again = take_lines(io.BytesIO(body), readers, commits, most_receipts=5, longest=999)
    assert (again.already_stored, again.stored) == (before, len(lines) - before)
    assert store.count_reports(PUBLISHED.digest) == len(lines)


def test_a_store_that_was_closed_takes_no_lines(
    tmp_path: Path, random_source: random.Random
) -> None:
    """A stream that comes too late is told so."""
    store = open_store(tmp_path / "late.sqlite")
    store.publish(PUBLISHED)
    readers = Readers(store.find_edition)
    body = b"\n".join(lines_of(2, random_source))
    with closing(GroupCommit(store)) as commits:
        taken = take_lines(io.BytesIO(body), readers, commits, most_receipts=5, longest=999)
        assert taken.stored == 2
        store.close()
        with pytest.raises(Refused, match="The store cannot be used now after 0 lines"):
            take_lines(io.BytesIO(body), readers, commits, most_receipts=5, longest=999)
    with pytest.raises(StoreUnavailable, match="it was closed"):
        store.count_reports(PUBLISHED.digest)


@pytest.mark.deep
def test_what_waits_is_bounded_in_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of long lines fewer are gathered, and fewer wait, than of short ones."""
    monkeypatch.setattr(streams, "_PATIENCE_S", 0.2)
    reports = Reports(LONG)
    body = b"\n".join(reports.draw(4 * GATHERED_BYTES // reports.length))
    observer = Waiting()
    with (
        slow_store(tmp_path / "store.sqlite") as store,
        ThreadPoolExecutor(1) as pool,
        closing(
            GroupCommit(store, most_patient_bytes=3 * GATHERED_BYTES, observer=observer)
        ) as commits,
    ):
        store.publish(LONG)
        readers = Readers(store.find_edition)
        taken = pool.submit(
            take_lines, io.BytesIO(body), readers, commits, most_receipts=5, longest=99_999
        )
        assert observer.was_busy.wait(PATIENCE_S)
        waiting = observer.count
        assert 2 * GATHERED_BYTES < waiting * (reports.length + 300) < 3 * GATHERED_BYTES
        store.go_on()
        with pytest.raises(Refused, match=f"after {waiting} lines, which were processed"):
            taken.result()
        assert store.count_reports(LONG.digest) == waiting


def test_a_short_body_is_told_at_once_where_there_is_no_room(
    tmp_path: Path, random_source: random.Random
) -> None:
    """It waits in no queue of long ones, where it would hold a thread that pages need."""
    body = b"\n".join(lines_of(3, random_source, SHORT))
    with (
        slow_store(tmp_path / "store.sqlite") as slow,
        closing(GroupCommit(slow, most_waiting=10)) as commits,
    ):
        slow.publish(SHORT)
        readers = Readers(slow.find_edition)
        commits.submit(rows(9, random_source), is_batch=True)
        with pytest.raises(Refused, match="after 0 lines") as refused:
            take_lines(io.BytesIO(body), readers, commits, most_receipts=5, longest=999)
        assert refused.value.problem.name == "too-busy"
        slow.go_on()


@pytest.mark.deep
def test_the_answer_to_lines_that_are_refused_has_a_limit(store: SqliteStore) -> None:
    """All are counted, and the first of them have results, a megabyte at most."""
    for count in (9_999, 10_000):
        with closing(GroupCommit(store)) as commits:
            told = take_lines(
                io.BytesIO(b"broken\n" * count),
                Readers(store.find_edition),
                commits,
                most_receipts=10_000,
                longest=999,
            ).to_json()
        taken = json.loads(told)
        assert taken["refused"] == count
        found = [result["index"] for result in taken["results"]]
        assert found == list(range(len(found)))
        assert len(found) > 3_000
        assert len(told) < 1.1e6
