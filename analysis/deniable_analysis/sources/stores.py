"""The stores of a collector, read-only: its SQLite file, or its PostgreSQL database.

Source: the project's storage contract, docs/DATA_MODEL.md.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from deniable_analysis.errors import (
    PackageMissing,
    StudyNotFound,
    StudyUnavailable,
    UnreadableStudy,
)
from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.tables import Engine, TableSource
from deniable_storage import postgres, postgres_tables, sqlite, sqlite_tables
from deniable_storage.errors import InconsistentTally, StrangeValue
from deniable_storage.tables import MARK_GIVEN_OUT_SQL

if TYPE_CHECKING:
    import psycopg

_CONNECT_TIMEOUT_S = 10


@dataclass(frozen=True, slots=True)
class SqliteSource(TableSource):
    """A SQLite file, opened again by every call.

    Nothing is ever written to it but that results of an open survey are given out. It may be
    open in a collector at the same time. SQLite itself may create the empty files PATH-wal and
    PATH-shm beside it.
    """

    engine: ClassVar = Engine(sqlite, sqlite_tables, "?")
    path: Path

    @property
    def _shown(self) -> tuple[str, str]:
        return str(self.path), "the file"

    def _begin_sql(self, survey: ListedSurvey) -> str:  # noqa: ARG002 - as others
        return "BEGIN"

    def _mark_given_out(self, survey: ListedSurvey) -> None:
        try:
            with closing(sqlite3.connect(self.path, isolation_level=None)) as database:
                database.execute(MARK_GIVEN_OUT_SQL, (survey.digest,))
        except sqlite3.Error:
            raise self._unmarked(survey) from None

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        if not self.path.is_file():
            raise StudyNotFound(
                f"there is no file {self.path}; give the path of the collector's SQLite file"
            )
        uri = self.path.absolute().as_uri() + "?mode=ro"
        try:
            with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as database:
                yield database
        except (InconsistentTally, StrangeValue) as error:
            raise UnreadableStudy(str(error)) from None
        except sqlite3.Error as error:
            raise UnreadableStudy(
                f"{self.path} cannot be read as a store of surveys ({error}); allowed is the "
                "SQLite file a collector writes, in a folder that can be written to"
            ) from None


@dataclass(frozen=True, slots=True)
class PostgresSource(TableSource):
    """A PostgreSQL database, with a new connection for every call.

    Nothing is ever written to it but that results of an open survey are given out; for all else
    a user who may only SELECT from its tables is enough. Collectors may store reports in it at
    the same time.
    """

    engine: ClassVar = Engine(postgres, postgres_tables, "%s")
    url: str = field(repr=False)

    @property
    def _shown(self) -> tuple[str, str]:
        return "the database", "it"

    def _begin_sql(self, survey: ListedSurvey) -> bytes:
        return postgres.begin_moment_sql(survey.location).encode()

    def _mark_given_out(self, survey: ListedSurvey) -> None:
        import psycopg  # noqa: PLC0415 - as below

        with self._connect() as database:
            try:
                statement = MARK_GIVEN_OUT_SQL.replace("?", self.engine.parameter)
                database.execute(statement.encode(), (survey.digest,))
            except psycopg.Error:
                raise self._unmarked(survey) from None

    @contextmanager
    def _connect(self) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
        try:
            # Here, so that other sources need no package for PostgreSQL.
            import psycopg  # noqa: PLC0415 - see above
        except ModuleNotFoundError:
            raise PackageMissing(
                "got a PostgreSQL URL, and the package psycopg is not installed; "
                "run: pip install 'deniable[analysis,postgres]'",
                name="psycopg",
            ) from None
        try:
            with closing(_connection(self.url)) as database:
                yield database
        except (InconsistentTally, StrangeValue) as error:
            raise UnreadableStudy(str(error)) from None
        except psycopg.OperationalError as error:
            raise StudyUnavailable(
                f"the PostgreSQL database does not answer now ({_named(error)}); check that the "
                "server runs and lets you in, and that the URL's host, user, password and "
                "database are right"
            ) from None
        except psycopg.Error as error:
            # The engine's own words might quote the URL, or a value.
            raise UnreadableStudy(
                f"the PostgreSQL database cannot be read as a store of surveys ({_named(error)}); "
                "allowed is postgresql://USER@HOST:PORT/DATABASE, a database that a collector "
                "writes, and a user who may read its tables"
            ) from None


def _connection(url: str) -> "psycopg.Connection[tuple[object, ...]]":
    import psycopg  # noqa: PLC0415 - as above
    from psycopg import conninfo  # noqa: PLC0415 - as above

    parameters = {"connect_timeout": _CONNECT_TIMEOUT_S, **conninfo.conninfo_to_dict(url)}
    whole = conninfo.make_conninfo("", **parameters | {"client_encoding": "utf8"})
    return psycopg.connect(whole, autocommit=True)


def _named(error: "psycopg.Error") -> str:
    name = type(error).__name__
    return f"{name}, SQLSTATE {error.sqlstate}" if error.sqlstate else name
