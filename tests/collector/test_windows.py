"""When a store accepts reports, and how many: on every engine, with a clock that is handed in."""

import multiprocessing
import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest

from deniable_collector.clock import Moment, utc_now
from deniable_collector.errors import ErasingUnfinished, StoreUnavailable
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.store.base import ReportOutcome, Row, row_of
from deniable_collector.store.sqlite import SqliteStore
from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_storage.sqlite_tables import SqliteTable
from postgres_server import PostgresServer
from sample_definitions import survey, yes_no
from sampled_params import sampled_params
from store_filler import fill_to_the_limit
from store_samples import Open, reports_of
from tally_checks import check_tally

OPENS = datetime(2031, 3, 1, 9, tzinfo=UTC)
CLOSES = OPENS + timedelta(days=7)
INSTANT = timedelta(microseconds=1)
STORED, KNOWN = ReportOutcome.STORED, ReportOutcome.ALREADY_STORED
NOT_OPEN, OVER = ReportOutcome.NOT_OPEN, ReportOutcome.OVER
FULL, CONFLICT = ReportOutcome.FULL, ReportOutcome.CONFLICT
WINDOW = survey(yes_no(), slug="window", opens="2031-03-01T09:00Z", closes="2031-03-08T09:00Z")
LIMITED = survey(yes_no(), slug="limited", at_most_reports=10)
OPEN = survey(yes_no(), slug="always")


def take(
    store: Store, published: PublishedSurvey, reports: list[Report], now: Moment | None = OPENS
) -> list[ReportOutcome]:
    """What becomes of these reports at a moment."""
    rows = [row_of(report, published) for report in reports]
    return list(store.add_rows({published.digest: rows}, now)[published.digest])


def tables(location: str) -> set[str]:
    """The names of a store's tables."""
    if location.startswith("postgresql:"):
        statement = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        with psycopg.connect(location) as database:
            return {str(name) for (name,) in database.execute(statement)}
    with closing(sqlite3.connect(location)) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {str(name) for (name,) in found}


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (OPENS - INSTANT, NOT_OPEN),
        (OPENS, STORED),
        (CLOSES - INSTANT, STORED),
        (CLOSES, OVER),
        (datetime(2099, 1, 1, tzinfo=UTC), OVER),
        (None, STORED),
    ],
)
def test_reports_are_stored_from_the_first_moment_to_the_last(
    store: Store, random_source: random.Random, now: Moment | None, expected: ReportOutcome
) -> None:
    """The window has its beginning and not its end; without a clock nobody asks about it."""
    stored = store.publish(WINDOW).stored
    (report,) = reports_of(WINDOW, 1, random_source)
    assert take(store, WINDOW, [report], now) == [expected]
    assert store.count_reports(WINDOW.digest) == (expected is STORED)
    if now:
        assert store.refusal(stored, now) == (None if expected is STORED else expected)


def test_a_stored_report_is_known_whatever_time_it_is(
    store: Store, random_source: random.Random
) -> None:
    """A retry after the end, or after a clock that went back, is told that the report is there."""
    store.publish(WINDOW)
    known, new = reports_of(WINDOW, 2, random_source)
    other = randomize(WINDOW, {})
    while other.values == known.values:
        other = randomize(WINDOW, {})
    forged = known.replace(values=other.values)
    assert take(store, WINDOW, [known]) == [STORED]
    for now, refusal in ((CLOSES, OVER), (OPENS - INSTANT, NOT_OPEN)):
        found = take(store, WINDOW, [known, new, forged], now)
        assert found == [KNOWN, refusal, CONFLICT]
    assert store.count_reports(WINDOW.digest) == 1


def test_other_surveys_of_the_same_transaction_are_not_affected(
    store: Store, random_source: random.Random
) -> None:
    """Each survey of a commit is judged by its own window."""
    surveys = (WINDOW, OPEN, LIMITED)
    for published in surveys:
        store.publish(published)
    rows = {
        published.digest: [
            row_of(report, published) for report in reports_of(published, 2, random_source)
        ]
        for published in surveys
    }
    found = store.add_rows(rows, CLOSES)
    assert found == {
        WINDOW.digest: [OVER] * 2,
        OPEN.digest: [STORED] * 2,
        LIMITED.digest: [STORED] * 2,
    }


def test_a_full_survey_accepts_no_more(store: Store, random_source: random.Random) -> None:
    """A commit that begins below the limit is stored whole, and counts; the next one is not."""
    stored = store.publish(LIMITED).stored
    reports = reports_of(LIMITED, 20, random_source)
    assert take(store, LIMITED, reports[:9]) == [STORED] * 9
    assert store.refusal(stored, OPENS) is None
    # Known reports are not counted again, in whichever way they are found.
    assert take(store, LIMITED, reports[:9]) == [KNOWN] * 9
    assert take(store, LIMITED, [reports[0], reports[9], reports[10], reports[9]]) == [
        KNOWN,
        STORED,
        STORED,
        KNOWN,
    ]
    assert store.refusal(stored, OPENS) is FULL
    assert take(store, LIMITED, [reports[11], reports[3], reports[10]]) == [FULL, KNOWN, KNOWN]
    assert store.count_reports(LIMITED.digest) == 11
    # Reports that move from another store are those that were acknowledged there.
    assert take(store, LIMITED, reports[11:13], None) == [STORED] * 2
    assert store.count_reports(LIMITED.digest) == 13


