"""Counts the reports of an SQLite store whose tallies have another form, or that has none."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from sqlite3 import Connection
from typing import TYPE_CHECKING

from deniable_collector.errors import UnreadableStore
from deniable_collector.store.inserting import add_to_tally
from deniable_sdk import PublishedSurvey
from deniable_storage.errors import StrangeValue
from deniable_storage.sqlite_tables import SqliteTable
from deniable_storage.tally_rows import TallyRow

if TYPE_CHECKING:
    from deniable_storage.chunks import Chunk


def create_tallies(connection: Connection) -> None:
    """Give each survey its tally, from its reports; call it in a transaction.

    Memory does not grow with the number of reports.

    Raises:
        UnreadableStore: a report has a value that no device sends.
    """
    rows = connection.execute("SELECT digest, document FROM surveys ORDER BY digest").fetchall()
    for digest, document in rows:
        # Here, so that making a new store does not import numpy.
        from deniable_storage.sqlite import read_reports  # noqa: PLC0415 - see above

        survey = PublishedSurvey.from_bytes(document.encode(), digest=digest)
        table = SqliteTable.of(survey)
        # In earlier layouts a tally had other forms, or there was none.
        connection.execute(f'DROP TABLE IF EXISTS "{table.tally}"')
        connection.execute(table.create_tally_sql)
        (total,) = connection.execute(table.count_rows_sql).fetchone()
        read = partial(read_reports, connection, table.name, survey.blocks)
        add_to_tally(connection, table, counted_rows(survey, total, read))


def counted_rows(
    survey: PublishedSurvey, total: int, read: Callable[..., Iterable["Chunk"]]
) -> Sequence[TallyRow]:
    """The rows that the tally of a survey should have.

    Args:
        survey: the survey.
        total: the number of its reports.
        read: reads the reports of a group, or all of a survey without groups.
    Raises:
        UnreadableStore: a report has a value that no device sends.
    """
    from deniable_storage.tallies import recount  # noqa: PLC0415 - it imports numpy

    try:
        return recount(survey, (), total, lambda group: read(group=group)).rows
    except StrangeValue as error:
        problem = f"the reports of {survey.slug!r} cannot be counted: {error}"
        raise UnreadableStore(problem) from None
