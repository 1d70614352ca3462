"""The published surveys of a PostgreSQL store."""

from typing import cast

from deniable_collector.errors import StoreUnavailable
from deniable_collector.store.base import Publication, PublishOutcome, StoredSurvey
from deniable_collector.store.keys import refuse_unusable_keys
from deniable_collector.store.postgres.connections import Connection
from deniable_sdk import PublishedSurvey
from deniable_storage.postgres_tables import (
    APPEND_TO_LOG_SQL,
    DOCUMENT_SQL,
    IS_IN_DOCUMENT_SQL,
    PostgresTable,
)
from deniable_storage.tables import SURVEYS_SQL


class PostgresSurveys:
    """Publishes surveys and finds them; each document is read once."""

    def __init__(self) -> None:
        # A digest always names the same document, so no entry becomes outdated.
        self._surveys: dict[str, PublishedSurvey] = {}
        self._tables: dict[str, PostgresTable] = {}
        self._slugs: set[str] = set()

    def publish(self, connection: Connection, survey: PublishedSurvey) -> Publication:
        """Publish a survey, as a store does; call it in a transaction that locks the surveys.

        Raises:
            UnusableKeys: a group has no key, or one that another survey has.
        """
        same = self.find(connection, "digest", survey.digest)
        if same:
            return Publication(PublishOutcome.ALREADY_PUBLISHED, same)
        newest = self.find(connection, "slug", survey.slug)
        if newest and not newest.is_closed:
            return Publication(PublishOutcome.CONFLICT, newest)
        refuse_unusable_keys(
            survey,
            lambda text: connection.execute(IS_IN_DOCUMENT_SQL, (text,)).fetchone() == (True,),
        )
        edition = newest.edition + 1 if newest else 1
        table = self.table(survey)
        connection.execute(table.create_sql.encode())
        if table.at_most_reports is not None:
            connection.execute(table.create_tally_sql.encode())
        connection.execute(
            "INSERT INTO surveys (digest, slug, edition, document, reports_table) "
            "VALUES (%s, %s, %s, %s, %s)",
            (survey.digest, survey.slug, edition, survey.document.decode(), table.name),
        )
        connection.execute(APPEND_TO_LOG_SQL, (survey.digest,))
        stored = StoredSurvey(survey, edition, is_closed=False, reports_table=table.name)
        return Publication(PublishOutcome.PUBLISHED, stored)

    def find(self, connection: Connection, column: str, value: str) -> StoredSurvey | None:
        """The newest edition with a digest or slug."""
        statement = f"{SURVEYS_SQL} WHERE {column} = %s ORDER BY edition DESC LIMIT 1"
        row = connection.execute(statement.encode(), (value,)).fetchone()
        return self._stored(connection, row) if row else None

    def all(self, connection: Connection) -> tuple[StoredSurvey, ...]:
        """All editions of all surveys, by slug and edition."""
        rows = connection.execute(f'{SURVEYS_SQL} ORDER BY slug COLLATE "C", edition').fetchall()
        return tuple(self._stored(connection, row) for row in rows)

    def is_slug(self, connection: Connection, text: str) -> bool:
        """Whether a survey has this slug.

        A server may log parameters, so only a known slug may become one.
        """
        if text not in self._slugs:
            found = connection.execute("SELECT slug FROM surveys").fetchall()
            self._slugs.update(str(slug) for (slug,) in found)
        return text in self._slugs

    def of_digest(self, connection: Connection, digest: str) -> PublishedSurvey:
        """The survey with this digest, which was in the store a moment ago.

        Raises:
            StoreUnavailable: it was removed since.
        """
        survey = self._surveys.get(digest)
        if survey is None:
            found = connection.execute(DOCUMENT_SQL.encode(), (digest,)).fetchone()
            if found is None:
                raise StoreUnavailable("a survey was removed while its reports were added")
            (document,) = cast("tuple[str]", found)
            survey = PublishedSurvey.from_bytes(document.encode(), digest=digest)
            self._surveys[digest] = survey
        return survey

    def table(self, survey: PublishedSurvey) -> PostgresTable:
        """The table of a survey's reports."""
        table = self._tables.get(survey.digest)
        if table is None:
            table = self._tables[survey.digest] = PostgresTable.of(survey)
        return table

    def _stored(self, connection: Connection, row: tuple[object, ...]) -> StoredSurvey:
        digest, edition, is_closed, reports_table, is_purged = cast(
            "tuple[str, int, bool, str, bool]", row
        )
        survey = self.of_digest(connection, digest)
        return StoredSurvey(survey, edition, is_closed, reports_table, is_purged)
