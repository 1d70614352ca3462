"""The session's own tables, through which reports come in."""

from deniable_collector.store.postgres.connections import Connection
from deniable_storage.postgres_tables import PostgresTable

# Every commit empties all of them, whichever were used.
_MOST = 16


class IncomingTables:
    """Which tables of the session there are, on the connection used last."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._known: set[str] = set()

    def prepare(self, connection: Connection, table: PostgresTable) -> None:
        """Make the survey's incoming table, unless it is there."""
        if connection is not self._connection:
            self._connection, self._known = connection, set()
        if table.incoming in self._known:
            return
        if len(self._known) >= _MOST:
            connection.execute("DISCARD TEMPORARY")
            self._known.clear()
        connection.execute(table.create_incoming_sql.encode())
        self._known.add(table.incoming)

    def forget(self) -> None:
        """Believe nothing any more: a transaction that failed took tables away."""
        self._connection = None
