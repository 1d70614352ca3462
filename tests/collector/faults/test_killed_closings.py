"""kill -9 while a survey is closed or purged: the next start finishes it, and says so."""

import multiprocessing
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path

import psycopg
import pytest

from deniable_collector.app import finish_erasing
from deniable_collector.errors import ErasingUnfinished
from deniable_collector.store import Store, open_store
from deniable_collector.store.base import Row, row_of
from deniable_sdk import PublishedSurvey, randomize
from deniable_storage.ends import End, Ending
from ending_surveys import CLOSES, LIMITED, OPEN, OPENS, WINDOW, found, take
from sample_definitions import choice, survey, yes_no
from served import publish, served
from store_samples import reports_of
from tally_checks import answers, ask, check_tally, name_of
from there import there

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
COMMITS = 8
ROWS = 1_000
TIMEOUT_S = 60
HEADER_BYTES = 100
UNFINISHED = "SELECT digest FROM unfinished"
Act = Callable[[str], None]


def close(location: str) -> None:
    """Close the survey, as a request of its owner does."""
    with closing(open_store(location)) as store:
        store.close_survey(PUBLISHED.slug)


def purge(location: str) -> None:
    """Remove the reports of the closed survey."""
    with closing(open_store(location)) as store:
        store.purge_reports(PUBLISHED.digest)


def fill(location: str, rows: Sequence[Row]) -> None:
    """Store these rows of the survey in their order, in many commits."""
    publish(location, PUBLISHED)
    with closing(open_store(location)) as store:
        for begin in range(0, len(rows), ROWS):
            store.add_rows({PUBLISHED.digest: rows[begin : begin + ROWS]})


def drawn(source: random.Random) -> list[Row]:
    """Rows with random ids, in a random order."""
    _, *values = row_of(randomize(PUBLISHED, {}, read_bytes=source.randbytes), PUBLISHED)
    return [(source.randbytes(16), *values) for _ in range(COMMITS * ROWS)]


def begin(act: Act, location: str) -> BaseProcess:
    """A process that does this."""
    process = multiprocessing.get_context("fork").Process(target=act, args=(location,))
    process.start()
    return process


def kill_during(act: Act, location: str, begun_sql: str, wait_s: float) -> bool:
    """Kill the process that does this some time after it began; whether it had not finished."""
    process = begin(act, location)
    deadline = time.monotonic() + TIMEOUT_S
    while not ask(location, begun_sql):
        assert time.monotonic() < deadline
        if not process.is_alive():
            # On a busy machine it may be done between two looks.
            process = begin(act, location)
    time.sleep(wait_s)
    process.kill()
    process.join()
    return bool(ask(location, UNFINISHED))


def content(path: Path) -> bytes:
    """The pages of a file; its header also counts how often the file was rewritten."""
    return path.read_bytes()[HEADER_BYTES:]


def check_order_is_erased(location: str, folder: Path, rows: Sequence[Row]) -> None:
    """Whoever has the store sees neither the order of the rows nor their commits."""
    if not location.startswith("postgresql:"):
        plain = folder / "plain.sqlite"
        if not plain.exists():
            fill(str(plain), sorted(rows))
            close(str(plain))
        assert content(Path(location)) == content(plain)
        return
    reports, tally = (name_of(kind, PUBLISHED) for kind in ("reports", "tally"))
    numbers, places = answers(
        location,
        f"SELECT xmin::text FROM {reports} UNION SELECT xmin::text FROM {tally}",  # noqa: S608  our names
        f"SELECT _report FROM {reports} ORDER BY ctid",  # noqa: S608  our name
    )
    assert len(numbers) == 1
    assert places == sorted(places)


def start_again(location: str, folder: Path) -> str:
    """What the log says of the next start."""
    with served(location, folder) as site:
        assert site.status() == 200
        assert site.stop() == 0
        text = site.log.read_text()
        site.log.unlink()
        return text


