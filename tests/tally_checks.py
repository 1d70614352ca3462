"""Tallies as any tool would count them from the rows, one value after another."""

import json
import sqlite3
from collections import Counter
from contextlib import closing

import psycopg

from deniable_sdk import PublishedSurvey


def name_of(kind: str, published: PublishedSurvey) -> str:
    """The name of a survey's table of a kind."""
    return f'"{kind}_{published.slug.replace("-", "_")}_{published.digest[:12]}"'


def ask(location: str, *statements: str) -> list[tuple[object, ...]]:
    """What a store answers at one moment to the last statement, beside whoever has it open."""
    (*_, last) = answers(location, *statements)
    return last


def answers(location: str, *statements: str) -> list[list[tuple[object, ...]]]:
    """What a store answers to statements, all at one moment."""
    if location.startswith("postgresql:"):
        with psycopg.connect(location) as database:
            if len(statements) > 1:
                database.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            cursors = [database.execute(statement.encode()) for statement in statements]
            return [each.fetchall() if each.description else [] for each in cursors]
    with closing(sqlite3.connect(location, timeout=60)) as connection, connection:
        connection.execute("BEGIN")
        return [connection.execute(statement).fetchall() for statement in statements]


def tally_sql(published: PublishedSurvey) -> str:
    """The query for a survey's tally."""
    group = ", _group" if published.invited else ""
    return f"SELECT reports, block, value{group} FROM {name_of('tally', published)}"  # noqa: S608  our name


def rows_sql(published: PublishedSurvey) -> str:
    """The query for the groups and values of all reports."""
    names = [f'"{block.id}"' for block in published.blocks]
    columns = ", ".join([*(["_group"] if published.invited else []), *names])
    return f"SELECT {columns} FROM {name_of('reports', published)}"  # noqa: S608  our names


def stored_tally(location: str, published: PublishedSurvey) -> Counter[tuple[str, ...]]:
    """The rows of a tally by block, member and group, its shards added up."""
    return _added_up(ask(location, tally_sql(published)))


def _added_up(rows: list[tuple[object, ...]]) -> Counter[tuple[str, ...]]:
    counts: Counter[tuple[str, ...]] = Counter()
    for reports, *key in rows:
        assert isinstance(reports, int)
        assert reports > 0
        counts[tuple(map(str, key))] += reports
    return counts


def _counted(
    published: PublishedSurvey, rows: list[tuple[object, ...]]
) -> Counter[tuple[str, ...]]:
    """The tally that the rows of a survey should have."""
    counts: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        group, values = (row[:1], row[1:]) if published.invited else ((), row)
        keys = [("", "")]
        for block, value in zip(published.blocks, values, strict=True):
            if value is not None:
                found = json.loads(value) if isinstance(value, str) else [value]
                keys.append((block.id, ""))
                keys += ((block.id, json.dumps(each).replace(" ", "")) for each in found)
        counts.update((*key, *map(str, group)) for key in keys)
    return counts


def check_tally(location: str, published: PublishedSurvey) -> int:
    """How many reports there are, once the tally was found to be that of the rows."""
    rows, tally = answers(location, rows_sql(published), tally_sql(published))
    expected = _counted(published, rows)
    assert _added_up(tally) == expected
    return len(rows)
