"""Counts the reports of a PostgreSQL store whose tallies have another form, or that has none."""

from functools import partial
from typing import cast

from deniable_collector.store.postgres.closing import grants_of
from deniable_collector.store.postgres.connections import Connection
from deniable_collector.store.postgres.inserting import replace_tally
from deniable_collector.store.tally_migration import counted_rows
from deniable_sdk import PublishedSurvey
from deniable_storage.postgres_tables import PostgresTable


def create_tallies(connection: Connection) -> None:
    """Give each survey its tally, from its reports; call it in a transaction.

    Memory does not grow with the number of reports.

    Raises:
        UnreadableStore: a report has a value that no device sends.
    """
    rows = connection.execute("SELECT digest, document FROM surveys ORDER BY digest").fetchall()
    for digest, document in cast("list[tuple[str, str]]", rows):
        # Here, so that making a new store does not import numpy.
        from deniable_storage.postgres import read_reports  # noqa: PLC0415 - see above

        survey = PublishedSurvey.from_bytes(document.encode(), digest=digest)
        table = PostgresTable.of(survey)
        # A collector of an earlier version that was not stopped could still store reports.
        lock = f'LOCK TABLE "{table.name}" IN SHARE ROW EXCLUSIVE MODE'
        connection.execute(lock.encode())
        # In earlier layouts a tally had other forms, or there was none.
        grants = grants_of(connection, table.tally, table.tally)
        connection.execute(f'DROP TABLE IF EXISTS "{table.tally}"'.encode())
        connection.execute(table.create_tally_sql.encode())
        for grant in grants:
            connection.execute(grant.encode())
        counted = connection.execute(table.count_rows_sql.encode()).fetchone()
        (total,) = cast("tuple[int]", counted)
        read = partial(read_reports, connection, table.name, survey.blocks)
        replace_tally(connection, table, counted_rows(survey, total, read))
