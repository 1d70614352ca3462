"""Adding rows to a survey's table and tally, with an outcome for each.

Nearly always every row is new, so all rows are inserted at once. Only if the number of
inserted rows shows that some existed before, each row is handled separately. This uses no
savepoint: SQLite would write the pages that it covers to a separate file.

A statement inserts many rows. During a statement other Python threads run; after each, this
thread has to wait for its next turn. With one statement for each row, reports would never
be read and stored at the same time.
"""

import json
from collections.abc import Sequence
from itertools import chain
from operator import add, itemgetter
from sqlite3 import Connection
from typing import Any

from deniable_collector.store.base import Refusal, ReportOutcome, Row
from deniable_storage.sqlite_tables import SqliteTable
from deniable_storage.tally_rows import TallyRow, read_counts

# In the order of the blocks' ids, whichever block was reported first.
_ENCODER = json.JSONEncoder(separators=(",", ":"), sort_keys=True)


class NotAllNew(Exception):
    """Some rows existed before, or may not be added: handle each row separately."""


def insert_new(
    connection: Connection, table: SqliteTable, rows: Sequence[Row], refusal: Refusal
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
    added, values = _add(connection, table, in_order)
    if added != len(rows):
        raise NotAllNew
    if added:
        add_to_tally(connection, table, table.tally_rows(values))
    return [ReportOutcome.STORED] * len(rows)


def insert_each(
    connection: Connection, table: SqliteTable, rows: Sequence[Row], refusal: Refusal
) -> Sequence[ReportOutcome]:
    """The outcome of each row, inserted one by one; arguments are those of insert_new."""
    outcomes = [ReportOutcome.STORED] * len(rows)
    # Also in the order of the keys; rows with the same key keep their order of arrival.
    for index in sorted(range(len(rows)), key=lambda index: rows[index][0]):
        outcomes[index] = _insert(connection, table, rows[index], refusal)
    new = [
        row for row, outcome in zip(rows, outcomes, strict=True) if outcome is ReportOutcome.STORED
    ]
    if new:
        add_to_tally(connection, table, table.tally_rows(list(chain.from_iterable(new))))
    return outcomes


def add_to_tally(connection: Connection, table: SqliteTable, rows: Sequence[TallyRow]) -> None:
    """Add rows to the tally of a survey; call it in a transaction."""
    added: dict[str, dict[str, Sequence[int]]] = {}
    for block, *of_group, counted in rows:
        added.setdefault(of_group[0] if of_group else "", {})[block] = counted
    groups = (_ENCODER.encode(list(added)),) if table.has_groups else ()
    kept = dict(connection.execute(table.read_tally_sql, groups).fetchall())
    for group, new in added.items():
        counts = read_counts(kept.get(group, b"{}"))
        counts.update((block, _sum(counts.get(block), each)) for block, each in new.items())
        row = [group, _ENCODER.encode(counts)]
        connection.execute(table.write_tally_sql, row if table.has_groups else row[1:])


def _sum(before: Sequence[int] | None, added: Sequence[int]) -> Sequence[int]:
    """The sums; empty if one of the former counts is no number, so that a recount names it."""
    try:
        return added if before is None else [*map(add, before, added)]
    except TypeError:
        return []


def _add(connection: Connection, table: SqliteTable, rows: Sequence[Row]) -> tuple[int, list[Any]]:
    """How many rows were added, and the values of all of them, one after another.

    They are added in portions of only a few different sizes: each size has its own
    statement, which SQLite prepares once.
    """
    values = list(chain.from_iterable(rows))
    width = len(rows[0]) if rows else 0
    begin, size, added = 0, table.most_at_once, 0
    while begin < len(rows):
        while size > len(rows) - begin:
            size //= 2
        portion = values[begin * width : (begin + size) * width]
        added += connection.execute(table.insert_several_sql(size), portion).rowcount
        begin += size
    return added, values


def _insert(
    connection: Connection, table: SqliteTable, row: Row, refusal: Refusal
) -> ReportOutcome:
    if refusal is None and connection.execute(table.insert_sql, row).rowcount:
        return ReportOutcome.STORED
    found = connection.execute(table.select_sql, row[:1]).fetchone()
    if found is None:
        # Only rows that are not inserted can be missing.
        return refusal or ReportOutcome.CLOSED
    return ReportOutcome.ALREADY_STORED if found == row[1:] else ReportOutcome.CONFLICT
