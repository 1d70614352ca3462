"""The collector's SQLite file, read-only.

Source: the project's storage contract, docs/DATA_MODEL.md.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from deniable_analysis.errors import StudyNotFound, UnreadableStudy
from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.tables import TableSource
from deniable_sdk.survey.block import Block
from deniable_storage.chunks import Cells
from deniable_storage.errors import InconsistentTally, StrangeValue
from deniable_storage.sqlite import (
    count_range,
    read_cells,
    read_ids,
    read_range,
    read_reports,
    read_tally,
)
from deniable_storage.sqlite_tables import (
    DOCUMENT_SQL,
    HAS_ENDS_SQL,
    HAS_TALLY_SQL,
    LIST_SURVEYS_SQL,
)
from deniable_storage.tables import ENDINGS_SQL, NO_ENDINGS_SQL, tally_name


@dataclass(frozen=True, slots=True)
class SqliteSource(TableSource):
    """A SQLite file, opened again by every call and never written to.

    It may be open in a collector at the same time. SQLite itself may create
    the empty files PATH-wal and PATH-shm beside it.
    """

    read_reports = staticmethod(read_reports)
    read_tally = staticmethod(read_tally)
    count_range = staticmethod(count_range)
    read_range = staticmethod(read_range)
    read_ids = staticmethod(read_ids)
    path: Path

    def surveys(self) -> tuple[ListedSurvey, ...]:
        with self._connect() as database:
            rows = database.execute(LIST_SURVEYS_SQL).fetchall()
        return tuple(
            ListedSurvey(digest, slug, edition, bool(is_closed), table)
            for digest, slug, edition, is_closed, table in rows
        )

    def document(self, survey: ListedSurvey) -> bytes:
        with self._connect() as database:
            row = database.execute(DOCUMENT_SQL, (survey.digest,)).fetchone()
        if row is None or not isinstance(row[0], str):
            raise UnreadableStudy(
                f"{self.path} no longer holds the document of survey {survey.slug!r}; "
                "restore the file"
            )
        return row[0].encode()

    def rows(
        self, survey: ListedSurvey, blocks: Sequence[Block], rows_at_a_time: int
    ) -> Iterator[tuple[int, Cells]]:
        """How many reports there are and some of them, for an export."""
        with self._one_moment(survey) as database:
            # Text that is no UTF-8 is no value, and must not get into an error.
            database.text_factory = lambda text: text.decode(errors="replace")
            yield from read_cells(database, survey.location, blocks, rows_at_a_time)

    def _read_end(self, database: sqlite3.Connection, survey: ListedSurvey) -> tuple[Any, ...]:
        (has_ends,) = database.execute(HAS_ENDS_SQL).fetchone()
        statement = f"{ENDINGS_SQL if has_ends else NO_ENDINGS_SQL} WHERE digest = ?"
        return cast("tuple[Any, ...]", database.execute(statement, (survey.digest,)).fetchone())

    def _has_tally(self, database: sqlite3.Connection, survey: ListedSurvey) -> bool:
        tally = (tally_name(survey.location),)
        (has_tally,) = database.execute(HAS_TALLY_SQL, tally).fetchone()
        return bool(has_tally)

    @contextmanager
    def _one_moment(self, survey: ListedSurvey) -> Iterator[sqlite3.Connection]:  # noqa: ARG002 - as others
        with self._connect() as database:
            database.execute("BEGIN")
            yield database

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
