"""Tallies as any tool would count them from the rows, one value after another."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache

import psycopg

from deniable_sdk import Block, PublishedSurvey


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


def tally_sql(location: str, published: PublishedSurvey) -> str:
    """The query for the counts of each block in a survey's tally."""
    tally = name_of("tally", published)
    group = ", _group" if published.groups else ""
    if location.startswith("postgresql:"):
        return f"SELECT counts, block{group} FROM {tally}"  # noqa: S608  our name
    return f"SELECT value, key{group} FROM {tally}, json_each(counts)"  # noqa: S608  our name


def rows_sql(published: PublishedSurvey) -> str:
    """The query for the groups and values of all reports."""
    names = [f'"{block.id}"' for block in published.blocks]
    columns = ", ".join([*(["_group"] if published.invited else []), *names])
    return f"SELECT {columns} FROM {name_of('reports', published)}"  # noqa: S608  our names


def stored_tally(location: str, published: PublishedSurvey) -> Counter[tuple[str, ...]]:
    """The counts of a tally by block, member and group, its shards added up."""
    return _added_up(published, ask(location, tally_sql(location, published)))


def _added_up(
    published: PublishedSurvey, rows: list[tuple[object, ...]]
) -> Counter[tuple[str, ...]]:
    texts = {block.id: ["", *members_of(block)] for block in published.blocks}
    found: Counter[tuple[str, ...]] = Counter()
    for stored, block, *group in rows:
        counts = json.loads(stored) if isinstance(stored, str) else stored
        assert isinstance(counts, list)
        members = texts.get(str(block), [""])
        for index, reports in enumerate(counts):
            # A test may have changed what is stored.
            member = members[index] if index < len(members) else f"place {index}"
            if reports:
                found[(str(block), member, *map(str, group))] += reports
    return found


def members_of(block: Block) -> list[str]:
    """The members of a block's values in ascending order, as JSON."""
    form = block.mechanism.form
    if len(form.shape) == 2:
        return [f"[{option},{bit}]" for option in range(form.members) for bit in (0, 1)]
    return [str(option) for option in range(form.members)]


@cache
def _members_of(value: object) -> tuple[str, ...]:
    """The members of one value, as JSON."""
    found = json.loads(value) if isinstance(value, str) else [value]
    return tuple(json.dumps(each, separators=(",", ":")) for each in found)


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
                keys.append((block.id, ""))
                keys += ((block.id, member) for member in _members_of(value))
        counts.update((*key, *map(str, group)) for key in keys)
    return counts


def check_tally(location: str, published: PublishedSurvey) -> int:
    """How many reports there are, once the tally was found to be that of the rows."""
    rows, tally = answers(location, rows_sql(published), tally_sql(location, published))
    expected = _counted(published, rows)
    assert _added_up(published, tally) == expected
    return len(rows)


def change_first_count(location: str, published: PublishedSurvey, block: str, count: int) -> str:
    """The statement that changes how many reports the tally says contain a block."""
    tally = name_of("tally", published)
    if location.startswith("postgresql:"):
        return f"UPDATE {tally} SET counts[1] = {count} WHERE block = '{block}'"  # noqa: S608  our names
    return f"UPDATE {tally} SET counts = json_set(counts, '$.\"{block}\"[0]', {count})"  # noqa: S608  our names


def change_counts(
    location: str, published: PublishedSurvey, block: str, counts: str | None
) -> str:
    """The statement that gives a block other counts, a JSON value, in the tally; None for none."""
    tally = name_of("tally", published)
    if location.startswith("postgresql:"):
        if counts is None:
            return f"DELETE FROM {tally} WHERE block = '{block}'"  # noqa: S608  our names
        array = counts.translate(str.maketrans("[]", "{}"))
        return f"UPDATE {tally} SET counts = '{array}' WHERE block = '{block}'"  # noqa: S608  our names
    path = f"'$.\"{block}\"'"
    changed = f"json_remove(counts, {path})"
    if counts is not None:
        changed = f"json_set(counts, {path}, json('{counts}'))"
    return f"UPDATE {tally} SET counts = {changed}"  # noqa: S608  our names
