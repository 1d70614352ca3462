"""Adding rows to a survey's table, with an outcome for each.

Nearly always every row is new, and all are inserted at once; only where their
number shows that some were there already is each looked at. No savepoint
divides the two: SQLite would keep what it covers in a file of its own.

A statement inserts many rows. Python lets other threads go on during a
statement, and takes its turn with them after each: with one for each row,
reading reports and storing them would never happen at the same time.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain
from operator import itemgetter

from deniable_collector.store.base import ReportOutcome, Row
from deniable_storage.sqlite_tables import SqliteTable


class NotAllNew(Exception):
    """Some rows were there already, or may not be added: look at each."""


def insert_new(
    connection: sqlite3.Connection, table: SqliteTable, rows: Sequence[Row], is_closed: bool
) -> Sequence[ReportOutcome]:
    """The outcome of each row if all are new; call it in a transaction.

    Raises:
        NotAllNew: roll the transaction back.
    """
    if is_closed:
        raise NotAllNew
    # In the order of the keys, neighbours are written together, and the file
    # does not reveal in which order reports of one transaction came.
    in_order = sorted(rows, key=itemgetter(0))
    added = 0
    for portion in _portions(in_order, table.most_at_once):
        statement = table.insert_several_sql(len(portion))
        values = tuple(chain.from_iterable(portion))
        added += connection.execute(statement, values).rowcount
    if added != len(rows):
        raise NotAllNew
    return [ReportOutcome.STORED] * len(rows)


def insert_each(
    connection: sqlite3.Connection, table: SqliteTable, rows: Sequence[Row], is_closed: bool
) -> Sequence[ReportOutcome]:
    """The outcome of each row, one after another; call it in a transaction."""
    outcomes = [ReportOutcome.STORED] * len(rows)
    # In the order of the keys here, too; of rows with one key, the first to come is first.
    for index in sorted(range(len(rows)), key=lambda index: rows[index][0]):
        outcomes[index] = _insert(connection, table, rows[index], is_closed)
    return outcomes


def _portions(rows: Sequence[Row], most: int) -> Iterator[Sequence[Row]]:
    """The rows in portions of at most so many, of a few different sizes.

    Each size is a statement that SQLite prepares once.
    """
    begin, size = 0, most
    while begin < len(rows):
        while size > len(rows) - begin:
            size //= 2
        yield rows[begin : begin + size]
        begin += size


def _insert(
    connection: sqlite3.Connection, table: SqliteTable, row: Row, is_closed: bool
) -> ReportOutcome:
    if not is_closed and connection.execute(table.insert_sql, row).rowcount:
        return ReportOutcome.STORED
    found = connection.execute(table.select_sql, row[:1]).fetchone()
    if found is None:
        return ReportOutcome.CLOSED
    return ReportOutcome.ALREADY_STORED if found == row[1:] else ReportOutcome.CONFLICT
