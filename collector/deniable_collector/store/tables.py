"""The tables of a store and the SQL on them; docs/DATA_MODEL.md is the contract.

Identifiers are safe to write into SQL: slugs, block ids and digests have
patterns without quotes, and a PublishedSurvey has been held to them.
"""

from dataclasses import dataclass
from functools import cached_property

from deniable_sdk import PublishedSurvey

SURVEYS_SQL = """CREATE TABLE surveys (
    digest TEXT PRIMARY KEY,
    slug TEXT NOT NULL,
    edition INTEGER NOT NULL,
    document TEXT NOT NULL,
    reports_table TEXT NOT NULL UNIQUE,
    is_closed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (slug, edition)
)"""
# By name, so that no order tells which token is older.
TOKENS_SQL = """CREATE TABLE tokens (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    digest TEXT NOT NULL UNIQUE
) WITHOUT ROWID"""

# The surveys that a token is for; a token without any is for all.
SCOPES_SQL = """CREATE TABLE token_surveys (
    token TEXT NOT NULL,
    slug TEXT NOT NULL,
    PRIMARY KEY (token, slug)
) WITHOUT ROWID"""

PURGED_SQL = """CREATE TABLE purged (
    digest TEXT PRIMARY KEY
) WITHOUT ROWID"""

_MOST_ROWS = 512
# What SQLite takes in one statement.
_MOST_PLACES = 32_766


@dataclass(frozen=True)  # without slots: the statements are kept once made
class ReportsTable:
    """One published survey's table: a key and one column per block."""

    name: str
    blocks: tuple[str, ...]

    @classmethod
    def of(cls, survey: PublishedSurvey) -> "ReportsTable":
        """The table of this survey, the same on every machine."""
        slug = survey.slug.replace("-", "_")
        name = f"reports_{slug}_{survey.digest[:12]}"
        return cls(name, tuple(block.id for block in survey.blocks))

    @cached_property
    def create_sql(self) -> str:
        """The statement that makes the table."""
        lines = ["_report BLOB PRIMARY KEY", *(f'"{block}"' for block in self.blocks)]
        return f'CREATE TABLE "{self.name}" (\n    ' + ",\n    ".join(lines) + "\n) WITHOUT ROWID"

    @cached_property
    def insert_sql(self) -> str:
        """Add a row, unless its report id is there already."""
        return self.insert_several_sql(1)

    @property
    def most_at_once(self) -> int:
        """How many rows one statement may add: a power of two."""
        width = 1 + len(self.blocks)
        return 1 << (max(1, min(_MOST_ROWS, _MOST_PLACES // width)).bit_length() - 1)

    def insert_several_sql(self, rows: int) -> str:
        """Add a number of rows, except those whose report id exists."""
        places = f"({', '.join('?' * (1 + len(self.blocks)))})"
        several = ", ".join([places] * rows)
        return f'INSERT INTO "{self.name}" VALUES {several} ON CONFLICT DO NOTHING'  # noqa: S608  safe names, see above

    @cached_property
    def select_sql(self) -> str:
        """The values of the row of one report id."""
        columns = ", ".join(f'"{block}"' for block in self.blocks)
        return f'SELECT {columns} FROM "{self.name}" WHERE _report = ?'  # noqa: S608  safe names, see above

    @cached_property
    def count_sql(self) -> str:
        """How many rows there are."""
        return f'SELECT count(*) FROM "{self.name}"'  # noqa: S608  safe names, see above

    def range_sql(self, condition: str) -> str:
        """Whole rows that meet the condition, in the order of their ids."""
        return f'SELECT * FROM "{self.name}" WHERE {condition} ORDER BY _report LIMIT ?'  # noqa: S608  safe, see above
