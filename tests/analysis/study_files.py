"""SQLite files as docs/DATA_MODEL.md describes them, written without a collector."""

import itertools
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from deniable_sdk import PublishedSurvey
from deniable_sdk.canonical import JSON, encode
from deniable_storage.ends import End
from deniable_storage.sqlite_tables import CREATE_ENDS_SQL

Row = Mapping[str, JSON]

_SURVEYS = """
    CREATE TABLE IF NOT EXISTS surveys (
        digest TEXT PRIMARY KEY,
        slug TEXT NOT NULL,
        edition INTEGER NOT NULL,
        document TEXT NOT NULL,
        reports_table TEXT NOT NULL UNIQUE,
        is_closed INTEGER NOT NULL DEFAULT 0,
        UNIQUE (slug, edition)
    )
"""


def reports_table(survey: PublishedSurvey) -> str:
    """The name of a survey's table of reports."""
    return f"reports_{survey.slug.replace('-', '_')}_{survey.digest[:12]}"


def write_store(path: Path, *surveys: PublishedSurvey) -> None:
    """Make a store of these surveys; those of one slug become its editions."""
    editions: dict[str, int] = {}
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(_SURVEYS)
        for survey in surveys:
            editions[survey.slug] = editions.get(survey.slug, 0) + 1
            database.execute(
                "INSERT INTO surveys (digest, slug, edition, document, reports_table) "
                "VALUES (?, ?, ?, ?, ?)",
                (
                    survey.digest,
                    survey.slug,
                    editions[survey.slug],
                    survey.document.decode(),
                    reports_table(survey),
                ),
            )
            columns = [f'"{block.id}"' for block in survey.blocks]
            groups = ["_group TEXT NOT NULL"] if survey.invited else []
            lines = ", ".join(["_report BLOB PRIMARY KEY", *groups, *columns])
            database.execute(f'CREATE TABLE "{reports_table(survey)}" ({lines}) WITHOUT ROWID')


def close_survey(path: Path, survey: PublishedSurvey, end: End | None = End.CLOSES) -> None:
    """Close a survey, which by default ended as planned; with None no end is recorded."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE surveys SET is_closed = 1 WHERE digest = ?", (survey.digest,))
        if end:
            table = CREATE_ENDS_SQL.removeprefix("CREATE TABLE ")
            database.execute(f"CREATE TABLE IF NOT EXISTS {table}")
            row = survey.digest, None, None, end.value
            database.execute("INSERT INTO ends VALUES (?, ?, ?, ?)", row)


def add_reports(path: Path, survey: PublishedSurvey, reports: Iterable[Row]) -> None:
    """Store reports, each a map from block id to value, with its group under "_group"."""
    places = ", ".join("?" * (len(survey.blocks) + 1 + bool(survey.invited)))
    with closing(sqlite3.connect(path)) as database, database:
        (stored,) = database.execute(
            f'SELECT COUNT(*) FROM "{reports_table(survey)}"'  # noqa: S608 - the test's own name
        ).fetchone()
        database.executemany(
            f'INSERT INTO "{reports_table(survey)}" VALUES ({places})',  # noqa: S608 - as above
            (
                (number.to_bytes(16, "big"), *_columns(survey, report))
                for number, report in zip(itertools.count(stored), reports)
            ),
        )


def counted(block_id: str, counts: Iterable[int]) -> list[Row]:
    """Reports of one block in which each option stands so many times."""
    return [{block_id: option} for option, count in enumerate(counts) for _ in range(count)]


def _columns(survey: PublishedSurvey, report: Row) -> list[JSON]:
    names = [block.id for block in survey.blocks]
    values = (report.get(name) for name in (["_group", *names] if survey.invited else names))
    return [encode(value).decode() if isinstance(value, list) else value for value in values]
