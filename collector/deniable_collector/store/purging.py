"""Removing the reports of a closed survey so that no byte of them stays."""

import sqlite3

from deniable_collector.errors import StillOpen
from deniable_collector.store.base import StoredSurvey
from deniable_collector.store.connections import empty_log


def remove_reports(connection: sqlite3.Connection, stored: StoredSurvey) -> int:
    """How many reports were removed; call it in a transaction.

    Raises:
        StillOpen: the survey accepts reports.
    """
    if not stored.is_closed:
        raise StillOpen(stored.survey.slug, stored.edition)
    connection.execute(
        "INSERT INTO purged (digest) VALUES (?) ON CONFLICT DO NOTHING", (stored.survey.digest,)
    )
    # With a condition every row is looked at, and so counted.
    removed = connection.execute(
        f'DELETE FROM "{stored.reports_table}" WHERE TRUE'  # noqa: S608  the store's own name
    )
    return removed.rowcount


def scrub(connection: sqlite3.Connection) -> bool:
    """Whether nothing of what was removed is left in the file or its log.

    The log is emptied first: so the zeros of secure_delete come to lie over
    what was removed before the file is cut to its new length.
    """
    if not empty_log(connection):
        return False
    connection.execute("VACUUM")
    return empty_log(connection)
