"""Behaviour that only the store in a PostgreSQL database has."""

import random
import re
import threading
from collections.abc import Callable
from contextlib import closing

import psycopg

from deniable_collector.clock import utc_now
from deniable_collector.store import add_reports, open_store
from deniable_collector.store.base import ReportOutcome, row_of
from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_storage.postgres_tables import PostgresTable
from postgres_server import PASSWORD, PostgresServer
from sample_definitions import choice, survey, yes_no

HEALTH = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
TABLE = PostgresTable.of(HEALTH)


def make_reports(
    count: int, read_bytes: Callable[[int], bytes], published: PublishedSurvey = HEALTH
) -> list[Report]:
    """Reports of respondents who did not answer."""
    return [randomize(published, {}, read_bytes=read_bytes) for _ in range(count)]


def ask(url: str, query: str) -> list[tuple[object, ...]]:
    """What the database answers to a query of the test's own."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(query.encode())
        return cursor.fetchall() if cursor.description else []


def test_values_are_stored_as_the_contract_says(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """Single options are integers, sets canonical JSON, what was not asked NULL."""
    url = postgres_server.schema()
    mixed = survey(yes_no(), choice(options=30), ask=1, epsilon="0.5")
    reports = make_reports(50, read_bytes, mixed)
    with closing(open_store(url)) as store:
        stored = store.publish(mixed).stored
        add_reports(store, reports)
    rows = ask(url, f"SELECT uuid_send(_report), asthma, region FROM {stored.reports_table}")  # noqa: S608  our name
    assert set(rows) == {row_of(report, mixed) for report in reports}
    assert {type(row[1]) for row in rows} == {int, type(None)}
    assert {type(row[2]) for row in rows} == {str, type(None)}


def test_a_closed_survey_lies_in_the_order_of_its_ids_and_tells_no_transactions(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """While open, places and transactions follow arrival; once closed, only the ids do."""
    url = postgres_server.schema()
    places = f"SELECT uuid_send(_report), xmin::text FROM {TABLE.name} ORDER BY ctid"  # noqa: S608  our name
    reports = make_reports(40, read_bytes)
    arrived = [bytes.fromhex(report.id) for report in reports]
    with closing(open_store(url)) as store:
        store.publish(HEALTH)
        for report in reports:
            add_reports(store, [report])
        before = ask(url, places)
        assert [report_id for report_id, _ in before] == arrived
        assert len({transaction for _, transaction in before}) == len(reports)
        store.close_survey("health")
        after = ask(url, places)
        assert [report_id for report_id, _ in after] == sorted(arrived)
        assert len({transaction for _, transaction in after}) == 1
        assert add_reports(store, reports) == (ReportOutcome.ALREADY_STORED,) * len(reports)


def test_closing_changes_nothing_else_of_a_table(postgres_server: PostgresServer) -> None:
    """Its columns, its key with its name, and who may read it stay as they were."""
    url = postgres_server.schema()
    described = (
        "SELECT (SELECT array_agg(attname || format_type(atttypid, atttypmod) ORDER BY attnum) "  # noqa: S608  our name
        "FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0), "
        "(SELECT array_agg(indexrelid::regclass::text || indisprimary) FROM pg_index "
        "WHERE indrelid = pg_class.oid), (SELECT array_agg(grantee || privilege_type "
        "ORDER BY grantee, privilege_type) FROM aclexplode(relacl)) "
        f"FROM pg_class WHERE oid = '{TABLE.name}'::regclass"
    )
    with closing(open_store(url)) as store:
        store.publish(HEALTH)
        ask(url, f"GRANT SELECT ON {TABLE.name} TO pg_monitor, PUBLIC")
        before = ask(url, described)
        store.close_survey("health")
        assert ask(url, described) == before
    assert "SELECT" in str(before)


def test_a_long_slug_still_makes_a_name_that_postgres_keeps(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """Names are cut before the server would cut them, and closing finds them."""
    long = survey(yes_no(), slug="a" * 64)
    with closing(open_store(postgres_server.schema())) as store:
        stored = store.publish(long).stored
        assert len(stored.reports_table) == 63
        add_reports(store, make_reports(3, read_bytes, long))
        assert store.close_survey(long.slug) is not None
        assert store.count_reports(long.digest) == 3


def test_a_store_takes_more_surveys_than_a_session_keeps_tables(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """Reports of forty surveys, also in one transaction, are all stored and told apart."""
    surveys = [survey(yes_no(), slug=f"survey-{number}") for number in range(40)]
    with closing(open_store(postgres_server.schema())) as store:
        for published in surveys:
            store.publish(published)
        reports = [make_reports(1, read_bytes, published)[0] for published in surveys]
        for report in reports[:20]:
            assert add_reports(store, [report]) == (ReportOutcome.STORED,)
        assert add_reports(store, reports) == (
            (ReportOutcome.ALREADY_STORED,) * 20 + (ReportOutcome.STORED,) * 20
        )


def test_the_server_logs_no_id_and_no_value(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """Not even a server that logs every statement with its parameters learns of reports there."""
    before = len(postgres_server.log)
    reports = make_reports(20, read_bytes)
    forged = Report(reports[0].survey, reports[0].id, reports[1].values)
    with closing(open_store(postgres_server.schema())) as store:
        stored = store.publish(HEALTH).stored
        add_reports(store, reports)
        add_reports(store, [*reports, forged])
        store.look(stored, HEALTH.blocks)
        store.count_tuples(stored, HEALTH.blocks[:2], 1_000, now=utc_now())
        store.read_rows(stored, bytes.fromhex(reports[0].id), 5)
        store.close_survey("health")
        add_reports(store, make_reports(1, read_bytes))
    said = postgres_server.log[before:]
    assert f'COPY "{TABLE.incoming}"' in said  # statements are logged
    for report in reports:
        for trace in (report.id, report.id[:8], bytes.fromhex(report.id).hex(" ")):
            assert trace not in said
        assert str(report.values["region"]).replace(" ", "") not in said


def test_transactions_that_bring_the_same_ids_wait_for_each_other_in_no_circle(
    postgres_server: PostgresServer, random_source: random.Random
) -> None:
    """Two collectors that get the same reports in opposite orders store each once."""
    url = postgres_server.schema()
    reports = make_reports(2_000, random_source.randbytes)
    outcomes: list[ReportOutcome] = []

    def send(shuffled: list[Report]) -> None:
        with closing(open_store(url)) as store:
            for start in range(0, len(shuffled), 500):
                outcomes.extend(add_reports(store, shuffled[start : start + 500]))

    with closing(open_store(url)) as store:
        store.publish(HEALTH)
        threads = [
            threading.Thread(target=send, args=(random_source.sample(reports, len(reports)),))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.count_reports(HEALTH.digest) == 2_000
    assert outcomes.count(ReportOutcome.STORED) == 2_000
    assert outcomes.count(ReportOutcome.ALREADY_STORED) == 4_000


def test_storing_and_closing_do_not_pass_each_other(
    postgres_server: PostgresServer, random_source: random.Random
) -> None:
    """What was said to be stored is there after closing, and nothing that was refused."""
    url = postgres_server.schema()
    outcomes: list[ReportOutcome] = []
    is_closed = threading.Event()

    def send(seed: int) -> None:
        source = random.Random(seed)
        with closing(open_store(url)) as store:
            while not is_closed.is_set() or ReportOutcome.CLOSED not in outcomes:
                outcomes.extend(add_reports(store, make_reports(20, source.randbytes)))

    with closing(open_store(url)) as store:
        store.publish(HEALTH)
        seeds = [random_source.getrandbits(32) for _ in range(2)]
        threads = [threading.Thread(target=send, args=(seed,)) for seed in seeds]
        for thread in threads:
            thread.start()
        while ReportOutcome.STORED not in outcomes:
            is_closed.wait(0.01)
        store.close_survey("health")
        is_closed.set()
        for thread in threads:
            thread.join()
        assert store.count_reports(HEALTH.digest) == outcomes.count(ReportOutcome.STORED)
    assert set(outcomes) == {ReportOutcome.STORED, ReportOutcome.CLOSED}


def test_a_commit_waits_for_the_disk_whatever_the_default_of_the_user_is(
    postgres_server: PostgresServer,
) -> None:
    """A database that was set to answer before it has written is told not to."""
    url = postgres_server.schema()
    lazy = re.sub(r"options=", "options=-csynchronous_commit%3Doff%20", url)
    assert ask(lazy, "SHOW synchronous_commit") == [("off",)]
    with closing(open_store(lazy)) as store, store._writers.lend() as connection:  # type: ignore[attr-defined]
        row = connection.execute("SHOW synchronous_commit").fetchone()
    assert row == ("on",)


def test_a_store_does_not_show_its_password(postgres_server: PostgresServer) -> None:
    """Neither its representation nor that of its parts holds the password."""
    with closing(open_store(postgres_server.schema())) as store:
        assert PASSWORD not in repr(store)
        with store._writers.lend() as connection:  # type: ignore[attr-defined]
            assert PASSWORD not in repr(connection)