def test_a_limit_holds_after_the_store_is_opened_again(
    store: Store, reopen: Open, random_source: random.Random
) -> None:
    """Nothing has to be counted again: the number is in the store, beside the reports."""
    store.publish(LIMITED)
    reports = reports_of(LIMITED, 12, random_source)
    assert take(store, LIMITED, reports[:10]) == [STORED] * 10
    store.close()
    with closing(reopen()) as again:
        assert take(again, LIMITED, reports[10:]) == [FULL] * 2


def test_what_fails_is_not_counted(store: Store, random_source: random.Random) -> None:
    """If a transaction fails, neither its reports nor their number stay."""
    # Surveys are stored in the order of their digests, or in the order in which they are given.
    later = (survey(yes_no(), slug=f"later-{number}") for number in range(99))
    broken = next(published for published in later if published.digest > LIMITED.digest)
    for published in (LIMITED, broken):
        store.publish(published)
    reports = reports_of(LIMITED, 13, random_source)
    rows: list[Row] = [row_of(report, LIMITED) for report in reports[:12]]
    with pytest.raises((sqlite3.ProgrammingError, StoreUnavailable)):
        store.add_rows({LIMITED.digest: rows, broken.digest: [(bytes(16), 1, 1, 1)]}, OPENS)
    assert store.count_reports(LIMITED.digest) == 0
    assert take(store, LIMITED, reports[:9]) == [STORED] * 9
    assert take(store, LIMITED, reports[9:12]) == [STORED] * 3
    assert take(store, LIMITED, reports[12:]) == [FULL]


def test_every_survey_is_tallied_also_once_it_is_closed(
    store: Store, location: str, random_source: random.Random
) -> None:
    """With a limit or without, a survey has two tables, and keeps them; reports can be purged."""
    before = tables(location)
    store.publish(OPEN)
    store.publish(LIMITED)
    theirs = {
        f"{kind}_{published.slug}_{published.digest[:12]}"
        for published in (OPEN, LIMITED)
        for kind in ("reports", "tally")
    }
    assert tables(location) - before == theirs
    known, new = reports_of(LIMITED, 2, random_source)
    assert take(store, LIMITED, [known]) == [STORED]
    for slug in ("limited", "limited", "always"):
        store.close_survey(slug)
    assert tables(location) - before == theirs
    assert store.count_reports(LIMITED.digest) == 1
    assert take(store, LIMITED, [known, new]) == [KNOWN, ReportOutcome.CLOSED]
    closed = store.find_survey("limited")
    assert closed is not None
    assert store.refusal(closed, OPENS) is ReportOutcome.CLOSED
    assert store.purge_reports(LIMITED.digest) == 1


def test_who_reads_the_tally_does_not_keep_a_survey_open(
    postgres_server: PostgresServer, random_source: random.Random
) -> None:
    """While a backup reads it, no report is accepted; closing again finishes the rest."""
    location = postgres_server.schema()
    with closing(open_store(location, busy_timeout_s=0.2)) as store:
        store.publish(LIMITED)
        (report,) = reports_of(LIMITED, 1, random_source)
        with psycopg.connect(location) as reading:
            reading.execute(f"SELECT * FROM tally_limited_{LIMITED.digest[:12]}".encode())  # noqa: S608  our name
            with pytest.raises(ErasingUnfinished):
                store.close_survey("limited")
            assert take(store, LIMITED, [report]) == [ReportOutcome.CLOSED]
            reading.rollback()
        assert store.close_survey("limited") is not None
        assert store.count_reports(LIMITED.digest) == 0


def test_the_rows_are_never_counted_to_store_more(
    tmp_path: Path, random_source: random.Random
) -> None:
    """What a commit costs does not grow with the reports that are there."""
    statements: list[str] = []
    with closing(SqliteStore(tmp_path / "store.sqlite")) as store:
        store.publish(LIMITED)
        add_reports(store, reports_of(LIMITED, 2, random_source))
        store._writer.set_trace_callback(statements.append)
        for count in (1, 7, 5):
            take(store, LIMITED, reports_of(LIMITED, count, random_source))
    table = SqliteTable.of(LIMITED)
    assert any(table.tally in statement for statement in statements)
    reading = [text for text in statements if table.name in text and text.startswith("SELECT")]
    assert all("WHERE _report =" in statement for statement in reading)
    assert len(reading) == 5


@pytest.mark.parametrize("size", sampled_params([40, 1]))
def test_two_processes_exceed_the_limit_by_at_most_a_commit_each(location: str, size: int) -> None:
    """They race until the survey is full; what was acknowledged is there, and little more."""
    limit = 500
    published = survey(yes_no(), slug="race", at_most_reports=limit)
    with closing(open_store(location)) as store:
        store.publish(published)
    spawning = multiprocessing.get_context("spawn")
    outcomes: multiprocessing.Queue[int] = spawning.Queue()
    processes = [
        spawning.Process(
            target=fill_to_the_limit, args=(location, published.document, size, outcomes)
        )
        for _ in range(2)
    ]
    for process in processes:
        process.start()
    counts = [outcomes.get(timeout=120) for _ in processes]
    for process in processes:
        process.join()
    with closing(open_store(location)) as store:
        assert store.count_reports(published.digest) == sum(counts)
        assert check_tally(location, published) == sum(counts)
        stored = store.find_survey("race")
        assert stored is not None
        assert store.refusal(stored, utc_now()) is FULL
    assert limit <= sum(counts) < limit + len(processes) * size
