"""Removing the reports of a closed survey."""

from typing import cast

from deniable_collector.errors import StillOpen
from deniable_collector.store.base import StoredSurvey
from deniable_collector.store.postgres.connections import Connection


def remove_reports(connection: Connection, stored: StoredSurvey) -> int:
    """Remove the reports, and return their number; call it in a transaction.

    The server gives the table new files, and removes the old ones at the end of the
    transaction. The server's own log and backups keep the reports until the server discards
    them.

    Raises:
        StillOpen: the survey accepts reports.
    """
    if not stored.is_closed:
        raise StillOpen(stored.survey.slug, stored.edition)
    name = stored.reports_table
    connection.execute(f'LOCK TABLE "{name}" IN ACCESS EXCLUSIVE MODE'.encode())
    found = connection.execute(f'SELECT count(*) FROM "{name}"'.encode()).fetchone()  # noqa: S608  the store's own name
    connection.execute(f'TRUNCATE "{name}"'.encode())
    connection.execute(
        "INSERT INTO purged (digest) VALUES (%s) ON CONFLICT DO NOTHING", (stored.survey.digest,)
    )
    return cast("tuple[int]", found)[0]
