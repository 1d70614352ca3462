"""The published surveys of an SQLite store."""

import sqlite3

from deniable_collector.store.base import Publication, PublishOutcome, StoredSurvey
from deniable_collector.store.keys import refuse_unusable_keys
from deniable_sdk import PublishedSurvey
from deniable_storage.sqlite_tables import (
    APPEND_TO_LOG_SQL,
    DOCUMENT_SQL,
    IS_IN_DOCUMENT_SQL,
    SqliteTable,
)
from deniable_storage.tables import SURVEYS_SQL


class SqliteSurveys:
    """Publishes surveys and finds them; each document is read once."""

    def __init__(self) -> None:
        # A digest always names the same document, so no entry becomes outdated.
        self._surveys: dict[str, PublishedSurvey] = {}
        self._tables: dict[str, SqliteTable] = {}

    def publish(self, connection: sqlite3.Connection, survey: PublishedSurvey) -> Publication:
        """Publish a survey, as a store does; call it in a transaction.

        Raises:
            UnusableKeys: a group has no key, or one that another survey has.
        """
        same = self.find(connection, "digest = ?", survey.digest)
        if same:
            return Publication(PublishOutcome.ALREADY_PUBLISHED, same)
        newest = self.find(connection, "slug = ?", survey.slug)
        if newest and not newest.is_closed:
            return Publication(PublishOutcome.CONFLICT, newest)
        refuse_unusable_keys(
            survey,
            lambda text: connection.execute(IS_IN_DOCUMENT_SQL, (text,)).fetchone() == (1,),
        )
        edition = newest.edition + 1 if newest else 1
        table = self.table(survey)
        connection.execute(table.create_sql)
        if table.at_most_reports is not None:
            connection.execute(table.create_tally_sql)
        connection.execute(
            "INSERT INTO surveys (digest, slug, edition, document, reports_table) "
            "VALUES (?, ?, ?, ?, ?)",
            (survey.digest, survey.slug, edition, survey.document.decode(), table.name),
        )
        connection.execute(APPEND_TO_LOG_SQL, (survey.digest,))
        stored = StoredSurvey(survey, edition, is_closed=False, reports_table=table.name)
        return Publication(PublishOutcome.PUBLISHED, stored)

    def find(
        self, connection: sqlite3.Connection, condition: str, value: str
    ) -> StoredSurvey | None:
        """The newest edition that meets a condition on its digest or slug."""
        statement = f"{SURVEYS_SQL} WHERE {condition} ORDER BY edition DESC LIMIT 1"
        row = connection.execute(statement, (value,)).fetchone()
        return self._stored(connection, row) if row else None

    def all(self, connection: sqlite3.Connection) -> tuple[StoredSurvey, ...]:
        """All editions of all surveys, by slug and edition."""
        rows = connection.execute(f"{SURVEYS_SQL} ORDER BY slug, edition").fetchall()
        return tuple(self._stored(connection, row) for row in rows)

    def table(self, survey: PublishedSurvey) -> SqliteTable:
        """The table of a survey's reports."""
        table = self._tables.get(survey.digest)
        if table is None:
            table = self._tables[survey.digest] = SqliteTable.of(survey)
        return table

    def _stored(
        self, connection: sqlite3.Connection, row: tuple[str, int, int, str, int]
    ) -> StoredSurvey:
        digest, edition, is_closed, reports_table, is_purged = row
        survey = self._surveys.get(digest)
        if survey is None:
            (document,) = connection.execute(DOCUMENT_SQL, (digest,)).fetchone()
            survey = PublishedSurvey.from_bytes(document.encode(), digest=digest)
            self._surveys[digest] = survey
        return StoredSurvey(survey, edition, bool(is_closed), reports_table, bool(is_purged))
