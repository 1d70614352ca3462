"""The tally of every survey is that of its rows, on every engine, after whatever happens."""

import random
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from deniable_collector.clock import utc_now
from deniable_collector.errors import StoreUnavailable
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.store.base import ReportOutcome, row_of
from deniable_collector.store.sqlite import SqliteStore
from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_storage.postgres_tables import PostgresTable
from deniable_storage.sqlite_tables import SqliteTable
from deniable_storage.tally_rows import members_by_text
from invitations import GROUPS, invited_survey, many_reports
from postgres_server import PostgresServer
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from store_samples import Open, reports_of
from tally_checks import ask, check_tally, name_of, stored_tally
from there import there

KINDS = survey(
    yes_no(),
    choice(options=30),
    multiple(options=6),
    multiple("tools", options=4, at_most=2, mechanism="privset"),
    number(),
    scale(target="mean"),
    ask=3,
    epsilon=3,
    slug="kinds",
)
WHOLE = survey(yes_no(), choice(options=30), ask="all", epsilon=1, slug="whole")
INVITED = invited_survey(yes_no(), choice(options=30), ask=1, epsilon="0.5", slug="ward")
WARD = INVITED.published
# Columns with the names that the temporary table has for itself.
NAMES = survey(
    *(yes_no(name) for name in ("block", "value", "reports", "shard", "added", "kept", "counted")),
    ask=3,
    epsilon=3,
    slug="names",
)


def some_reports(published: PublishedSurvey, count: int, source: random.Random) -> list[Report]:
    """Reports of a survey, by invitation or not."""
    if published.invited:
        return many_reports(INVITED, count, source, groups=(*GROUPS, GROUPS[0]))
    return reports_of(published, count, source)


@pytest.mark.parametrize(
    "published", [KINDS, WHOLE, WARD, NAMES], ids=lambda published: published.slug
)
def test_the_tally_is_that_of_the_rows(
    store: Store, location: str, random_source: random.Random, published: PublishedSurvey
) -> None:
    """For values of every kind and commits of any size, and it is what the counts are."""
    stored = store.publish(published).stored
    assert check_tally(location, published) == 0
    reports = some_reports(published, 120, random_source)
    begin = 0
    for size in (1, 2, 7, 40, 70):
        add_reports(store, reports[begin : begin + size])
        begin += size
        assert check_tally(location, published) == begin
    counts = store.look(stored, published.blocks)
    assert counts.report_count == store.count_reports(published.digest) == 120
    for block in published.blocks:
        rows = stored_tally(location, published)
        texts = members_by_text(block.mechanism.form)
        assert counts.blocks[block.id].support == {
            member: found
            for text, member in texts.items()
            if (found := sum(rows[key] for key in rows if key[:2] == (block.id, text)))
        }
    assert store.recount(stored).differing == ()
    store.close_survey(published.slug)
    assert check_tally(location, published) == 120
    assert store.look(there(store.find_survey(published.slug)), published.blocks) == counts


def test_only_new_reports_are_tallied(
    store: Store, location: str, random_source: random.Random
) -> None:
    """Of a commit with known, forged, doubled and new reports, exactly the new ones count."""
    store.publish(WHOLE)
    reports = reports_of(WHOLE, 60, random_source)
    others = reports_of(WHOLE, 60, random_source)
    add_reports(store, reports[:20])
    forged = [
        report.replace(values=other.values)
        for report, other in zip(reports, others, strict=True)
        if report.values != other.values
    ]
    batch = [*reports[:30], *forged[:40], *reports[25:40]]
    random_source.shuffle(batch)
    outcomes = add_reports(store, batch)
    assert set(outcomes) == {
        ReportOutcome.STORED,
        ReportOutcome.ALREADY_STORED,
        ReportOutcome.CONFLICT,
    }
    assert check_tally(location, WHOLE) == 20 + outcomes.count(ReportOutcome.STORED)
    # Each is doubled in the same commit, and all are new.
    late = reports[-10:]
    add_reports(store, [*late, *late])
    assert check_tally(location, WHOLE) == 20 + outcomes.count(ReportOutcome.STORED) + 10


