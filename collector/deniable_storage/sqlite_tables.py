"""The tables of a store in SQLite and the SQL on them."""

from dataclasses import dataclass
from functools import cached_property

from deniable_storage.tables import (
    GROUP_COLUMN,
    LISTED_SURVEYS_SQL,
    ReportsTable,
    created_sql,
    tables_sql,
)

# In the order of the keys, so that the order does not reveal which row is older.
TABLES_SQL = {
    name: statement if name in ("surveys", "log") else f"{statement} WITHOUT ROWID"
    for name, statement in tables_sql(flag="INTEGER NOT NULL DEFAULT 0").items()
}
STEPS_SQL = {"create_tables": tuple(TABLES_SQL.values())}
LIST_SURVEYS_SQL = f"{LISTED_SURVEYS_SQL} ORDER BY slug, edition"
DOCUMENT_SQL = "SELECT document FROM surveys WHERE digest = ?"

# How many rows one statement adds.
_MOST_ROWS = 512
# The most parameters that SQLite accepts in one statement.
_MOST_PLACES = 32_766


@dataclass(frozen=True)
class SqliteTable(ReportsTable):
    """The table of one survey's reports in SQLite."""

    types = ("TEXT", "INTEGER", "TEXT")
    # A row has the counts of all blocks, by their ids, in one JSON object.
    all_tally_names = (GROUP_COLUMN,)
    report_count = ("json_extract(counts, '$.\"\"[0]')", "json_valid(counts)")

    @cached_property
    def create_sql(self) -> str:
        """The statement that creates the table."""
        lines = ["_report BLOB PRIMARY KEY", *map(_declared, self.columns)]
        return created_sql(f'"{self.name}"', lines) + " WITHOUT ROWID"

    @cached_property
    def insert_sql(self) -> str:
        """The statement that adds a row, unless its report id is already stored."""
        return self.insert_several_sql(1)

    @property
    def most_at_once(self) -> int:
        """How many rows one statement may add: a power of two."""
        width = 1 + len(self.columns)
        return 1 << (max(1, min(_MOST_ROWS, _MOST_PLACES // width)).bit_length() - 1)

    def insert_several_sql(self, rows: int) -> str:
        """The statement that adds several rows, except those whose ids are already stored."""
        places = f"({', '.join('?' * (1 + len(self.columns)))})"
        several = ", ".join([places] * rows)
        return f'INSERT INTO "{self.name}" VALUES {several} ON CONFLICT DO NOTHING'  # noqa: S608  safe names, see tables

    @cached_property
    def select_sql(self) -> str:
        """The query for the values of the row with one report id."""
        return f'SELECT {self.quoted_columns} FROM "{self.name}" WHERE _report = ?'  # noqa: S608  safe names, see tables

    def range_sql(self, *, is_first: bool) -> str:
        """The query for whole rows in the order of their ids, from the first or after an id."""
        condition = "TRUE" if is_first else "_report > ?"
        return f'SELECT * FROM "{self.name}" WHERE {condition} ORDER BY _report LIMIT ?'  # noqa: S608  safe, see tables

    @property
    def create_tally_sql(self) -> str:
        """The statement that creates the tally, in the order of its key."""
        return f"{super().create_tally_sql} WITHOUT ROWID"

    @cached_property
    def read_tally_sql(self) -> str:
        """The query for the rows of some groups; its parameter is a JSON array of their names.

        A survey without groups has one row, and the query has no parameter. The counts are
        bytes, because an error message would quote a text that is not UTF-8.
        """
        group, condition = "''", "TRUE"
        if self.has_groups:
            group = GROUP_COLUMN
            condition = f"{GROUP_COLUMN} IN (SELECT value FROM json_each(?))"  # noqa: S608  as below
        return f'SELECT {group}, CAST(counts AS BLOB) FROM "{self.tally}" WHERE {condition}'  # noqa: S608  safe names, see tables

    @cached_property
    def write_tally_sql(self) -> str:
        """The statement that writes a row of the tally; its shard is always 0."""
        places = "?, 0, ?" if self.has_groups else "0, ?"
        return f'INSERT OR REPLACE INTO "{self.tally}" VALUES ({places})'  # noqa: S608  safe names, see tables


def _declared(column: str) -> str:
    # A column of a block has no type: each value keeps its own.
    return f"{column} TEXT NOT NULL" if column == GROUP_COLUMN else f'"{column}"'
