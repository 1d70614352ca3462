"""Counting what reports say, in the server and of one moment."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from deniable_collector.store.base import BlockCounts, Counts, Said, Value
from deniable_collector.store.postgres.connections import Connection, transaction
from deniable_collector.store.postgres.tables import ReportsTable


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
    rows = cast("Iterator[tuple[str, int]]", connection.execute(table.said_sql(block).encode()))
    return dict(sorted((_said(text), count) for text, count in rows))


def _said(text: str) -> Said:
    index, *bit = map(int, text.split(","))
    return (index, *bit) if bit else index