def test_what_is_refused_or_fails_is_not_tallied(
    store: Store, location: str, random_source: random.Random
) -> None:
    """A closed survey's new reports and a failed transaction leave the tally as it was."""
    # Surveys are stored in the order of their digests, or in the order in which they are given.
    later = (survey(yes_no(), slug=f"later-{number}") for number in range(99))
    broken = next(published for published in later if published.digest > WHOLE.digest)
    for published in (WHOLE, broken):
        store.publish(published)
    reports = reports_of(WHOLE, 30, random_source)
    add_reports(store, reports[:10])
    rows = [row_of(report, WHOLE) for report in reports[10:20]]
    with pytest.raises((sqlite3.ProgrammingError, StoreUnavailable)):
        store.add_rows({WHOLE.digest: rows, broken.digest: [(bytes(16), 1, 1, 1)]})
    assert check_tally(location, WHOLE) == 10
    store.close_survey("whole")
    add_reports(store, reports)
    assert check_tally(location, WHOLE) == 10


def test_purging_removes_the_tally(
    store: Store, location: str, random_source: random.Random
) -> None:
    """No row is left of purged reports, and other surveys keep theirs."""
    for published in (WHOLE, KINDS):
        store.publish(published)
        add_reports(store, reports_of(published, 30, random_source))
        store.close_survey(published.slug)
    assert store.purge_reports(WHOLE.digest) == 30
    assert not stored_tally(location, WHOLE)
    assert check_tally(location, KINDS) == 30
    assert not store.recount(there(store.find_survey("whole"))).differing


def test_counts_by_group_are_of_one_group(
    store: Store, location: str, random_source: random.Random
) -> None:
    """The groups of the tally are those of the rows, and add up to all."""
    stored = store.publish(WARD).stored
    add_reports(store, some_reports(WARD, 60, random_source))
    assert check_tally(location, WARD) == 60
    whole = store.look(stored, WARD.blocks)
    parts = [store.look(stored, WARD.blocks, group) for group in GROUPS]
    assert [part.report_count for part in parts] == [40, 20]
    for block in WARD.blocks:
        added = {
            member: sum(part.blocks[block.id].support.get(member, 0) for part in parts)
            for member in whole.blocks[block.id].support
        }
        assert added == whole.blocks[block.id].support


