"""The counts in a tally, and the values in a table of reports, of all blocks in one pass.

SQLite joins each column's values into one JSON array, and numpy reads that array. Measured
on 1,000,000 reports of 10 blocks: a GROUP BY for each block takes several times as long.
"""

from collections.abc import Iterator, Sequence
from sqlite3 import Connection, OperationalError
from typing import Any, cast

from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Cells, Chunk, read_column, rows_of_chunk, strange_value
from deniable_storage.counts import SurveyCounts
from deniable_storage.errors import StrangeValue
from deniable_storage.sqlite_tables import SqliteTable
from deniable_storage.tables import GROUP_COLUMN, quoted, tally_name
from deniable_storage.tallies import counts_of_tally
from deniable_storage.tally_rows import TallyRow, read_counts
from deniable_storage.whole_rows import IdRange, Ids, Smalls, WholeRows, ids_of


def read_reports(
    database: Connection,
    table: str,
    blocks: Sequence[Block],
    *,
    only_complete: bool = False,
    group: str | None = None,
) -> Iterator[Chunk]:
    """The values of blocks, chunk by chunk, in the order of the reports' ids.

    Call it in a transaction, so that all chunks show the same moment.

    Args:
        database: a connection to a store.
        table: the table of the survey's reports.
        blocks: the blocks whose values are read.
        only_complete: leave out reports that do not contain all of the blocks.
        group: leave out reports of other groups, in a survey by invitation.
    Raises:
        StrangeValue: a block cannot produce one of its values; the message names the block
            and no value.
    """
    columns = [quoted(block.id) for block in blocks]
    asked = ", ".join(["COUNT(*)", *map(_column_sql, columns)])
    wanted = [f"{column} NOTNULL" for column in columns if only_complete]
    groups: tuple[str, ...] = ()
    if group is not None:
        wanted, groups = [*wanted, f"{GROUP_COLUMN} = ?"], (group,)
    for condition, keys in _ranges(database, quoted(table), rows_of_chunk(blocks)):
        # The names are the store's own, quoted; no value is in the text.
        where = " AND ".join([condition, *wanted])
        statement = f"SELECT {asked} FROM {quoted(table)} WHERE {where}"  # noqa: S608 - see above
        count, *arrays = _fetch(database, table, blocks, statement, (*keys, *groups))
        yield Chunk(
            count, [read_column(block, array) for block, array in zip(blocks, arrays, strict=True)]
        )


def _fetch(
    database: Connection,
    table: str,
    blocks: Sequence[Block],
    statement: str,
    values: tuple[object, ...],
) -> tuple[Any, ...]:
    """The row of a statement that joins the values of these blocks."""
    failure: OperationalError
    try:
        return cast("tuple[Any, ...]", database.execute(statement, values).fetchone())
    except OperationalError as error:
        failure = error
    # A blob cannot be in a JSON array; any other error is raised unchanged.
    _refuse_blobs(database, table, blocks)
    raise failure


def read_tally(
    database: Connection, table: str, blocks: Sequence[Block], group: str | None = None
) -> SurveyCounts:
    """The counts of blocks, all at one moment, without reading a report.

    Args:
        database: a connection to a store.
        table: the table of the survey's reports.
        blocks: the blocks that are counted.
        group: leave out reports of other groups, in a survey by invitation.
    Raises:
        InconsistentTally: the tally is not one that any reports have.
    """
    condition, keys = ("TRUE", ()) if group is None else (f"{GROUP_COLUMN} = ?", (group,))
    return counts_of_tally(blocks, _tally(database, tally_name(table), (), (condition, keys)))


def read_tally_rows(database: Connection, table: SqliteTable) -> list[TallyRow]:
    """The counts of each block, in each group; they are not checked."""
    return list(_tally(database, table.tally, table.tally_names, ("TRUE", ())))


def _tally(
    database: Connection,
    tally: str,
    names: Sequence[str],
    wanted: tuple[str, tuple[object, ...]],
) -> Iterator[TallyRow]:
    """A block, some columns of the tally's key, and the counts, of rows that meet a condition."""
    condition, values = wanted
    # As bytes, because a text that is not UTF-8 must not appear in an error message.
    asked = ", ".join(f"CAST({column} AS BLOB)" for column in (*names, "counts"))
    statement = f"SELECT {asked} FROM {quoted(tally)} WHERE {condition}"  # noqa: S608 - our names
    for *found, text in database.execute(statement, values):
        key = [name.decode(errors="replace") for name in found]
        yield from ((block, *key, tuple(counts)) for block, counts in read_counts(text).items())


