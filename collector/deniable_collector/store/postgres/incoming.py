"""The temporary tables of a session, which receive new reports."""

from deniable_collector.store.postgres.connections import Connection
from deniable_storage.postgres_tables import PostgresTable

# A limit, because every commit empties all of these tables, used or not.
_MOST = 16


class IncomingTables:
    """Which temporary tables exist on the connection that was used last."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._known: set[str] = set()

    def prepare(self, connection: Connection, table: PostgresTable) -> None:
        """Create the survey's temporary table, unless it exists."""
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
        """Forget which tables exist: a failed transaction may have removed some."""
        self._connection = None
