"""Erases the order of arrival from a closed survey's table."""

from typing import cast

from deniable_collector.store.postgres.connections import Connection, transaction
from deniable_storage.postgres_tables import PostgresTable

_MOST_SIGNS = 63


def forget_order(connection: Connection, table: PostgresTable) -> None:
    """Rewrite the table in the order of the ids, in one transaction, and remove its tally.

    Rows are stored in the order of arrival, and each contains the number of the transaction
    that inserted it. Afterwards all contain the same number. Readers wait only at the very
    end, and this function waits for present readers.
    """
    new = f"closing_{table.digest[:12]}"
    key = f"{table.name[: _MOST_SIGNS - len('_pkey')]}_pkey"
    with transaction(connection):
        _run(connection, f'LOCK TABLE "{table.name}" IN SHARE ROW EXCLUSIVE MODE')
        _run(connection, f'CREATE TABLE "{new}" (LIKE "{table.name}")')
        _run(
            connection,
            f'INSERT INTO "{new}" SELECT * FROM "{table.name}" ORDER BY _report',  # noqa: S608  safe names, see tables
        )
        _run(connection, f'ALTER TABLE "{new}" ADD PRIMARY KEY (_report)')
        for grant in _grants(connection, table.name, new):
            _run(connection, grant)
        _run(connection, f'DROP TABLE "{table.name}"')
        _run(connection, table.drop_tally_sql)
        _run(connection, f'ALTER TABLE "{new}" RENAME TO "{table.name}"')
        _run(connection, f'ALTER INDEX "{new}_pkey" RENAME TO "{key}"')
    _run(connection, f'VACUUM (FREEZE, ANALYZE) "{table.name}"')


def _grants(connection: Connection, table: str, new: str) -> list[str]:
    """The statements that grant the new table the privileges of the old one."""
    rows = connection.execute(
        "SELECT format('GRANT %%s ON %%I TO %%s', privilege_type, %s::text, "
        "CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END) "
        "FROM pg_class, aclexplode(relacl) WHERE oid = %s::regclass",
        (new, f'"{table}"'),
    ).fetchall()
    return [cast("str", grant) for (grant,) in rows]


def _run(connection: Connection, statement: str) -> None:
    connection.execute(statement.encode())
