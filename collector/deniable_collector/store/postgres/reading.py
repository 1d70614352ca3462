"""Reads rows in the order of their ids."""

from collections.abc import Sequence
from typing import cast

from deniable_collector.store.base import Row
from deniable_collector.store.postgres.connections import Connection, transaction
from deniable_collector.store.postgres.inserting import copy_in
from deniable_storage.postgres_tables import PostgresTable

_PLACE = "CREATE TEMPORARY TABLE IF NOT EXISTS place (_report uuid) ON COMMIT DELETE ROWS"
_AFTER = "(SELECT _report FROM pg_temp.place)"


def read_rows(
    connection: Connection, table: PostgresTable, after: bytes | None, limit: int
) -> Sequence[Row]:
    """At most `limit` rows after an id.

    The id is sent with COPY, like rows, because a server may log statements.
    """
    with transaction(connection):
        if after is not None:
            connection.execute(_PLACE)
            copy_in(connection, "COPY pg_temp.place FROM STDIN (FORMAT binary)", [(after,)])
        statement = table.range_sql(None if after is None else _AFTER).encode()
        with connection.cursor(binary=True) as cursor:
            rows = cursor.execute(statement, (limit,)).fetchall()
    return cast("list[Row]", rows)
