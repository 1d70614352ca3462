"""A shared PostgreSQL store: one connection writes, a few read, and long work has its own."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import psycopg

from deniable_collector.errors import ClosingUnfinished, StoreUnavailable
from deniable_collector.store.base import (
    Publication,
    PublishOutcome,
    ReportOutcome,
    Row,
    StoredSurvey,
)
from deniable_collector.store.counting import CountingStore
from deniable_collector.store.locations import shown
from deniable_collector.store.postgres import tokens
from deniable_collector.store.postgres.advisory_locks import (
    are_closed,
    begin_storing_sql,
    lock_exclusive,
)
from deniable_collector.store.postgres.closing import forget_order
from deniable_collector.store.postgres.connections import (
    Connection,
    Connections,
    connected,
    presence_of,
    transaction,
)
from deniable_collector.store.postgres.health import LIMIT_S, LOCK_PATIENCE_S, check_storing
from deniable_collector.store.postgres.incoming import IncomingTables
from deniable_collector.store.postgres.inserting import insert, look_up
from deniable_collector.store.postgres.migrations import check_server, migrate
from deniable_collector.store.postgres.purging import remove_reports
from deniable_collector.store.postgres.reading import read_rows
from deniable_collector.tokens import Token
from deniable_sdk import Block, PublishedSurvey
from deniable_storage.postgres_tables import DOCUMENT_SQL, PostgresTable
from deniable_storage.tables import SURVEYS_SQL

if TYPE_CHECKING:
    from deniable_storage.chunks import Chunk

PATIENCE_S = 10.0
_READERS = 4
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PUBLISH_LOCK = "LOCK TABLE surveys IN SHARE ROW EXCLUSIVE MODE"


class PostgresStore(CountingStore):
    """A store in PostgreSQL; see the protocol Store. The next call replaces a lost connection.

    Args:
        url: the URL of the database; it may contain a password and is never shown.
        must_exist: refuse a database without a store.
        patience_s: how long to wait for others, for example for a lock.
    """

    def __init__(
        self, url: str, *, must_exist: bool = False, patience_s: float = PATIENCE_S
    ) -> None:
        self._presence = presence_of(url)
        with connected(url, patience_s=patience_s, presence=self._presence) as connection:
            check_server(connection, shown(url))
            migrate(connection, shown(url), must_exist=must_exist)
        self._url = url
        self._patience_s = patience_s
        self._writers = self._connections(most=1)
        self._readers = self._connections(most=_READERS)
        self._health = self._connections(
            most=1, patience_s=min(patience_s, LOCK_PATIENCE_S), use_timeout_s=LIMIT_S
        )
        self._incoming = IncomingTables()
        # Whether the last commit of reports failed.
        self._has_failed = False
        self._is_open = True
        # A digest always names the same document, so no entry becomes outdated.
        self._surveys: dict[str, PublishedSurvey] = {}
        self._tables: dict[str, PostgresTable] = {}
        self._slugs: set[str] = set()

    def publish(self, survey: PublishedSurvey) -> Publication:
        table = PostgresTable.of(survey)
        with (
            self._writers.lend() as connection,
            transaction(connection, f"BEGIN; {_PUBLISH_LOCK}"),
        ):
            same = self._find(connection, "digest", survey.digest)
            if same:
                return Publication(PublishOutcome.ALREADY_PUBLISHED, same)
            newest = self._find(connection, "slug", survey.slug)
            if newest and not newest.is_closed:
                return Publication(PublishOutcome.CONFLICT, newest)
            edition = newest.edition + 1 if newest else 1
            connection.execute(table.create_sql.encode())
            connection.execute(
                "INSERT INTO surveys (digest, slug, edition, document, reports_table) "
                "VALUES (%s, %s, %s, %s, %s)",
                (survey.digest, survey.slug, edition, survey.document.decode(), table.name),
            )
        stored = StoredSurvey(survey, edition, is_closed=False, reports_table=table.name)
        return Publication(PublishOutcome.PUBLISHED, stored)

    def find_survey(self, slug: str) -> StoredSurvey | None:
        with self._readers.lend() as connection:
            if not self._is_slug(connection, slug):
                return None
            return self._find(connection, "slug", slug)

    def find_edition(self, digest: str) -> StoredSurvey | None:
        if not _DIGEST.fullmatch(digest):
            return None
        with self._readers.lend() as connection:
            return self._find(connection, "digest", digest)

    def list_surveys(self) -> tuple[StoredSurvey, ...]:
        with self._readers.lend() as connection:
            rows = connection.execute(
                f'{SURVEYS_SQL} ORDER BY slug COLLATE "C", edition'
            ).fetchall()
            return tuple(self._stored(connection, row) for row in rows)

    def close_survey(self, slug: str) -> StoredSurvey | None:
        with self._apart() as connection:
            with transaction(connection, f"BEGIN; {_PUBLISH_LOCK}"):
                newest = self._find(connection, "slug", slug)
                if newest is None:
                    return None
                digest = newest.survey.digest
                lock_exclusive(connection, digest)
                connection.execute(
                    "UPDATE surveys SET is_closed = true WHERE digest = %s", (digest,)
                )
            try:
                forget_order(connection, self._table(newest.survey))
            except psycopg.errors.LockNotAvailable:
                raise ClosingUnfinished from None
            return self._find(connection, "digest", digest)

    def add_rows(self, rows: Mapping[str, Sequence[Row]]) -> Mapping[str, Sequence[ReportOutcome]]:
        outcomes: dict[str, Sequence[ReportOutcome]] = {
            digest: [ReportOutcome.UNKNOWN_SURVEY] * len(found) for digest, found in rows.items()
        }
        # Always in the same order, so that transactions never wait for each other in a circle.
        digests = sorted(digest for digest in rows if rows[digest] and _DIGEST.fullmatch(digest))
        if not digests:
            return outcomes
        try:
            with self._writers.lend() as connection:
                try:
                    with transaction(connection, begin_storing_sql(digests)):
                        for digest, is_closed in are_closed(connection, digests):
                            outcomes[digest] = self._add(
                                connection, digest, rows[digest], is_closed
                            )
                except BaseException:
                    self._incoming.forget()
                    raise
        except StoreUnavailable:
            self._has_failed = True
            raise
        self._has_failed = False
        return outcomes

    def count_reports(self, digest: str) -> int:
        with self._readers.lend() as connection:
            stored = self._find(connection, "digest", digest)
            if stored is None:
                return 0
            found = connection.execute(self._table(stored.survey).count_sql.encode()).fetchone()
        return cast("tuple[int]", found)[0]

    def read_rows(self, stored: StoredSurvey, after: bytes | None, limit: int) -> Sequence[Row]:
        with self._readers.lend() as connection:
            return read_rows(connection, self._table(stored.survey), after, limit)

    def purge_reports(self, digest: str) -> int:
        # No lock on the survey: a closed survey stays closed, and nobody stores reports of it.
        with self._apart() as connection, transaction(connection):
            stored = self._find(connection, "digest", digest)
            return remove_reports(connection, stored) if stored else 0

    def add_token(self, token: Token, digest: str) -> bool:
        with self._writers.lend() as connection:
            return tokens.add_token(connection, token, digest)

    def find_token(self, digest: str) -> Token | None:
        with self._readers.lend() as connection:
            return tokens.find_token(connection, digest)

    def list_tokens(self) -> tuple[Token, ...]:
        with self._readers.lend() as connection:
            return tokens.list_tokens(connection)

    def remove_token(self, name: str) -> bool:
        with self._writers.lend() as connection:
            return tokens.remove_token(connection, name)

    def check(self) -> None:
        with self._health.lend() as connection:
            check_storing(connection, must_commit=self._has_failed)
        self._has_failed = False

    def close(self) -> None:
        self._is_open = False
        self._writers.close()
        self._readers.close()
        self._health.close()

    def _add(
        self, connection: Connection, digest: str, rows: Sequence[Row], is_closed: bool
    ) -> Sequence[ReportOutcome]:
        table = self._table_of(connection, digest)
        self._incoming.prepare(connection, table)
        return (look_up if is_closed else insert)(connection, table, rows)

    @contextmanager
    def _chunks(
        self, stored: StoredSurvey, blocks: Sequence[Block], *, only_complete: bool = False
    ) -> Iterator[Iterator["Chunk"]]:
        from deniable_storage import postgres  # noqa: PLC0415  storing needs no numpy

        table = stored.reports_table
        with (
            self._apart() as connection,
            transaction(connection, postgres.begin_moment_sql(table)),
        ):
            yield postgres.read_reports(connection, table, blocks, only_complete=only_complete)

    @contextmanager
    def _apart(self) -> Iterator[Connection]:
        """A separate connection for long work, so that nobody waits for it."""
        if not self._is_open:
            raise StoreUnavailable("it was closed")
        with connected(
            self._url, patience_s=self._patience_s, presence=self._presence
        ) as connection:
            yield connection

    def _connections(
        self, *, most: int, patience_s: float | None = None, use_timeout_s: float | None = None
    ) -> Connections:
        return Connections(
            self._url,
            most=most,
            patience_s=self._patience_s if patience_s is None else patience_s,
            presence=self._presence,
            use_timeout_s=use_timeout_s,
        )

    def _is_slug(self, connection: Connection, text: str) -> bool:
        """Whether a survey has this slug.

        A server may log parameters, so only a known slug may become one.
        """
        if text not in self._slugs:
            found = connection.execute("SELECT slug FROM surveys").fetchall()
            self._slugs.update(str(slug) for (slug,) in found)
        return text in self._slugs

    def _find(self, connection: Connection, column: str, value: str) -> StoredSurvey | None:
        statement = f"{SURVEYS_SQL} WHERE {column} = %s ORDER BY edition DESC LIMIT 1"
        row = connection.execute(statement.encode(), (value,)).fetchone()
        return self._stored(connection, row) if row else None

    def _stored(self, connection: Connection, row: tuple[object, ...]) -> StoredSurvey:
        digest, edition, is_closed, reports_table, is_purged = cast(
            "tuple[str, int, bool, str, bool]", row
        )
        survey = self._surveys.get(digest)
        if survey is None:
            found = connection.execute(DOCUMENT_SQL.encode(), (digest,)).fetchone()
            (document,) = cast("tuple[str]", found)
            survey = PublishedSurvey.from_bytes(document.encode(), digest=digest)
            self._surveys[digest] = survey
        return StoredSurvey(survey, edition, is_closed, reports_table, is_purged)

    def _table_of(self, connection: Connection, digest: str) -> PostgresTable:
        table = self._tables.get(digest)
        if table is None:
            found = self._find(connection, "digest", digest)
            if found is None:
                raise StoreUnavailable("a survey was removed while its reports were added")
            table = self._table(found.survey)
        return table

    def _table(self, survey: PublishedSurvey) -> PostgresTable:
        table = self._tables.get(survey.digest)
        if table is None:
            table = self._tables[survey.digest] = PostgresTable.of(survey)
        return table
