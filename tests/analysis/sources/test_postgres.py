"""Counting in a real PostgreSQL database that a collector wrote."""

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from analysis.study_files import reports_table, tally
from deniable_analysis import export_study, open_study
from deniable_analysis.errors import PackageMissing, StudyUnavailable, UnreadableStudy
from deniable_analysis.sources import open_source
from deniable_analysis.sources.stores import PostgresSource
from deniable_collector.store import add_reports, open_store
from deniable_sdk import randomize
from deniable_storage import postgres
from postgres_server import PASSWORD, PostgresServer
from sample_definitions import choice, multiple, number, scale, survey, yes_no

KINDS = survey(
    choice("region", 9, required=True),
    yes_no("order", required=True),
    multiple(options=4),
    number(),
    scale(target="mean"),
    epsilon=4,
    ask=4,
)
TABLE, TALLY = reports_table(KINDS), tally(KINDS)
ANSWERS = {"order": "yes", "region": "o1"}


@pytest.fixture
def stores(
    postgres_server: PostgresServer, tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> tuple[str, Path]:
    """The same 2,000 reports in a database and in a file."""
    url, path = postgres_server.schema(), tmp_path / "store.sqlite"
    reports = [randomize(KINDS, ANSWERS, read_bytes=read_bytes) for _ in range(2_000)]
    for location in (url, path):
        with closing(open_store(location)) as store:
            store.publish(KINDS)
            add_reports(store, reports)
    return url, path


@pytest.fixture
def url(postgres_server: PostgresServer) -> str:
    """A database of a survey without reports."""
    location = postgres_server.schema()
    with closing(open_store(location)) as store:
        store.publish(KINDS)
    return location


def run(url: str, statement: str) -> None:
    """Change a database behind everybody's back."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


@pytest.mark.parametrize("rows", [1 << 19, 100])
def test_a_database_says_what_a_file_with_the_same_reports_says(
    stores: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """Counts, tuples and estimates are the same, read at once or a few pages at a time."""
    monkeypatch.setattr(postgres, "rows_of_chunk", lambda _: rows)
    database, file = (open_study(location) for location in stores)
    assert database.survey == file.survey
    assert database.count(KINDS.blocks) == file.count(KINDS.blocks)
    for chosen in (KINDS.blocks[:2], KINDS.blocks[2:5], KINDS.blocks[:1]):
        ours, theirs = database.joint_counts(chosen), file.joint_counts(chosen)
        assert ours.indexes.tolist() == theirs.indexes.tolist()
        assert ours.counts.tolist() == theirs.counts.tolist()
        assert [found.tolist() for found in ours.values] == [
            found.tolist() for found in theirs.values
        ]
    assert database.estimate().to_document() == file.estimate().to_document()


def test_an_export_of_a_database_is_that_of_a_file(
    stores: tuple[str, Path], tmp_path: Path
) -> None:
    """Reports come in the order of their ids, without these, and byte for byte the same."""
    url, file = stores
    exports = [tmp_path / f"{name}.ndjson" for name in ("database", "file")]
    assert export_study(url, exports[0]).report_count == 2_000
    assert export_study(file, exports[1]).report_count == 2_000
    assert exports[0].read_bytes() == exports[1].read_bytes()


def test_a_database_without_reports_counts_nothing(url: str) -> None:
    """Every count of an empty table is 0, and no tuple is there."""
    study = open_study(url)
    assert study.count(KINDS.blocks).report_count == 0
    assert study.joint_counts(KINDS.blocks[:2]).report_count == 0


def test_surveys_are_listed_by_slug_and_edition(url: str) -> None:
    """Every edition of every slug is listed, with whether it is closed."""
    successor, other = survey(yes_no(), title="Two"), survey(yes_no(), slug="a-b")
    with closing(open_store(url)) as store:
        store.close_survey(KINDS.slug)
        store.publish(successor)
        store.publish(other)
    found = [(each.slug, each.edition, each.is_closed) for each in open_source(url).surveys()]
    assert found == [("a-b", 1, False), ("health", 1, True), ("health", 2, False)]
    assert open_study(url, "health@1").survey == KINDS


@pytest.mark.parametrize(
    ("strange", "row"),
    [
        ("region", "0, '[1]', NULL"),
        ("order", "77, NULL, NULL"),
        ("region", "NULL, '[0,1]x', NULL"),
        ("region", "NULL, '[1,0]', NULL"),
    ],
)
def test_a_value_no_device_sends_is_refused(url: str, strange: str, row: str) -> None:
    """A stored value that its block cannot give is refused by block, and never repeated."""
    columns = '_report, "order", region, drugs'
    run(
        url,
        f"INSERT INTO {TABLE} ({columns}) VALUES (gen_random_uuid(), {row})",  # noqa: S608 - our own
    )
    study = open_study(url)
    (block,) = [block for block in KINDS.blocks if block.id == strange]
    with pytest.raises(UnreadableStudy, match=f"block '{strange}': got a stored value") as raised:
        study.joint_counts([block])
    assert "77" not in str(raised.value)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "change",
    [
        "counts = counts || 77::bigint WHERE block = 'order'",
        "counts = counts[:2] WHERE block = 'order'",
        "counts[2] = NULL WHERE block = 'order'",
        "counts[1] = counts[1] + 1 WHERE block = 'order'",
        "counts[5] = counts[5] - 1 WHERE block = 'region'",
        "counts[1] = 3 WHERE block = ''",
    ],
)
def test_a_tally_of_no_reports_is_refused(stores: tuple[str, Path], change: str) -> None:
    """It is refused by block, with the command that compares it with the reports."""
    url, _ = stores
    study = open_study(url)
    study.estimate()
    run(url, f"UPDATE {TALLY} SET {change}")  # noqa: S608 - our own
    problem = r"^the tally of block '\w+' contradicts itself, .* reports: deniable recount$"
    with pytest.raises(UnreadableStudy, match=problem) as raised:
        study.estimate()
    assert "77" not in str(raised.value)


def test_a_user_who_may_read_and_record_a_look_is_enough(
    postgres_server: PostgresServer, stores: tuple[str, Path], tmp_path: Path
) -> None:
    """An analyst's own user estimates and exports, and could not change anything."""
    url, _ = stores
    schema = url.rpartition("%3D")[2]
    run(url, f"CREATE ROLE analyst LOGIN PASSWORD '{PASSWORD}'")
    run(url, f"GRANT USAGE ON SCHEMA {schema} TO analyst")
    run(url, f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO analyst")
    run(url, f"GRANT INSERT ON {schema}.given_out TO analyst")
    theirs = url.replace("//postgres:", "//analyst:")
    assert open_study(theirs).estimate().reports == 2_000
    assert export_study(theirs, tmp_path / "health.csv").report_count == 2_000
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run(theirs, f"DELETE FROM {TABLE}")  # noqa: S608 - our own
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("DROP OWNED BY analyst; DROP ROLE analyst")


def test_a_database_that_is_no_store_is_refused(postgres_server: PostgresServer) -> None:
    """Without the tables the kind of failure is told, and not the URL."""
    with pytest.raises(UnreadableStudy, match=r"\(UndefinedTable, SQLSTATE 42P01\)") as raised:
        open_study(postgres_server.schema())
    assert PASSWORD not in str(raised.value)


def test_a_document_that_was_removed_is_told(url: str) -> None:
    """What was listed and is gone afterwards is an error of ours."""
    source = PostgresSource(url)
    (stored,) = source.surveys()
    run(url, "DELETE FROM surveys")
    with pytest.raises(UnreadableStudy, match="no longer holds the document of survey 'health'"):
        source.published(stored)


@pytest.mark.parametrize("change", [(PASSWORD, "secret5309"), ("/postgres?", "/nowhere?")])
def test_a_database_that_lets_nobody_in_is_told_without_the_password(
    url: str, change: tuple[str, str]
) -> None:
    """The message says what to look at, and none of what was given."""
    with pytest.raises(StudyUnavailable, match="does not answer now") as raised:
        open_study(url.replace(*change))
    assert raised.value.__suppress_context__
    for secret in (PASSWORD, "secret5309"):
        assert secret not in str(raised.value)
        assert secret not in repr(PostgresSource(url))


def test_a_url_that_cannot_be_read_is_refused() -> None:
    """A broken URL is told apart from a server that is away, and not repeated."""
    with pytest.raises(
        UnreadableStudy, match=r"\(ProgrammingError\).*postgresql://USER"
    ) as raised:
        open_study("postgresql://ann:5309@db/health?nothing=1")
    assert "5309" not in str(raised.value)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who installed no psycopg learns the command that does."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(PackageMissing, match=r"pip install 'deniable\[analysis,postgres\]'"):
        open_study("postgresql://localhost/health")
