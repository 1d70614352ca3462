"""Closing a survey, erasing the order of its reports, and removing its reports.

Advisory locks make sure that a survey is never closed while its reports are being stored.
Several transactions may store reports under the survey's shared lock; closing needs the
lock exclusively. Waiting transactions queue, so that storing cannot delay closing forever,
as it could with locks on the survey's row. Nothing is written for these locks.
"""

import time
from collections.abc import Sequence
from typing import cast

from deniable_collector.deadlines import present_deadline, waiting_until
from deniable_collector.store.base import StoredSurvey
from deniable_collector.store.postgres.connections import Connection, transaction
from deniable_storage.postgres_tables import PostgresTable
from deniable_storage.tables import MARK_FINISHED_SQL, SURVEYS_SQL, tally_name

_MOST_SIGNS = 63


def erase_order(connection: Connection, table: PostgresTable, digest: str) -> None:
    """Rewrite the table in the order of the ids, and its tally as one shard, in one transaction.

    Rows are stored in the order of arrival, and each contains the number of the transaction
    that inserted it. Afterwards all contain the same number. The same transaction removes the
    mark that this is unfinished; without the mark another process has done it meanwhile.
    Readers wait only at the very end, and this function waits for present readers.
    """
    copies = {table.name: f"closing_{table.digest}", table.tally: f"closing_tally_{table.digest}"}
    reports = f'SELECT * FROM "{table.name}" ORDER BY _report'  # noqa: S608  safe names, see tables
    with transaction(connection):
        locked = f'"{table.name}", "{table.tally}"'
        _run(connection, f"LOCK TABLE {locked} IN SHARE ROW EXCLUSIVE MODE")
        mark = connection.execute(MARK_FINISHED_SQL.replace("?", "%s").encode(), (digest,))
        if not mark.fetchone():
            return
        began = time.monotonic()
        _copy(connection, table.name, copies[table.name], reports, "_report")
        tally = table.summed_tally_sql
        _copy(connection, table.tally, copies[table.tally], tally, table.tally_key)
        # The time for copying is not time spent waiting.
        with waiting_until(present_deadline() + time.monotonic() - began):
            for name, new in copies.items():
                connection.limit_locks()
                _replace(connection, name, new)
    for name in copies:
        _run(connection, f'VACUUM (FREEZE, ANALYZE) "{name}"')


def _copy(connection: Connection, name: str, new: str, rows_sql: str, key: str) -> None:
    """Make a table of the form of another one, with the rows of a query."""
    _run(connection, f'CREATE TABLE "{new}" (LIKE "{name}")')
    _run(connection, f'INSERT INTO "{new}" {rows_sql}')
    _run(connection, f'ALTER TABLE "{new}" ADD PRIMARY KEY ({key})')
    for grant in grants_of(connection, name, new):
        _run(connection, grant)


def _replace(connection: Connection, name: str, new: str) -> None:
    """Put one table in the place of another."""
    index = f"{name[: _MOST_SIGNS - len('_pkey')]}_pkey"
    _run(connection, f'DROP TABLE "{name}"')
    _run(connection, f'ALTER TABLE "{new}" RENAME TO "{name}"')
    _run(connection, f'ALTER INDEX "{new}_pkey" RENAME TO "{index}"')


def grants_of(connection: Connection, table: str, new: str) -> list[str]:
    """The statements that grant a new table the privileges of an old one, if there is one."""
    rows = connection.execute(
        "SELECT format('GRANT %%s ON %%I TO %%s', privilege_type, %s::text, "
        "CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END) "
        "FROM pg_class, aclexplode(relacl) WHERE oid = to_regclass(%s)",
        (new, f'"{table}"'),
    ).fetchall()
    return [cast("str", grant) for (grant,) in rows]


def _run(connection: Connection, statement: str) -> None:
    connection.execute(statement.encode())


def remove_reports(connection: Connection, stored: StoredSurvey) -> int:
    """Remove the reports, and return their number; call it in a transaction.

    The server gives the table new files, and removes the old ones at the end of the
    transaction. The server's own log and backups keep the reports until the server discards
    them.
    """
    name = stored.reports_table
    both = f'"{name}", "{tally_name(name)}"'
    connection.execute(f"LOCK TABLE {both} IN ACCESS EXCLUSIVE MODE".encode())
    found = connection.execute(f'SELECT count(*) FROM "{name}"'.encode()).fetchone()  # noqa: S608  the store's own name
    connection.execute(f"TRUNCATE {both}".encode())
    return cast("tuple[int]", found)[0]


def begin_storing_sql(digests: Sequence[str]) -> str:
    """The statements that begin a transaction during which none of these surveys is closed.

    The last one returns the surveys, as SURVEYS_SQL does, in the order of the digests. It is
    a statement of its own, so that it sees what was committed before the locks were granted.

    Args:
        digests: of surveys, as hexadecimal digits.
    """
    locks = (f"SELECT pg_advisory_xact_lock_shared({_key(digest)})" for digest in digests)
    known = ", ".join(f"'{bytes.fromhex(digest).hex()}'" for digest in digests) or "NULL"
    surveys = f"{SURVEYS_SQL} WHERE digest IN ({known}) ORDER BY digest"
    return "; ".join(["BEGIN", *locks, surveys])


def lock_exclusive(connection: Connection, digest: str) -> None:
    """Wait until nobody stores reports of a survey; nobody can until the transaction ends."""
    connection.limit_locks()
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_key(digest),))


def _key(digest: str) -> int:
    """The number of a digest's lock: 64 bits with a sign."""
    return int.from_bytes(bytes.fromhex(digest[:16]), "big", signed=True)
