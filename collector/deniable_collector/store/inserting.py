"""Adding rows to a survey's table, with an outcome for each.

Nearly always every row is new, so all rows are inserted at once. Only if the number of
inserted rows shows that some existed before, each row is handled separately. This uses no
savepoint: SQLite would write the pages that it covers to a separate file.

A statement inserts many rows. During a statement other Python threads run; after each, this
thread has to wait for its next turn. With one statement for each row, reports would never
be read and stored at the same time.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain
from operator import itemgetter

from deniable_collector.store.base import ReportOutcome, Row
from deniable_storage.sqlite_tables import SqliteTable


class NotAllNew(Exception):
    """Some rows existed before, or may not be added: handle each row separately."""


def insert_new(
    connection: sqlite3.Connection,
    table: SqliteTable,
    rows: Sequence[Row],
    refusal: ReportOutcome | None,
) -> Sequence[ReportOutcome]:
    """The outcome of each row if all are new; call it in a transaction.

    Raises:
        NotAllNew: roll the transaction back.
    """
    if refusal:
        raise NotAllNew
    # In the order of the keys, neighbours are written together, and the file does not
    # reveal in which order the reports of one transaction arrived.
    in_order = sorted(rows, key=itemgetter(0))
    added = 0
    for portion in _portions(in_order, table.most_at_once):
        statement = table.insert_several_sql(len(portion))
        values = tuple(chain.from_iterable(portion))
        added += connection.execute(statement, values).rowcount
    if added != len(rows):
        raise NotAllNew
    _add_to_tally(connection, table, added)
    return [ReportOutcome.STORED] * len(rows)


def insert_each(
    connection: sqlite3.Connection,
    table: SqliteTable,
    rows: Sequence[Row],
    refusal: ReportOutcome | None,
) -> Sequence[ReportOutcome]:
    """The outcome of each row, inserted one by one; arguments are those of insert_new."""
    outcomes = [ReportOutcome.STORED] * len(rows)
    # Also in the order of the keys; rows with the same key keep their order of arrival.
    for index in sorted(range(len(rows)), key=lambda index: rows[index][0]):
        outcomes[index] = _insert(connection, table, rows[index], refusal)
    _add_to_tally(connection, table, outcomes.count(ReportOutcome.STORED))
    return outcomes


def _portions(rows: Sequence[Row], most: int) -> Iterator[Sequence[Row]]:
    """The rows in portions of at most `most` rows, with only a few different sizes.

    Each size has its own statement, which SQLite prepares once.
    """
    begin, size = 0, most
    while begin < len(rows):
        while size > len(rows) - begin:
            size //= 2
        yield rows[begin : begin + size]
        begin += size


def _insert(
    connection: sqlite3.Connection, table: SqliteTable, row: Row, refusal: ReportOutcome | None
) -> ReportOutcome:
    if refusal is None and connection.execute(table.insert_sql, row).rowcount:
        return ReportOutcome.STORED
    found = connection.execute(table.select_sql, row[:1]).fetchone()
    if found is None:
        # Only rows that are not inserted can be missing.
        return refusal or ReportOutcome.CLOSED
    return ReportOutcome.ALREADY_STORED if found == row[1:] else ReportOutcome.CONFLICT


def _add_to_tally(connection: sqlite3.Connection, table: SqliteTable, added: int) -> None:
    if added and table.at_most_reports is not None:
        connection.execute(table.add_to_tally_sql, (added,))
