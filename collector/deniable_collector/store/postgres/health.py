"""Whether reports could be stored now, found without writing anything.

A transaction that writes gets a number, which the rows of reports carry too:
one of them every few seconds would be a clock beside the reports. So locks
are tried, and room on the server's disk, by a sort that does not fit into
memory. Only after a commit that failed one is tried for real.
"""

from typing import Final, cast

from deniable_collector.errors import StoreUnavailable
from deniable_collector.store.postgres.connections import Connection, transaction

LIMIT_S: Final = 2.4
LOCK_PATIENCE_S: Final = 0.8
_IS_READ_ONLY = "SELECT current_setting('transaction_read_only') = 'on'"
# Each lock takes a place in the server's memory.
_OPEN = "SELECT reports_table FROM surveys WHERE NOT is_closed ORDER BY reports_table LIMIT 64"
_SORT = (
    "SET LOCAL work_mem = '64kB'; "
    "SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000) AS n ORDER BY n DESC OFFSET 0) "
    "AS sorted"
)
# The row is rewritten unchanged.
_COMMIT = (
    "UPDATE surveys SET is_closed = is_closed WHERE digest = (SELECT min(digest) FROM surveys)"
)


def check_storing(connection: Connection, *, must_commit: bool) -> None:
    """Raise StoreUnavailable unless a report would be stored now.

    Args:
        connection: in no transaction.
        must_commit: whether to commit something that changes nothing.
    Raises:
        StoreUnavailable: the database takes no writes. All else that is in the
            way is an error of the engine's.
    """
    is_read_only = cast("tuple[bool]", connection.execute(_IS_READ_ONLY.encode()).fetchone())[0]
    if is_read_only:
        raise StoreUnavailable("the database is read-only")
    with transaction(connection):
        tables = [f'"{name}"' for (name,) in connection.execute(_OPEN.encode()).fetchall()]
        if tables:
            # What storing takes; it goes with the transaction, which writes nothing.
            locks = f"LOCK TABLE {', '.join(tables)} IN ROW EXCLUSIVE MODE"
            connection.execute(locks.encode())
        connection.execute(_SORT.encode(), prepare=False)
    if must_commit:
        connection.execute(_COMMIT.encode())
