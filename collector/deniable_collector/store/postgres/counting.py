"""Counting what reports say, of one moment.

The server counts indices. Lists it joins, some pages at a time, and they are
split here: measured on 300,000 reports with large lists, that takes a third
less time than to split and group them in the server.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from deniable_collector.store.base import BlockCounts, Counts, Said, Value
from deniable_collector.store.counting import members_of, said_of
from deniable_collector.store.postgres.connections import Connection, transaction
from deniable_collector.store.postgres.tables import ReportsTable

_PAGES_AT_A_TIME = 256


@contextmanager
def one_moment(connection: Connection, table: ReportsTable) -> Iterator[None]:
    """A block that sees one moment of the table.

    The lock comes before the moment: a table that is rewritten in between
    would otherwise look empty.
    """
    begin = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {table.lock_sql}"
    with transaction(connection, begin):
        yield


def count_values(connection: Connection, table: ReportsTable, blocks: Sequence[str]) -> Counts:
    """What the reports say of these blocks; call it in one moment."""
    found = connection.execute(table.carried_sql(blocks).encode()).fetchone()
    total, *carried = cast("tuple[int, ...]", found)
    return Counts(
        total,
        {
            block: BlockCounts(count, _said_of(connection, table, block))
            for block, count in zip(blocks, carried, strict=True)
        },
    )


def count_tuples(
    connection: Connection, table: ReportsTable, blocks: Sequence[str], most: int
) -> dict[tuple[Value, ...], int] | None:
    """The different tuples of values, None where there are more than `most`."""
    rows = connection.execute(table.tuples_sql(blocks).encode(), (most + 1,)).fetchall()
    if len(rows) > most:
        return None
    counted = cast("list[tuple[int, *tuple[Value, ...]]]", rows)
    return {tuple(values): count for count, *values in counted}


def _said_of(connection: Connection, table: ReportsTable, block: str) -> dict[Said, int]:
    if table.gives_numbers(block):
        numbers = connection.execute(table.numbers_sql(block).encode()).fetchall()
        return dict(cast("list[tuple[int, int]]", numbers))
    members: Counter[str] = Counter()
    for texts in _joined(connection, table, block):
        members.update(members_of(texts) if texts else ())
    return dict(sorted((said_of(text), count) for text, count in members.items()))


def _joined(connection: Connection, table: ReportsTable, block: str) -> Iterator[str]:
    """All lists of a block, joined, some pages of the table at a time."""
    (pages,) = cast("tuple[int]", connection.execute(table.pages_sql.encode()).fetchone())
    statement = table.lists_sql(block).encode()
    for first in range(0, pages, _PAGES_AT_A_TIME):
        within = (f"({first},0)", f"({first + _PAGES_AT_A_TIME},0)")
        yield cast("tuple[str]", connection.execute(statement, within).fetchone())[0]
