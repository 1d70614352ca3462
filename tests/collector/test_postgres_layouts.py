"""A PostgreSQL store of an earlier layout opens as one of the present layout."""

import random
from contextlib import closing

import psycopg
import pytest

from deniable_collector.clock import utc_now
from deniable_collector.errors import UnreadableStore
from deniable_collector.store import add_reports, open_store
from deniable_sdk import PublishedSurvey
from deniable_storage.ends import End, Fieldwork
from invitations import invited_survey, many_reports
from postgres_server import PostgresServer, execute
from sample_definitions import choice, multiple, survey, yes_no
from store_samples import reports_of
from tally_checks import ask, check_tally, name_of
from there import there

OPEN = survey(yes_no(), choice(options=30), multiple(options=4), ask=2, epsilon=2, slug="open")
LIMITED = survey(yes_no(), slug="limited", at_most_reports=50)
INVITED = invited_survey(yes_no(), slug="ward", at_most_reports=50)
CLOSED = survey(yes_no(), slug="closed")
ALL = {OPEN: 300, LIMITED: 7, INVITED.published: 9, CLOSED: 20}


@pytest.fixture
def earlier(postgres_server: PostgresServer) -> str:
    """A database as it was before there were ends, tallies of values and readers."""
    url = postgres_server.schema()
    with closing(open_store(url)) as store:
        for published, count in ALL.items():
            store.publish(published)
            if published.invited:
                add_reports(store, many_reports(INVITED, count, random.Random(1)))
            else:
                add_reports(store, reports_of(published, count, random.Random(1)))
        store.close_survey("closed")
    execute(
        url,
        *(f"DROP TABLE {name_of('tally', published)}" for published in ALL),
        *(f"CREATE TABLE {name_of('tally', published)} ({OLD})" for published in limited()),
        "DROP TABLE ends, token_releases, unfinished",
        "DELETE FROM deniable_migrations WHERE name IN ('create_ends', 'create_tallies', "
        "'create_token_releases', 'create_tallies_of_counts', 'create_unfinished')",
    )
    return url


OLD = "shard integer PRIMARY KEY, reports bigint NOT NULL"


def limited() -> list[PublishedSurvey]:
    """The surveys that had a tally of all reports."""
    return [each for each in ALL if each.window and each.window.at_most_reports]


def migrations(url: str) -> set[object]:
    """The names of the steps that were applied."""
    return {name for (name,) in ask(url, "SELECT name FROM deniable_migrations")}


def test_an_earlier_database_gets_the_tallies_of_its_reports(earlier: str) -> None:
    """Each survey's is that of its rows, and more reports are added to it."""
    assert "create_tallies" not in migrations(earlier)
    with closing(open_store(earlier)) as store:
        for published, count in ALL.items():
            assert check_tally(earlier, published) == count
            assert store.count_reports(published.digest) == count
        closed = there(store.find_survey("closed"))
        assert store.fieldwork(closed, utc_now()) == Fieldwork(End.HAND)
        add_reports(store, reports_of(LIMITED, 3, random.Random(2)))
        assert check_tally(earlier, LIMITED) == 10
    assert {"create_ends", "create_tallies"} <= migrations(earlier)
    with closing(open_store(earlier)):
        assert check_tally(earlier, OPEN) == 300


def test_a_tally_of_the_layout_before_is_counted_again(postgres_server: PostgresServer) -> None:
    """It had a row for each member; whoever could read it can read the new one."""
    url, tally = postgres_server.schema(), name_of("tally", OPEN)
    with closing(open_store(url)) as store:
        store.publish(OPEN)
        add_reports(store, reports_of(OPEN, 40, random.Random(1)))
    execute(
        url,
        f"DROP TABLE {tally}",
        f"CREATE TABLE {tally} (block text, value text, shard integer, reports bigint, "
        "PRIMARY KEY (block, value, shard))",
        f"INSERT INTO {tally} VALUES ('', '', 3, 39)",  # noqa: S608  our name
        f"GRANT SELECT ON {tally} TO pg_monitor",
        "DELETE FROM deniable_migrations WHERE name = 'create_tallies_of_counts'",
    )
    with closing(open_store(url)):
        assert check_tally(url, OPEN) == 40
    asked = f"SELECT has_table_privilege('pg_monitor', '{tally}', 'SELECT')"
    assert ask(url, asked) == [(True,)]


def test_an_upgrade_that_is_interrupted_leaves_nothing(
    earlier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was counted already, the database is as it was, and the next opening counts all."""

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("deniable_collector.store.postgres.migrations.replace_tally", fail)
        with pytest.raises(KeyboardInterrupt):
            open_store(earlier)
    assert "create_ends" not in migrations(earlier)
    with pytest.raises(psycopg.errors.UndefinedTable):
        check_tally(earlier, OPEN)
    with closing(open_store(earlier)):
        assert check_tally(earlier, OPEN) == 300


def test_reports_that_no_device_sends_are_not_counted(earlier: str) -> None:
    """A database that was changed is left as it is, and the error says where."""
    execute(earlier, f"UPDATE {name_of('reports', LIMITED)} SET asthma = 5309")  # noqa: S608  our name
    with pytest.raises(UnreadableStore, match="reports of 'limited' cannot be counted: block 'as"):
        open_store(earlier)
    assert "create_tallies" not in migrations(earlier)
