"""A shared PostgreSQL store: one connection writes, a few read, and long work has its own."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, cast

from deniable_collector.clock import Moment
from deniable_collector.errors import StoreUnavailable
from deniable_collector.store.base import Outcomes, ReportOutcome, Row, Rows, StoredSurvey
from deniable_collector.store.counting import CountingStore
from deniable_collector.store.locations import shown
from deniable_collector.store.postgres.closing import (
    begin_storing_sql,
    erase_order,
    lock_exclusive,
    remove_reports,
)
from deniable_collector.store.postgres.connections import (
    Connection,
    Connections,
    connected,
    presence_of,
    transaction,
)
from deniable_collector.store.postgres.inserting import (
    IncomingTables,
    insert,
    read_rows,
    replace_tally,
)
from deniable_collector.store.postgres.migrations import check_server, migrate
from deniable_sdk.log import DIGEST
from deniable_storage.postgres_tables import PostgresTable
from deniable_storage.tables import MARK_FINISHED_SQL, quoted, tally_name
from deniable_storage.tally_rows import TallyRow

PATIENCE_S = 10.0
_READERS = 4
_LOCK_SURVEYS = "BEGIN; LOCK TABLE surveys IN SHARE ROW EXCLUSIVE MODE"
# The tables of tokens, and their columns.
_TOKEN_TABLES = {
    "tokens": "name, role, digest",
    "token_surveys": "token, slug",
    "token_releases": "token, after_reports",
}
_LOCK_TOKENS = f"BEGIN; LOCK TABLE {', '.join(_TOKEN_TABLES)} IN ACCESS EXCLUSIVE MODE"

_CHECK_LIMIT_S = 2.4
_CHECK_PATIENCE_S = 0.8
_IS_READ_ONLY = "SELECT current_setting('transaction_read_only') = 'on'"
# Limited, because each lock uses some of the server's memory for locks.
_OPEN = "SELECT digest FROM surveys WHERE NOT is_closed ORDER BY digest LIMIT 64"
_SORT = (
    "SET LOCAL work_mem = '64kB'; "
    "SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000) AS n ORDER BY n DESC OFFSET 0) "
    "AS sorted"
)
# This rewrites a row unchanged.
_COMMIT = (
    "UPDATE surveys SET is_closed = is_closed WHERE digest = (SELECT min(digest) FROM surveys)"
)


class PostgresStore(CountingStore):
    """A store in PostgreSQL. The next call replaces a lost connection.

    Args:
        url: the URL of the database; it may contain a password and is never shown.
        must_exist: refuse a database without a store.
        patience_s: how long to wait for others, for example for a lock.
    """

    _table_type = PostgresTable

    def __init__(
        self, url: str, *, must_exist: bool = False, patience_s: float = PATIENCE_S
    ) -> None:
        super().__init__()
        self._presence = presence_of(url)
        with connected(url, patience_s=patience_s, presence=self._presence) as connection:
            check_server(connection, shown(url))
            migrate(connection, shown(url), must_exist=must_exist)
        self._url = url
        self._patience_s = patience_s
        pool = partial(Connections, url, presence=self._presence)
        self._writers = pool(most=1, patience_s=patience_s)
        self._readers = pool(most=_READERS, patience_s=patience_s)
        self._health = pool(
            most=1, patience_s=min(patience_s, _CHECK_PATIENCE_S), use_timeout_s=_CHECK_LIMIT_S
        )
        self._incoming = IncomingTables()
        # Whether the last commit of reports failed.
        self._has_failed = False
        self._is_open = True
        self._slugs: set[str] = set()

    def find_survey(self, slug: str) -> StoredSurvey | None:
        # A server may log parameters, so only a known slug may become one.
        if slug not in self._slugs:
            with self._reading() as connection:
                rows = self._run(connection, "SELECT slug FROM surveys")
            self._slugs.update(found for (found,) in rows)
        return super().find_survey(slug) if slug in self._slugs else None

    def find_edition(self, digest: str) -> StoredSurvey | None:
        return super().find_edition(digest) if DIGEST.fullmatch(digest) else None

    def close_survey(self, slug: str, now: Moment | None = None) -> StoredSurvey | None:
        with self._apart() as connection, transaction(connection, _LOCK_SURVEYS):
            newest = self._find(connection, "slug", slug)
            if newest is None:
                return None
            lock_exclusive(connection, newest.survey.digest)
            self._close(connection, newest, now)
        self.finish_erasing(newest)
        return self.find_edition(newest.survey.digest)

    def add_rows(self, rows: Rows, now: Moment | None = None) -> Outcomes:
        outcomes: dict[str, Sequence[ReportOutcome]] = {
            digest: [ReportOutcome.UNKNOWN_SURVEY] * len(found) for digest, found in rows.items()
        }
        # Always in the same order, so that transactions never wait for each other in a circle.
        digests = sorted(digest for digest in rows if rows[digest] and DIGEST.fullmatch(digest))
        if not digests:
            return outcomes
        try:
            with self._writers.lend() as connection:
                try:
                    with transaction(connection, begin_storing_sql(digests)) as surveys:
                        for row in surveys:
                            stored = self._stored(connection, row)
                            digest = stored.survey.digest
                            refusal = self._refusal(connection, stored, now)
                            table = self._table(stored.survey)
                            self._incoming.prepare(connection, table)
                            outcomes[digest] = insert(connection, table, rows[digest], refusal)
                except BaseException:
                    self._incoming.forget()
                    raise
        except StoreUnavailable:
            self._has_failed = True
            raise
        self._has_failed = False
        return outcomes

    def read_rows(self, stored: StoredSurvey, after: bytes | None, limit: int) -> Sequence[Row]:
        with self._readers.lend() as connection:
            return read_rows(connection, self._table(stored.survey), after, limit)

    def purge_reports(self, digest: str) -> int:
        # No lock on the survey: a closed survey stays closed, and nobody stores reports of it.
        with self._apart() as connection, transaction(connection):
            stored = self._find(connection, "digest", digest)
            if stored is None:
                return 0
            self._mark_purged(connection, stored)
            self._run(connection, MARK_FINISHED_SQL, digest)
            return remove_reports(connection, stored)

    def check(self) -> None:
        with self._health.lend() as connection:
            _check_storing(connection, must_commit=self._has_failed)
        self._has_failed = False

    def close(self) -> None:
        self._is_open = False
        for pool in (self._writers, self._readers, self._health):
            pool.close()

    @contextmanager
    def _changing_tokens(self) -> Iterator[Connection]:
        with self._writers.lend() as connection, transaction(connection, _LOCK_TOKENS):
            yield connection
            # The rows are written again by name, so that their order reveals nothing.
            for table, columns in _TOKEN_TABLES.items():
                rows = self._run(connection, f"SELECT {columns} FROM {table} ORDER BY {columns}")  # noqa: S608  names from above
                self._run(connection, f"TRUNCATE {table}")
                for row in rows:
                    values = f"VALUES ({', '.join('?' * len(row))})"
                    self._run(connection, f"INSERT INTO {table} ({columns}) {values}", *row)

    def _reading(self) -> AbstractContextManager[Connection]:
        return self._readers.lend()

    @contextmanager
    def _publishing(self) -> Iterator[Connection]:
        with self._writers.lend() as connection, transaction(connection, _LOCK_SURVEYS):
            yield connection

    def _run(self, connection: Connection, statement: str, *values: object) -> list[Any]:
        cursor = connection.execute(statement.replace("?", "%s").encode(), values or None)
        return cursor.fetchall() if cursor.description else []

    @contextmanager
    def _moment(self, stored: StoredSurvey) -> Iterator[Connection]:
        name = stored.reports_table
        begin_sql = self._counting().begin_moment_sql(name, tally_name(name))
        with self._apart() as connection, transaction(connection, begin_sql):
            yield connection

    def _counting(self) -> Any:
        from deniable_storage import postgres  # noqa: PLC0415  storing needs no numpy

        return postgres

    @contextmanager
    def _alone(self, stored: StoredSurvey) -> Iterator[Connection]:
        with self._apart() as connection, transaction(connection):
            lock_exclusive(connection, stored.survey.digest)
            yield connection

    def _replace_tally(
        self, connection: Connection, stored: StoredSurvey, rows: Sequence[TallyRow]
    ) -> None:
        replace_tally(connection, self._table(stored.survey), rows)

    def _erase(self, stored: StoredSurvey) -> None:
        with self._apart() as connection:
            erase_order(connection, self._table(stored.survey), stored.survey.digest)

    @contextmanager
    def _apart(self) -> Iterator[Connection]:
        """A separate connection for long work, so that nobody waits for it."""
        if not self._is_open:
            raise StoreUnavailable("it was closed")
        with connected(
            self._url, patience_s=self._patience_s, presence=self._presence
        ) as connection:
            yield connection


def _check_storing(connection: Connection, *, must_commit: bool) -> None:
    """Raise StoreUnavailable unless a report would be stored now; this writes nothing.

    A transaction that writes gets a number, and the rows of reports contain such numbers
    too. A number every few seconds would be a clock beside the reports. So the check only
    takes locks, and tests for room on the server's disk with a sort that does not fit into
    memory. Only after a commit has failed, it tries a real commit.
    """
    is_read_only = cast("tuple[bool]", connection.execute(_IS_READ_ONLY.encode()).fetchone())[0]
    if is_read_only:
        raise StoreUnavailable("the database is read-only")
    digests = [str(digest) for (digest,) in connection.execute(_OPEN.encode()).fetchall()]
    with transaction(connection, begin_storing_sql(digests)) as surveys:
        # The locks that storing takes; they are released with the transaction, which
        # writes nothing.
        names = [str(reports_table) for _, _, _, reports_table, *_ in surveys]
        tallies = [quoted(tally_name(name)) for name in names]
        if names:
            tables = ", ".join([*map(quoted, names), *tallies])
            connection.execute(f"LOCK TABLE {tables} IN ROW EXCLUSIVE MODE".encode())
        connection.execute(_SORT.encode(), prepare=False)
        if must_commit:
            for tally in tallies:
                connection.execute(f"SELECT FROM {tally} FOR UPDATE".encode())
            connection.execute(_COMMIT.encode())