def test_threads_on_two_openings_keep_the_tally(
    store: Store, reopen: Open, location: str, random_source: random.Random
) -> None:
    """They bring the same reports in other orders; each is counted once."""
    store.publish(WHOLE)
    store.publish(KINDS)
    reports = [*reports_of(WHOLE, 150, random_source), *reports_of(KINDS, 150, random_source)]
    orders = [random_source.sample(reports, len(reports)) for _ in range(4)]
    with closing(reopen()) as beside:

        def work(opened: Store, order: list[Report]) -> None:
            for begin in range(0, len(order), 20):
                add_reports(opened, order[begin : begin + 20])

        threads = [
            threading.Thread(target=work, args=((store, beside)[number % 2], order))
            for number, order in enumerate(orders)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert check_tally(location, WHOLE) == check_tally(location, KINDS) == 150


def test_counting_reads_no_report(tmp_path: Path, random_source: random.Random) -> None:
    """Only the tally is named in a statement, however many blocks are counted."""
    statements: list[str] = []
    with closing(SqliteStore(tmp_path / "store.sqlite")) as store:
        stored = store.publish(WHOLE).stored
        add_reports(store, reports_of(WHOLE, 20, random_source))
        store._reader.set_trace_callback(statements.append)
        store.look(stored, WHOLE.blocks)
        store.count_reports(WHOLE.digest)
        store.fieldwork(stored, utc_now())
    table = SqliteTable.of(WHOLE)
    assert any(table.tally in statement for statement in statements)
    assert not any(f'"{table.name}"' in statement for statement in statements)


def test_a_process_that_only_stores_needs_no_numpy(tmp_path: Path) -> None:
    """Counting what arrives is the standard library's work."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(KINDS)
    reports = [randomize(KINDS, {}).to_bytes() for _ in range(50)]
    program = (
        "import sys; from deniable_collector.store import open_store, add_reports; "
        "from deniable_sdk import Report; "
        f"store = open_store({str(path)!r}); "
        f"outcomes = add_reports(store, [Report.from_bytes(each) for each in {reports!r}]); "
        f"print(len(outcomes), store.count_reports({KINDS.digest!r}), 'numpy' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["50", "50", "False"]
    assert check_tally(str(path), KINDS) == 50


def test_a_closed_survey_in_postgres_has_one_shard_and_one_transaction(
    postgres_server: PostgresServer, random_source: random.Random
) -> None:
    """While open, commits are spread over shards; once closed nothing tells them apart."""
    url = postgres_server.schema()
    tally = name_of("tally", WHOLE)
    traces = f"SELECT shard, xmin::text, counts[1] FROM {tally} WHERE block = ''"  # noqa: S608  our name
    places = f"SELECT block FROM {tally} ORDER BY ctid"  # noqa: S608  our name
    with closing(open_store(url)) as store:
        store.publish(WHOLE)
        for report in reports_of(WHOLE, 80, random_source):
            add_reports(store, [report])
        shards = ask(url, traces)
        assert 4 < len(shards) <= 16
        assert len({transaction for _, transaction, _ in shards}) == len(shards)
        store.close_survey("whole")
        assert [(shard, count) for shard, _, count in ask(url, traces)] == [(0, 80)]
        transactions = ask(url, f"SELECT DISTINCT xmin::text FROM {tally}")  # noqa: S608  our name
        assert len(transactions) == 1
        found = ask(url, places)
        assert all(one < other for one, other in pairwise(found))
        assert check_tally(url, WHOLE) == 80


def test_closing_changes_nothing_else_of_a_tally(postgres_server: PostgresServer) -> None:
    """Its columns, its key with its name, and who may read it stay as they were."""
    url = postgres_server.schema()
    name = PostgresTable.of(WHOLE).tally
    described = (
        "SELECT (SELECT array_agg(attname || format_type(atttypid, atttypmod) || attnotnull "  # noqa: S608  our name
        "ORDER BY attnum) FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0), "
        "(SELECT array_agg(pg_get_constraintdef(oid) || conname) FROM pg_constraint "
        "WHERE conrelid = pg_class.oid), (SELECT array_agg(grantee || privilege_type "
        "ORDER BY grantee, privilege_type) FROM aclexplode(relacl)) "
        f"FROM pg_class WHERE oid = '{name}'::regclass"
    )
    with closing(open_store(url)) as store:
        store.publish(WHOLE)
        ask(url, f"GRANT SELECT ON {name} TO pg_monitor, PUBLIC")
        before = ask(url, described)
        store.close_survey("whole")
        assert ask(url, described) == before
    assert "SELECT" in str(before)


def test_who_reads_a_tally_while_it_is_rewritten_reads_all_of_it(
    postgres_server: PostgresServer, random_source: random.Random
) -> None:
    """Counting waits for a closing that is at its end, and never finds an empty table."""
    url = postgres_server.schema()
    with closing(open_store(url)) as store, closing(open_store(url)) as beside:
        stored = store.publish(WHOLE).stored
        add_reports(store, reports_of(WHOLE, 50, random_source))
        counts: list[int] = []
        is_over = threading.Event()

        def count() -> None:
            while not is_over.is_set():
                counts.append(beside.look(stored, WHOLE.blocks).report_count)

        thread = threading.Thread(target=count)
        thread.start()
        for _ in range(10):
            store.close_survey("whole")
        is_over.set()
        thread.join()
    assert set(counts) == {50}
