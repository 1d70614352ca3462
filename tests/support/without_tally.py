"""Storing without counting, only to measure what counting costs beside it."""

from typing import Any

from deniable_collector.store import inserting
from deniable_storage.postgres_tables import PostgresTable
from deniable_storage.tables import ReportsTable


def store_without_tally() -> None:
    """Let this process add to no tally: its stores are wrong from now on."""
    setattr(ReportsTable, "tally_rows", lambda _, rows: [])  # noqa: ARG005, B010 - see above
    setattr(inserting, "add_to_tally", lambda *_: None)  # noqa: B010 - as above
    setattr(PostgresTable, "insert_sql", property(_insert_sql))  # noqa: B010 - as above


def _insert_sql(table: Any) -> str:
    return (
        f'WITH added AS (INSERT INTO "{table.name}" SELECT _report, {table.quoted_columns} '  # noqa: S608 - our names
        f'FROM "{table.incoming}" ORDER BY _report ON CONFLICT DO NOTHING RETURNING 1) '
        "SELECT count(*) FROM added WHERE %s >= 0"
    )
