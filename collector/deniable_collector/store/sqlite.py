"""The embedded store: one SQLite file.

One connection writes and one reads, each with its own lock, so that a reader never waits
until a write is on disk. Several processes may have the same file open: their writes wait
for each other, at most for the busy timeout.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from deniable_collector.clock import Moment
from deniable_collector.errors import READ_BY_OTHERS, StoreUnavailable
from deniable_collector.logs import LOGGER
from deniable_collector.store.base import Outcomes, ReportOutcome, Row, Rows, StoredSurvey
from deniable_collector.store.connections import (
    empty_log,
    open_connections,
    open_snapshot,
    patient,
    transaction,
    turn,
    unavailable_if_failing,
)
from deniable_collector.store.counting import CountingStore
from deniable_collector.store.health import PATIENCE_S, Files, check_storing
from deniable_collector.store.inserting import (
    NotAllNew,
    add_to_tally,
    insert_each,
    insert_new,
)
from deniable_collector.store.raw_files import forget_pages, reset_counters
from deniable_storage.sqlite_tables import SqliteTable
from deniable_storage.tables import MARK_FINISHED_SQL, MARK_UNFINISHED_SQL
from deniable_storage.tally_rows import TallyRow

BUSY_TIMEOUT_S = 10.0


class SqliteStore(CountingStore):
    """A store in one SQLite file."""

    _table_type = SqliteTable

    def __init__(
        self, path: Path, *, must_exist: bool = False, busy_timeout_s: float = BUSY_TIMEOUT_S
    ) -> None:
        super().__init__()
        self._writer, self._reader = open_connections(
            path, must_exist=must_exist, busy_timeout_s=busy_timeout_s
        )
        self._path = path.absolute()
        self._busy_timeout_s = busy_timeout_s
        self._files = Files(self._path)
        # Whether the last commit failed.
        self._has_failed = False
        self._write_lock = threading.Lock()
        self._read_lock = threading.Lock()
        self._is_open = True

    def close_survey(self, slug: str, now: Moment | None = None) -> StoredSurvey | None:
        with self._writing() as connection:
            newest = self._find(connection, "slug", slug)
            if newest is None:
                return None
            self._close(connection, newest, now)
        self.finish_erasing(newest)
        return self.find_edition(newest.survey.digest)

    def add_rows(self, rows: Rows, now: Moment | None = None) -> Outcomes:
        try:
            return self._add_rows(rows, now, insert_new)
        except NotAllNew:
            return self._add_rows(rows, now, insert_each)

    def read_rows(self, stored: StoredSurvey, after: bytes | None, limit: int) -> Sequence[Row]:
        keys = () if after is None else (after,)
        statement = self._table(stored.survey).range_sql(is_first=not keys)
        with self._reading() as connection:
            return connection.execute(statement, (*keys, limit)).fetchall()

    def purge_reports(self, digest: str) -> int:
        with self._writing() as connection:
            stored = self._find(connection, "digest", digest)
            if stored is None:
                return 0
            self._mark_purged(connection, stored)
            table = self._table(stored.survey)
            # With a condition, SQLite visits every row, and so counts the rows.
            removed = connection.execute(f'DELETE FROM "{table.name}" WHERE TRUE')  # noqa: S608  safe names, see tables
            connection.execute(table.empty_tally_sql)
            self._run(connection, MARK_UNFINISHED_SQL, digest)
        self.finish_erasing(replace(stored, is_purged=True))
        return removed.rowcount

    def check(self) -> None:
        if not self._is_open:
            raise StoreUnavailable("it was closed")
        patience_s = min(self._busy_timeout_s, PATIENCE_S)
        if self._files.are_there():
            check_storing(self._path, patience_s=patience_s, must_commit=self._has_failed)
            self._has_failed = False
        elif self._write_lock.acquire(timeout=patience_s):
            self._files.save_log(self._writer)
            self._write_lock.release()
        self._files.check()

    def close(self) -> None:
        with self._write_lock, self._read_lock:
            if not self._is_open:
                return
            self._is_open = False
            try:
                self._reader.close()
                with unavailable_if_failing():
                    if not empty_log(self._writer):
                        LOGGER.warning(
                            "another program is reading the store's file; its log was not emptied"
                        )
            finally:
                self._writer.close()

    def _add_rows(
        self, rows: Rows, now: Moment | None, insert: Callable[..., Sequence[ReportOutcome]]
    ) -> Outcomes:
        outcomes: dict[str, Sequence[ReportOutcome]] = {}
        with self._writing() as connection:
            for digest, found in rows.items():
                stored = self._find(connection, "digest", digest)
                if stored is None:
                    outcomes[digest] = [ReportOutcome.UNKNOWN_SURVEY] * len(found)
                    continue
                refusal = self._refusal(connection, stored, now)
                table = self._table(stored.survey)
                outcomes[digest] = insert(connection, table, found, refusal)
        return outcomes

    def _erase(self, stored: StoredSurvey) -> None:
        # The file is rewritten in the order of the keys. Without this, the places of rows
        # within a page depend on their order of arrival, and the write-ahead log contains
        # them in that order. The log is emptied first, so that the zeros of secure_delete
        # overwrite removed reports before the file is cut to its new length.
        with turn(self._write_lock), self._checked(self._writer) as connection:
            if not empty_log(connection):
                raise StoreUnavailable(READ_BY_OTHERS)
            connection.execute("VACUUM")
            if not empty_log(connection):
                raise StoreUnavailable(READ_BY_OTHERS)
            reset_counters(connection, self._path)
            forget_pages(connection)
            self._run(connection, MARK_FINISHED_SQL, stored.survey.digest)
            empty_log(connection)
        with self._reading() as connection:
            forget_pages(connection)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with turn(self._read_lock), self._checked(self._reader) as connection:
            yield connection

    def _run(self, connection: Connection, statement: str, *values: object) -> list[Any]:
        return connection.execute(statement, values).fetchall()

    @contextmanager
    def _moment(self, stored: StoredSurvey) -> Iterator[Connection]:  # noqa: ARG002 - the whole file
        if not self._is_open:
            raise StoreUnavailable("it was closed")
        self._files.check()
        with (
            unavailable_if_failing(),
            open_snapshot(self._path, self._busy_timeout_s) as connection,
        ):
            yield connection

    def _counting(self) -> Any:
        from deniable_storage import sqlite  # noqa: PLC0415  storing needs no numpy

        return sqlite

    def _replace_tally(
        self, connection: Connection, stored: StoredSurvey, rows: Sequence[TallyRow]
    ) -> None:
        table = self._table(stored.survey)
        connection.execute(table.empty_tally_sql)
        add_to_tally(connection, table, rows)

    def _alone(self, stored: StoredSurvey) -> AbstractContextManager[Connection]:  # noqa: ARG002 - as above
        return self._writing()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with turn(self._write_lock):
            try:
                with (
                    self._checked(self._writer) as connection,
                    transaction(connection, self._busy_timeout_s, self._files.check),
                ):
                    yield connection
            except StoreUnavailable:
                self._has_failed = True
                self._files.save_log(self._writer)
                raise
            self._has_failed = False

    # Nobody else writes meanwhile.
    _publishing = _changing_tokens = _writing

    @contextmanager
    def _checked(self, connection: Connection) -> Iterator[Connection]:
        if not self._is_open:
            raise StoreUnavailable("it was closed")
        try:
            with unavailable_if_failing():
                yield patient(connection, self._busy_timeout_s)
        except StoreUnavailable:
            # If its file is gone, the engine's errors do not show that.
            self._files.check()
            raise