def read_cells(
    database: Connection, table: str, blocks: Sequence[Block], rows_at_a_time: int
) -> Iterator[tuple[int, Cells]]:
    """The number of reports, and some of them in the order of their ids.

    The ids are left out, and the values are not checked.
    """
    columns = ", ".join(quoted(block.id) for block in blocks)
    # Text that is no UTF-8 is no value, and must not get into an error.
    database.text_factory = lambda text: text.decode(errors="replace")
    # The names are the store's own, quoted; no value is in the text.
    (total,) = database.execute(f"SELECT COUNT(*) FROM {quoted(table)}").fetchone()  # noqa: S608
    cursor = database.execute(f"SELECT {columns} FROM {quoted(table)} ORDER BY _report")  # noqa: S608
    while rows := cursor.fetchmany(rows_at_a_time):
        yield total, list(zip(*rows, strict=True))


def count_range(database: Connection, table: str, ids: IdRange) -> int:
    """How many reports have ids in this range."""
    # The names are the store's own, quoted; no value is in the text.
    statement = f"SELECT COUNT(*) FROM {quoted(table)} WHERE _report BETWEEN ? AND ?"  # noqa: S608
    (count,) = database.execute(statement, ids.bounds).fetchone()
    return int(count)


def read_ids(database: Connection, table: str, ids: IdRange) -> Ids:
    """The ids of the reports in this range, in their order.

    Raises:
        StrangeValue: as in ids_of.
    """
    # The names are the store's own, quoted; no value is in the text.
    statement = (
        f"SELECT CAST(_report AS BLOB) FROM {quoted(table)} "  # noqa: S608 - see above
        "WHERE _report BETWEEN ? AND ? ORDER BY _report"
    )
    return ids_of([found for (found,) in database.execute(statement, ids.bounds)])


def read_range(database: Connection, table: str, wanted: WholeRows, ids: IdRange) -> Smalls:
    """The reports with ids in this range, in the order of their ids, which are left out.

    Raises:
        StrangeValue: as in WholeRows.
    """
    columns = [quoted(block.id) for block in wanted.blocks]
    asked = ["COUNT(*)", *map(_column_sql, columns)]
    if wanted.groups:
        cases = " ".join(f"WHEN ? THEN {place}" for place in range(len(wanted.groups)))
        asked.insert(1, _array_sql(f"CASE {GROUP_COLUMN} {cases} ELSE {len(wanted.groups)} END"))
    if not wanted.are_complete:
        asked += [_array_sql(f"{column} NOTNULL") for column in columns]
    statement = (
        f"SELECT {', '.join(asked)} FROM {quoted(table)} "  # noqa: S608 - as above
        "WHERE _report BETWEEN ? AND ?"
    )
    count, *arrays = _fetch(
        database, table, wanted.blocks, statement, (*wanted.groups, *ids.bounds)
    )
    return wanted.read(count, arrays)


def _ranges(
    database: Connection, table: str, rows: int
) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Conditions on the id; each row meets exactly one, and at most `rows` rows meet each."""
    after, keys = "TRUE", ()
    while True:
        # The names are the store's own, quoted; no value is in the text.
        last = database.execute(
            f"SELECT CAST(_report AS BLOB) FROM {table} WHERE {after} "  # noqa: S608 - see above
            f"ORDER BY _report LIMIT 1 OFFSET {rows - 1}",
            keys,
        ).fetchone()
        if last is None:
            yield after, keys
            return
        yield f"{after} AND _report <= ?", (*keys, *last)
        after, keys = "_report > ?", last


def _column_sql(column: str) -> str:
    """The SQL for all values of a column as a JSON array, in which each value keeps its type.

    As bytes, because a text that is not UTF-8 must not appear in an error message.
    """
    return f"CAST(JSON_GROUP_ARRAY({column}) FILTER (WHERE {column} NOTNULL) AS BLOB)"


def _array_sql(expression: str) -> str:
    """The SQL for a number of each report as a JSON array."""
    return f"CAST(JSON_GROUP_ARRAY({expression}) AS BLOB)"


def _refuse_blobs(database: Connection, table: str, blocks: Sequence[Block]) -> None:
    for block in blocks:
        # The names are the store's own, quoted; no value is in the text.
        (is_there,) = database.execute(
            f"SELECT EXISTS (SELECT 1 FROM {quoted(table)} "  # noqa: S608 - see above
            f"WHERE TYPEOF({quoted(block.id)}) = 'blob')"
        ).fetchone()
        if is_there:
            raise StrangeValue(strange_value(block))