def kill_while_closing(location: str, folder: Path, rounds: int, source: random.Random) -> int:
    """How many of so many closings, each killed and then finished, were interrupted."""
    rows = drawn(source)
    fill(location, rows)
    interrupted, longest_s = 0, 0.2
    begun = "SELECT 1 FROM surveys WHERE is_closed"
    for number in range(rounds):
        # The first is killed at once, so that one is interrupted on every machine.
        after_s = source.uniform(0, longest_s) if number else 0
        is_left = kill_during(close, location, begun, after_s)
        text = start_again(location, folder)
        assert ("closing was interrupted" in text) == ("closing is finished" in text) == is_left
        assert not ask(location, UNFINISHED)
        check_order_is_erased(location, folder, rows)
        assert check_tally(location, PUBLISHED) == len(rows)
        interrupted += is_left
        if not is_left:
            # Closing takes less time than this machine was given.
            longest_s /= 2
        begun = UNFINISHED
    return interrupted


def test_the_next_start_finishes_a_closing_that_was_killed(
    location: str, tmp_path: Path, random_source: random.Random
) -> None:
    """Nothing in the store shows the order of its reports, and the log says what was done."""
    assert kill_while_closing(location, tmp_path, 2, random_source)


@pytest.mark.deep
def test_twelve_closings_that_were_killed_are_finished(
    location: str, tmp_path: Path, random_source: random.Random
) -> None:
    """At any moment of closing, and of finishing it."""
    assert kill_while_closing(location, tmp_path, 12, random_source) > 2


def test_the_next_start_finishes_a_purge_that_was_killed(
    tmp_path: Path, random_source: random.Random
) -> None:
    """No byte of the reports stays in the file or its log."""
    location = str(tmp_path / "store.sqlite")
    rows = drawn(random_source)
    fill(location, rows)
    close(location)
    assert kill_during(purge, location, "SELECT 1 FROM purged", 0)
    assert "purging is finished" in start_again(location, tmp_path)
    assert not ask(location, UNFINISHED)
    data = Path(location).read_bytes()
    assert not any(row[0] in data for row in rows)


@contextmanager
def reading(location: str, table: str) -> Iterator[None]:
    """A block in which another program reads a table at one moment."""
    statement = f"SELECT * FROM {table}"  # noqa: S608  our name
    if location.startswith("postgresql:"):
        with psycopg.connect(location) as database:
            database.execute(statement.encode())
            yield
        return
    with closing(sqlite3.connect(location, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute(statement).fetchall()
        yield


ENDS = [
    (WINDOW, End.CLOSES),
    (LIMITED, End.AT_MOST_REPORTS),
    (OPEN, End.MARGIN),
    (OPEN, End.HAND),
]


@pytest.mark.parametrize(("published", "end"), ENDS, ids=[end.value for _, end in ENDS])
def test_a_survey_stays_marked_until_closing_is_finished(
    location: str, store: Store, published: PublishedSurvey, end: End
) -> None:
    """However it ended; and what is recorded of its end stays the same."""
    now = CLOSES if end is End.CLOSES else OPENS
    store.publish(published)
    take(store, published, reports_of(published, 10, random.Random(1)), None)
    if end is End.MARGIN:
        assert store.end_by_margin(published.digest, now)
    with (
        closing(open_store(location, busy_timeout_s=0.05)) as impatient,
        reading(location, name_of("tally", published)),
    ):
        with pytest.raises(ErasingUnfinished, match="close the survey again once no other"):
            impatient.close_survey(published.slug, now)
        marked = found(store, published)
        assert (marked.is_closed, marked.is_unfinished) == (True, True)
    store.finish_erasing(marked)
    finished = found(store, published)
    assert (finished.is_closed, finished.is_unfinished) == (True, False)
    assert finished.ending == marked.ending == Ending(ended_by=end)
    assert not there(store.close_survey(published.slug, now)).is_unfinished


def test_a_start_that_cannot_finish_says_so_and_goes_on(
    location: str, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """While another program reads the store, the survey stays marked."""
    store.publish(OPEN)
    take(store, OPEN, reports_of(OPEN, 1, random.Random(1)))
    with (
        closing(open_store(location, busy_timeout_s=0.05)) as impatient,
        reading(location, name_of("tally", OPEN)),
    ):
        with pytest.raises(ErasingUnfinished):
            impatient.close_survey(OPEN.slug)
        finish_erasing(impatient)
    assert [record.getMessage().partition(", cause")[0] for record in caplog.records] == [
        "closing was interrupted: survey always, edition 1",
        "closing is not finished: survey always, edition 1",
    ]
    assert found(store, OPEN).is_unfinished
