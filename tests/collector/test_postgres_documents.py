"""The statements of docs/DATA_MODEL.md and docs/POSTGRES.md are true for PostgreSQL."""

import os
import re
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from deniable_analysis import open_study
from deniable_collector.store import add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_sdk import randomize
from doc_pages import DOCS
from invitations import invited_survey
from postgres_server import PostgresServer, program
from sample_definitions import choice, survey, yes_no

EXAMPLE = survey(
    yes_no(), choice(options=30, required=True), ask=1, epsilon="0.5", slug="two-words"
)
WARD = invited_survey(slug="ward", at_most_reports=500).published
ANSWERS = {"region": "o3"}
# Every table with its columns and constraints, as the server describes them.
DESCRIBED = """
    SELECT relname::text,
        (SELECT array_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull,
            pg_get_expr(adbin, adrelid)) ORDER BY attnum)
         FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
         WHERE attrelid = pg_class.oid AND attnum > 0),
        (SELECT array_agg(concat_ws(' ', conname, pg_get_constraintdef(oid)) ORDER BY conname)
         FROM pg_constraint WHERE conrelid = pg_class.oid)
    FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
    ORDER BY relname
"""


def fenced(page: str, language: str) -> list[str]:
    """The blocks of a language in a page."""
    return re.findall(rf"```{language}\n(.*?)\n```", (DOCS / page).read_text(), re.DOTALL)


def run(url: str, *statements: str) -> None:
    """Run statements, each on its own, as an operator would."""
    with psycopg.connect(url, autocommit=True) as connection:
        for block in statements:
            for statement in filter(str.strip, block.split(";")):
                connection.execute(statement.encode())


def describe(url: str) -> list[tuple[object, ...]]:
    """What a schema holds."""
    with psycopg.connect(url) as connection:
        return connection.execute(DESCRIBED.encode()).fetchall()


def as_user(url: str, user: str, password: str, database: str) -> str:
    """The URL of another user and database on the same server."""
    host = url.rpartition("@")[2].partition("/")[0]
    return f"postgresql://{user}:{password}@{host}/{database}"


def test_a_fresh_database_has_the_tables_of_the_page(postgres_server: PostgresServer) -> None:
    """Running the page's statements makes exactly the tables that a store makes."""
    ours, theirs = postgres_server.schema(), postgres_server.schema()
    with closing(open_store(ours)) as store:
        store.publish(EXAMPLE)
        store.publish(WARD)
    statements = [
        text.replace("words_DIGEST", f"words_{EXAMPLE.digest[:12]}").replace(
            "ward_DIGEST", f"ward_{WARD.digest[:12]}"
        )
        for text in fenced("DATA_MODEL.md", "postgresql")
    ]
    run(theirs, *statements)
    assert len(statements) == len(describe(ours)) == 14
    assert describe(ours) == describe(theirs)


def test_the_page_sets_up_users_who_can_do_what_it_says(
    postgres_server: PostgresServer, read_bytes: Callable[[int], bytes]
) -> None:
    """The owner publishes, stores and closes; the analyst reads, before and after closing."""
    owner_sql, analyst_sql, grants_sql = fenced("POSTGRES.md", "postgresql")
    run(postgres_server.url, owner_sql, analyst_sql)
    owner = as_user(postgres_server.url, "deniable", "choose-a-long-one", "deniable")
    analyst = as_user(postgres_server.url, "analyst", "choose-another-long-one", "deniable")
    successor = survey(yes_no(), slug="two-words")
    try:
        with closing(open_store(owner)) as store:
            store.publish(EXAMPLE)
            run(owner, grants_sql)
            reports = [randomize(EXAMPLE, ANSWERS, read_bytes=read_bytes) for _ in range(200)]
            add_reports(store, reports)
            assert open_study(analyst).estimate().reports == 200
            store.close_survey(EXAMPLE.slug)
            store.publish(successor)
        assert open_study(analyst, "two-words@1").estimate().reports == 200
        assert open_study(analyst).survey == successor
        for statement in (
            "DELETE FROM surveys",
            "SELECT * FROM tokens",
            "SELECT * FROM token_surveys",
            "SELECT * FROM token_releases",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                run(analyst, statement)
    finally:
        run(
            postgres_server.url,
            "DROP DATABASE deniable WITH (FORCE)",
            "DROP ROLE analyst; DROP ROLE deniable",
        )


def test_a_backup_that_is_restored_has_everything(
    postgres_server: PostgresServer, tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """The page's commands, run as they stand, make a store that knows every report."""
    dump, restore = (
        block
        for block in fenced("POSTGRES.md", "sh")
        if block.startswith(("pg_dump", "pg_restore"))
    )
    run(postgres_server.url, "CREATE DATABASE original", "CREATE DATABASE restored")
    original, restored = (
        postgres_server.url.removesuffix("postgres") + name for name in ("original", "restored")
    )
    known, late = (
        [randomize(EXAMPLE, ANSWERS, read_bytes=read_bytes) for _ in range(100)] for _ in range(2)
    )
    environment = {
        "PATH": f"{Path(program('pg_dump')).parent}{os.pathsep}{os.environ['PATH']}",
        "DENIABLE_STORE": original,
        "RESTORED": restored,
    }
    with closing(open_store(original)) as store:
        store.publish(EXAMPLE)
        add_reports(store, known)
        for command in (dump, restore):
            subprocess.run(
                ["sh", "-ec", command], cwd=tmp_path, env=environment, check=True, timeout=120
            )
    assert describe(restored) == describe(original)
    with closing(open_store(restored, must_exist=True)) as store:
        assert add_reports(store, [*known, *late]) == (
            (ReportOutcome.ALREADY_STORED,) * 100 + (ReportOutcome.STORED,) * 100
        )
        assert store.close_survey(EXAMPLE.slug) is not None
