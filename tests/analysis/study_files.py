"""SQLite files as docs/DATA_MODEL.md describes them, written without a collector."""

import itertools
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from deniable_sdk import PublishedSurvey
from deniable_sdk.canonical import JSON, encode
from deniable_storage.ends import End
from deniable_storage.sqlite_tables import TABLES_SQL
from tally_checks import members_of

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


def tally(survey: PublishedSurvey) -> str:
    """The name of a survey's tally."""
    return reports_table(survey).replace("reports", "tally", 1)


def write_store(path: Path, *surveys: PublishedSurvey) -> None:
    """Make a store of these surveys; those of one slug become its editions."""
    editions: dict[str, int] = {}
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(_SURVEYS)
        for name in ("ends", "given_out"):
            table = TABLES_SQL[name].removeprefix("CREATE TABLE ")
            database.execute(f"CREATE TABLE IF NOT EXISTS {table}")
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
            groups = ["_group TEXT NOT NULL"] if survey.groups else []
            lines = ", ".join(["_report BLOB PRIMARY KEY", *groups, *columns])
            database.execute(f'CREATE TABLE "{reports_table(survey)}" ({lines}) WITHOUT ROWID')
            lines = "_group, shard" if survey.groups else "shard"
            database.execute(
                f'CREATE TABLE "{tally(survey)}" ({lines}, counts, PRIMARY KEY ({lines})) '
                "WITHOUT ROWID"
            )


def close_survey(path: Path, survey: PublishedSurvey, end: End | None = End.CLOSES) -> None:
    """Close a survey, which by default ended as planned; with None no end is recorded."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE surveys SET is_closed = 1 WHERE digest = ?", (survey.digest,))
        if end:
            row = survey.digest, None, None, end.value
            database.execute("INSERT INTO ends VALUES (?, ?, ?, ?)", row)


def add_reports(path: Path, survey: PublishedSurvey, reports: Iterable[Row]) -> None:
    """Store reports, each a map from block id to value, with its group under "_group"."""
    reports = list(reports)
    places = ", ".join("?" * (len(survey.blocks) + 1 + bool(survey.groups)))
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
        added: dict[tuple[JSON, ...], Counter[tuple[str, int]]] = {}
        for report in reports:
            group = (report.get("_group"),) if survey.groups else ()
            added.setdefault(group, Counter()).update(_tallied(report))
        columns = "_group, counts" if survey.groups else "counts"
        rows = database.execute(f'SELECT {columns} FROM "{tally(survey)}"').fetchall()  # noqa: S608 - as above
        for *found, text in rows:
            for block, counts in json.loads(text).items():
                before = {(block, index): count for index, count in enumerate(counts)}
                added.setdefault(tuple(found), Counter()).update(before)
        sizes = {"": 1} | {block.id: 1 + len(members_of(block)) for block in survey.blocks}
        for names, summed in added.items():
            text = json.dumps(
                {
                    block: [summed[block, index] for index in range(size)]
                    for block, size in sizes.items()
                    if summed[block, 0]
                }
            )
            places = "?, 0, ?" if survey.groups else "0, ?"
            database.execute(
                f'INSERT OR REPLACE INTO "{tally(survey)}" VALUES ({places})',  # noqa: S608 - as above
                (*names, text),
            )


def in_parquet(survey: PublishedSurvey, report: Row) -> Row:
    """A report as in a Parquet file: a pair of option and bit is one number."""
    pairs = {block.id for block in survey.blocks if block.mechanism.form.are_pairs}
    return {
        name: _codes(value) if name in pairs and isinstance(value, list) else value
        for name, value in report.items()
    }


def _codes(pairs: list[Any]) -> JSON:
    return [2 * option + bit for option, bit in pairs]


def counted(block_id: str, counts: Iterable[int]) -> list[Row]:
    """Reports of one block in which each option stands so many times."""
    return [{block_id: option} for option, count in enumerate(counts) for _ in range(count)]


def _tallied(report: Row) -> Iterator[tuple[str, int]]:
    """The counts to which a report adds one: itself, its blocks, and their members.

    Each is a block, and an index among its counts.
    """
    yield "", 0
    for block, value in report.items():
        if block != "_group":
            yield block, 0
            members: list[Any] = value if isinstance(value, list) else [value]
            for member in members:
                index = 2 * member[0] + member[1] if isinstance(member, list) else member
                # A test may write what no device sends.
                if isinstance(index, int):
                    yield block, 1 + index


def _columns(survey: PublishedSurvey, report: Row) -> list[JSON]:
    names = [block.id for block in survey.blocks]
    values = (report.get(name) for name in (["_group", *names] if survey.groups else names))
    return [encode(value).decode() if isinstance(value, list) else value for value in values]
