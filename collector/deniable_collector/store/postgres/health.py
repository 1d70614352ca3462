"""Checks whether reports could be stored now, without writing anything.

A transaction that writes gets a number, and the rows of reports contain such numbers too. A
number every few seconds would be a clock beside the reports. So the check only takes locks,
and tests for room on the server's disk with a sort that does not fit into memory. Only
after a commit has failed, it tries a real commit.
"""

from typing import Final, cast

from deniable_collector.errors import StoreUnavailable
from deniable_collector.store.postgres.connections import Connection, transaction

LIMIT_S: Final = 2.4
LOCK_PATIENCE_S: Final = 0.8
_IS_READ_ONLY = "SELECT current_setting('transaction_read_only') = 'on'"
# Limited, because each lock uses some of the server's memory for locks.
_OPEN = "SELECT reports_table FROM surveys WHERE NOT is_closed ORDER BY reports_table LIMIT 64"
_SORT = (
    "SET LOCAL work_mem = '64kB'; "
    "SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000) AS n ORDER BY n DESC OFFSET 0) "
    "AS sorted"
)
# This rewrites a row unchanged.
_COMMIT = (
    "UPDATE surveys SET is_closed = is_closed WHERE digest = (SELECT min(digest) FROM surveys)"
)


def check_storing(connection: Connection, *, must_commit: bool) -> None:
    """Raise StoreUnavailable unless a report would be stored now."""
    is_read_only = cast("tuple[bool]", connection.execute(_IS_READ_ONLY.encode()).fetchone())[0]
    if is_read_only:
        raise StoreUnavailable("the database is read-only")
    with transaction(connection):
        tables = [f'"{name}"' for (name,) in connection.execute(_OPEN.encode()).fetchall()]
        if tables:
            # The locks that storing takes; they are released with the transaction, which
            # writes nothing.
            locks = f"LOCK TABLE {', '.join(tables)} IN ROW EXCLUSIVE MODE"
            connection.execute(locks.encode())
        connection.execute(_SORT.encode(), prepare=False)
    if must_commit:
        connection.execute(_COMMIT.encode())
