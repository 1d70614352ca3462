"""The collector's SQLite file, read-only.

Source: the project's storage contract, docs/DATA_MODEL.md.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from deniable_analysis.errors import StudyNotFound, UnreadableStudy
from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.tables import Engine, TableSource
from deniable_sdk.survey.block import Block
from deniable_storage import sqlite, sqlite_tables
from deniable_storage.chunks import Cells
from deniable_storage.errors import InconsistentTally, StrangeValue


@dataclass(frozen=True, slots=True)
class SqliteSource(TableSource):
    """A SQLite file, opened again by every call and never written to.

    It may be open in a collector at the same time. SQLite itself may create
    the empty files PATH-wal and PATH-shm beside it.
    """

    engine: ClassVar = Engine(sqlite, sqlite_tables, "?", str)
    path: Path

    @property
    def _shown(self) -> tuple[str, str]:
        return str(self.path), "the file"

    def rows(
        self, survey: ListedSurvey, blocks: Sequence[Block], rows_at_a_time: int
    ) -> Iterator[tuple[int, Cells]]:
        """How many reports there are and some of them, for an export."""
        with self._one_moment(survey) as database:
            # Text that is no UTF-8 is no value, and must not get into an error.
            database.text_factory = lambda text: text.decode(errors="replace")
            yield from sqlite.read_cells(database, survey.location, blocks, rows_at_a_time)

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
