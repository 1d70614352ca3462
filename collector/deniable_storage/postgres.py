"""The counts in a PostgreSQL tally, and the values of reports, of all blocks in one pass.

The server joins each column's values, some pages of the table at a time, and numpy reads
them at once, as with SQLite. The ranges are of pages, not of ids: reports are in the table
in the order in which they arrived, so a range of ids is spread over the whole table.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Cells, Chunk, read_column, rows_of_chunk
from deniable_storage.counts import SurveyCounts
from deniable_storage.postgres_tables import PostgresTable, summed_counts_sql
from deniable_storage.tables import GROUP_COLUMN, quoted, tally_name
from deniable_storage.tallies import counts_of_tally
from deniable_storage.tally_rows import NO_BLOCK, TallyRow
from deniable_storage.whole_rows import IdRange, Ids, Smalls, WholeRows, ids_of

if TYPE_CHECKING:
    import psycopg

    Database = psycopg.Connection[tuple[object, ...]]

# A page has 8 KiB, and a row takes at least 52 bytes.
_MOST_ROWS_OF_A_PAGE = 157


def begin_moment_sql(*tables: str) -> str:
    """The SQL that begins a transaction that sees one moment, however much is stored meanwhile.

    The locks come first: closing a survey rewrites its tables, and a transaction that began
    before would see the new ones as empty.
    """
    return (
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; "
        f"LOCK TABLE {', '.join(map(quoted, tables))} IN ACCESS SHARE MODE"
    )


def read_reports(
    database: "Database",
    table: str,
    blocks: Sequence[Block],
    *,
    only_complete: bool = False,
    group: str | None = None,
) -> Iterator[Chunk]:
    """The values of blocks, chunk by chunk; call it in a transaction.

    Raises:
        StrangeValue: a block cannot produce one of its values; the message names the block
            and no value.
    """
    _plan_simply(database)
    asked = ", ".join(["count(*)", *map(_column_sql, blocks)])
    wanted = [f"AND {quoted(block.id)} IS NOT NULL" for block in blocks if only_complete]
    groups: tuple[str, ...] = ()
    if group is not None:
        wanted, groups = [*wanted, f"AND {GROUP_COLUMN} = %s"], (group,)
    # The names are the store's own, quoted; no value is in the text.
    statement = (
        f"SELECT {asked} FROM {quoted(table)} "  # noqa: S608 - see above
        f"WHERE ctid >= %s::tid AND ctid < %s::tid {' '.join(wanted)}"
    )
    pages = max(1, rows_of_chunk(blocks) // _MOST_ROWS_OF_A_PAGE)
    for first in range(0, _page_count(database, table), pages):
        within = (f"({first},0)", f"({first + pages},0)", *groups)
        report_count, *arrays = _fetch(database, statement, within)
        yield Chunk(
            report_count,
            [
                read_column(block, array.encode())
                for block, array in zip(blocks, arrays, strict=True)
            ],
        )


def read_tally(
    database: "Database", table: str, blocks: Sequence[Block], group: str | None = None
) -> SurveyCounts:
    """The counts of blocks, all at one moment, without reading a report.

    Raises:
        InconsistentTally: the tally is not one that any reports have.
    """
    names = [NO_BLOCK, *(block.id for block in blocks)]
    of_group = "" if group is None else f"{GROUP_COLUMN} = %s AND "
    # One statement sees one moment, and finds the new table if the survey is being closed.
    statement = summed_counts_sql(tally_name(table), "block", f"{of_group}block = ANY(%s)")
    keys = (names,) if group is None else (group, names)
    return counts_of_tally(blocks, database.execute(statement.encode(), keys).fetchall())


def read_tally_rows(database: "Database", table: PostgresTable) -> list[TallyRow]:
    """All rows of a tally, with its shards added up; the counts are not checked."""
    statement = summed_counts_sql(table.tally, ", ".join(table.tally_names))
    rows = database.execute(statement.encode()).fetchall()
    return [(*key, tuple(cast("list[int]", counts))) for *key, counts in rows]


def read_cells(
    database: "Database", table: str, blocks: Sequence[Block], rows_at_a_time: int
) -> Iterator[tuple[int, Cells]]:
    """The number of reports, and some of them in the order of their ids.

    The ids are left out, and the values are not checked.
    """
    columns = ", ".join(quoted(block.id) for block in blocks)
    # The names are the store's own, quoted; no value is in the text.
    (total,) = _fetch(database, f"SELECT count(*) FROM {quoted(table)}")  # noqa: S608
    with database.cursor("reports") as cursor:
        cursor.execute(f"SELECT {columns} FROM {quoted(table)} ORDER BY _report".encode())  # noqa: S608
        while rows := cursor.fetchmany(rows_at_a_time):
            yield total, list(zip(*rows, strict=True))


def count_range(database: "Database", table: str, ids: IdRange) -> int:
    """How many reports have ids in this range."""
    # The names are the store's own, quoted; no value is in the text.
    statement = f"SELECT count(*) FROM {quoted(table)} WHERE _report BETWEEN %s AND %s"  # noqa: S608
    (count,) = _fetch(database, statement, _uuids(ids))
    return int(count)


def read_ids(database: "Database", table: str, ids: IdRange) -> Ids:
    """The ids of the reports in this range, in their order."""
    # The names are the store's own, quoted; no report's id is in the text.
    statement = (
        f"SELECT uuid_send(_report) FROM {quoted(table)} "  # noqa: S608 - see above
        "WHERE _report BETWEEN %s AND %s ORDER BY _report"
    )
    with database.cursor(binary=True) as cursor:
        rows = cursor.execute(statement.encode(), _uuids(ids)).fetchall()
    return ids_of([cast("bytes", found) for (found,) in rows])


def read_range(database: "Database", table: str, wanted: WholeRows, ids: IdRange) -> Smalls:
    """The reports with ids in this range, in the order of their ids, which are left out.

    Call it in a transaction.

    Raises:
        StrangeValue: as in WholeRows.
    """
    _plan_simply(database)
    asked = ["count(*)", *map(_column_sql, wanted.blocks)]
    if wanted.groups:
        cases = " ".join(f"WHEN %s THEN '{place}'" for place in range(len(wanted.groups)))
        asked.insert(1, _array_sql(f"CASE {GROUP_COLUMN} {cases} ELSE '?' END"))
    if not wanted.are_complete:
        asked += [
            _array_sql(f"CASE WHEN {quoted(block.id)} IS NULL THEN '0' ELSE '1' END")
            for block in wanted.blocks
        ]
    # The names are the store's own, quoted; no value and no report's id is in the text.
    statement = (
        f"SELECT {', '.join(asked)} FROM (SELECT * FROM {quoted(table)} "  # noqa: S608 - see above
        "WHERE _report BETWEEN %s AND %s ORDER BY _report) AS ordered"
    )
    count, *arrays = _fetch(database, statement, (*wanted.groups, *_uuids(ids)))
    return wanted.read(count, [array.encode() for array in arrays])


def _fetch(
    database: "Database", statement: str, values: tuple[object, ...] = ()
) -> tuple[Any, ...]:
    """The only row of a statement."""
    found = database.execute(statement.encode(), values or None).fetchone()
    return cast("tuple[Any, ...]", found)


def _plan_simply(database: "Database") -> None:
    # Values of one report must be at the same place in all columns.
    database.execute("SET LOCAL max_parallel_workers_per_gather = 0")
    # Measured: compiling takes longer than it saves.
    database.execute("SET LOCAL jit = off")


def _uuids(ids: IdRange) -> tuple[UUID, UUID]:
    first, last = ids.bounds
    return UUID(bytes=first), UUID(bytes=last)


def _page_count(database: "Database", table: str) -> int:
    statement = "SELECT pg_relation_size(%s::regclass) / current_setting('block_size')::bigint"
    (count,) = _fetch(database, statement, (quoted(table),))
    return int(count)


def _column_sql(block: Block) -> str:
    """All values of a block as a JSON array: numbers, or texts that contain lists."""
    column = quoted(block.id)
    member = f"""'"' || {column} || '"'""" if block.mechanism.form.shape else f"{column}::text"
    return _array_sql(member)


def _array_sql(expression: str) -> str:
    """The SQL for a text of each report as a JSON array; NULL is left out."""
    return f"concat('[', string_agg({expression}, ','), ']')"
