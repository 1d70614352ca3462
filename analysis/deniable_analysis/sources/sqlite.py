"""The collector's SQLite file, read-only; SQLite does the counting.

Source: the project's storage contract, docs/DATA_MODEL.md.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from deniable_analysis.counts import BlockCounts, Counts, Together
from deniable_analysis.errors import StudyNotFound, UnreadableStudy
from deniable_analysis.reported import form_of
from deniable_analysis.sources.base import StoredSurvey
from deniable_analysis.sources.tally import read_column, tally
from deniable_analysis.tuples import TupleTally
from deniable_sdk.survey.block import Block

_ROWS_AT_A_TIME = 50_000
_LIST_SURVEYS = """
    SELECT digest, slug, edition, is_closed, reports_table FROM surveys ORDER BY slug, edition
"""


@dataclass(frozen=True, slots=True)
class SqliteSource:
    """A SQLite file, opened anew for every call and never written to.

    It may be open in a collector at the same time. SQLite itself may create
    the empty files PATH-wal and PATH-shm beside it.
    """

    path: Path

    def surveys(self) -> tuple[StoredSurvey, ...]:
        with self._open() as database:
            rows = database.execute(_LIST_SURVEYS).fetchall()
        return tuple(
            StoredSurvey(digest, slug, edition, bool(is_closed), table)
            for digest, slug, edition, is_closed, table in rows
        )

    def document(self, survey: StoredSurvey) -> bytes:
        with self._open() as database:
            row = database.execute(
                "SELECT document FROM surveys WHERE digest = ?", (survey.digest,)
            ).fetchone()
        if row is None or not isinstance(row[0], str):
            raise UnreadableStudy(
                f"{self.path} no longer holds the document of survey {survey.slug!r}; "
                "restore the file"
            )
        return row[0].encode()

    def count(self, survey: StoredSurvey, blocks: Sequence[Block]) -> Counts:
        table = _quoted(survey.location)
        with self._open() as database:
            # One transaction sees one moment, however much is stored meanwhile.
            database.execute("BEGIN")
            # The names are the store's own, quoted; no value stands in the text.
            (total,) = database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()  # noqa: S608
            counts = {block.id: _count_block(database, table, block) for block in blocks}
        return Counts(total, counts)

    def together(self, survey: StoredSurvey, blocks: Sequence[Block]) -> Together:
        columns = [_quoted(block.id) for block in blocks]
        listed = ", ".join(columns)
        asked_all = " AND ".join(f"{column} IS NOT NULL" for column in columns)
        # The names are the store's own, quoted; no value stands in the text.
        statement = (
            f"SELECT {listed}, COUNT(*) FROM {_quoted(survey.location)} "  # noqa: S608
            f"WHERE {asked_all} GROUP BY {listed}"
        )
        tally = TupleTally(tuple(form_of(block.mechanism) for block in blocks))
        with self._open() as database:
            groups = database.execute(statement)
            while rows := groups.fetchmany(_ROWS_AT_A_TIME):
                *values, counts = zip(*rows, strict=True)
                tally.add(
                    [
                        read_column(block, column)
                        for block, column in zip(blocks, values, strict=True)
                    ],
                    np.array(counts),
                )
        return tally.together()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        if not self.path.is_file():
            raise StudyNotFound(
                f"there is no file {self.path}; give the path of the collector's SQLite file"
            )
        uri = self.path.absolute().as_uri() + "?mode=ro"
        try:
            with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as database:
                yield database
        except sqlite3.Error as error:
            raise UnreadableStudy(
                f"{self.path} cannot be read as a store of surveys ({error}); allowed is the "
                "SQLite file a collector writes, in a folder that can be written to"
            ) from None


def _count_block(database: sqlite3.Connection, table: str, block: Block) -> BlockCounts:
    column = _quoted(block.id)
    # The names are the store's own, quoted; no value stands in the text.
    groups = database.execute(
        f"SELECT {column}, COUNT(*) FROM {table} "  # noqa: S608 - see above
        f"WHERE {column} IS NOT NULL GROUP BY {column}"
    )
    # Measured: walking the groups takes a third longer than json_each where no
    # two sets are equal, and less where many are; only so is each value checked.
    return tally(block, groups)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
