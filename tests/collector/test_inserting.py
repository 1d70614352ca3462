"""Any number of rows is added with few statements, and each row gets its own outcome."""

import sqlite3
from contextlib import closing
from itertools import count

import pytest

from deniable_collector.store.base import ReportOutcome, Row
from deniable_collector.store.inserting import NotAllNew, insert_each, insert_new
from deniable_storage.sqlite import read_tally_rows
from deniable_storage.sqlite_tables import SqliteTable
from sample_definitions import survey, yes_no

(BLOCK,) = survey(yes_no()).blocks


def table_of(name: str, blocks: int) -> SqliteTable:
    """A table of so many blocks."""
    ids = tuple(f"q{place}" for place in range(blocks))
    return SqliteTable(name, ids, tuple(BLOCK.replace(id=each) for each in ids))


NARROW, WIDE = table_of("narrow", 1), table_of("wide", 300)


def rows_of(table: SqliteTable, number: int) -> list[Row]:
    """So many rows, the later ones with the smaller ids."""
    ids = count((1 << 128) - 1, -1)
    return [(next(ids).to_bytes(16, "big"), *([1] * len(table.columns))) for _ in range(number)]


def ids_of(table: SqliteTable) -> list[str]:
    """The ids of the table's blocks, in the order of a key."""
    return sorted(block.id for block in table.blocks)


def create(connection: sqlite3.Connection, table: SqliteTable) -> None:
    """Make both tables of a survey."""
    connection.execute(table.create_sql)
    connection.execute(table.create_tally_sql)


def inserts(statements: list[str], name: str) -> list[str]:
    """Those of the statements that add to a table."""
    return [text for text in statements if text.startswith(f'INSERT INTO "{name}"')]


@pytest.mark.parametrize("table", [NARROW, WIDE], ids=lambda table: table.name)
@pytest.mark.parametrize("number", [1, 2, 3, 511, 512, 513, 1_100])
def test_any_number_of_rows_is_added(table: SqliteTable, number: int) -> None:
    """Whatever is left over by full statements is added as well, each row once."""
    statements: list[str] = []
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection, table)
        connection.set_trace_callback(statements.append)
        rows = rows_of(table, number)
        assert insert_new(connection, table, rows, refusal=None) == [ReportOutcome.STORED] * number
        connection.set_trace_callback(None)
        stored = connection.execute(f'SELECT * FROM "{table.name}"').fetchall()  # noqa: S608  its own name
        tally = read_tally_rows(connection, table)
    assert stored == sorted(rows)
    # All reports, those with each block, and those with its one value.
    assert tally == [("", (number,)), *((each, (number, 0, number, 0)) for each in ids_of(table))]
    full, rest = divmod(number, table.most_at_once)
    assert len(inserts(statements, table.name)) == full + rest.bit_count()
    # However many blocks there are, a statement reads the tally and one writes it.
    assert len([text for text in statements if f'"{table.tally}"' in text]) == 2


def test_one_row_that_is_there_already_is_noticed() -> None:
    """Among a thousand new ones, in whichever statement it comes."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        create(connection, NARROW)
        rows = rows_of(NARROW, 1_000)
        insert_new(connection, NARROW, rows[700:701], refusal=None)
        with pytest.raises(NotAllNew):
            insert_new(connection, NARROW, rows, refusal=None)


def test_rows_that_are_looked_at_one_by_one_come_in_the_order_of_their_ids() -> None:
    """One that was sent again does not make the file tell in which order the others came."""
    statements: list[str] = []
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        create(connection, NARROW)
        rows = rows_of(NARROW, 50)
        (again,) = insert_new(connection, NARROW, rows[30:31], refusal=None)
        other: Row = (rows[10][0], 0)
        connection.set_trace_callback(statements.append)
        outcomes = insert_each(connection, NARROW, [*rows, other], refusal=None)
        connection.set_trace_callback(None)
        tally = read_tally_rows(connection, NARROW)
    assert tally == [("", (50,)), ("q0", (50, 0, 50, 0))]
    assert again is ReportOutcome.STORED
    assert outcomes == [
        *[ReportOutcome.STORED] * 30,
        ReportOutcome.ALREADY_STORED,
        *[ReportOutcome.STORED] * 19,
        ReportOutcome.CONFLICT,
    ]
    places = [text.partition("x'")[2][:32] for text in inserts(statements, NARROW.name)]
    assert len(places) == 51
    assert places == sorted(places)
