"""Removes the reports of a closed survey so that no byte of them stays."""

import sqlite3

from deniable_collector.errors import StillOpen
from deniable_collector.store.base import StoredSurvey
from deniable_collector.store.connections import empty_log
from deniable_storage.tables import tally_name


def remove_reports(connection: sqlite3.Connection, stored: StoredSurvey) -> int:
    """Remove the reports, and return their number; call it in a transaction.

    Raises:
        StillOpen: the survey accepts reports.
    """
    if not stored.is_closed:
        raise StillOpen(stored.survey.slug, stored.edition)
    connection.execute(
        "INSERT INTO purged (digest) VALUES (?) ON CONFLICT DO NOTHING", (stored.survey.digest,)
    )
    # With a condition, SQLite visits every row, and so counts the rows.
    removed = connection.execute(
        f'DELETE FROM "{stored.reports_table}" WHERE TRUE'  # noqa: S608  the store's own name
    )
    connection.execute(f'DELETE FROM "{tally_name(stored.reports_table)}"')  # noqa: S608  as above
    return removed.rowcount


def scrub(connection: sqlite3.Connection) -> bool:
    """Whether all removed reports could be erased from the file and its log.

    The log is emptied first, so that the zeros of secure_delete overwrite the removed
    reports before the file is cut to its new length.
    """
    if not empty_log(connection):
        return False
    connection.execute("VACUUM")
    return empty_log(connection)
