"""Counts the reports of an SQLite store whose tallies have another form, or that has none."""

import sqlite3
from functools import partial

from deniable_collector.errors import UnreadableStore
from deniable_collector.store.inserting import add_to_tally
from deniable_sdk import PublishedSurvey
from deniable_storage.errors import StrangeValue
from deniable_storage.sqlite_tables import SqliteTable


def create_tallies(connection: sqlite3.Connection) -> None:
    """Give each survey its tally, from its reports; call it in a transaction.

    Memory does not grow with the number of reports.

    Raises:
        UnreadableStore: a report has a value that no device sends.
    """
    rows = connection.execute("SELECT digest, document FROM surveys ORDER BY digest").fetchall()
    for digest, document in rows:
        survey = PublishedSurvey.from_bytes(document.encode(), digest=digest)
        table = SqliteTable.of(survey)
        # In earlier layouts a tally had other forms, or there was none.
        connection.execute(f'DROP TABLE IF EXISTS "{table.tally}"')
        connection.execute(table.create_tally_sql)
        _fill(connection, table, survey)


def _fill(connection: sqlite3.Connection, table: SqliteTable, survey: PublishedSurvey) -> None:
    # Imported here, because they import numpy.
    from deniable_storage.sqlite import read_reports  # noqa: PLC0415 - see above
    from deniable_storage.tallies import recount  # noqa: PLC0415 - see above

    (total,) = connection.execute(table.count_rows_sql).fetchone()
    read = partial(read_reports, connection, table.name, survey.blocks)
    try:
        found = recount(survey, (), total, lambda group: read(group=group))
    except StrangeValue as error:
        raise uncountable(survey, error) from None
    add_to_tally(connection, table, found.rows)


def uncountable(survey: PublishedSurvey, error: StrangeValue) -> UnreadableStore:
    """The error of a store that cannot be brought to the present layout."""
    return UnreadableStore(f"the reports of {survey.slug!r} cannot be counted: {error}")
