"""The tables of a store, as far as all engines agree; docs/DATA_MODEL.md is the contract.

Identifiers are safe to write into SQL: the patterns of slugs, block ids and digests allow
no quotes, and every PublishedSurvey was checked against them. The modules with tables do
not need numpy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

from deniable_sdk import Block, PublishedSurvey
from deniable_storage.tally_rows import TallyCounter, TallyRow

# The tables of a store beside those of reports, with the lines that declare each.
TABLES: Mapping[str, Sequence[str]] = {
    "surveys": (
        "digest TEXT PRIMARY KEY",
        "slug TEXT NOT NULL",
        "edition INTEGER NOT NULL",
        "document TEXT NOT NULL",
        "reports_table TEXT NOT NULL UNIQUE",
        "is_closed {flag}",
        "UNIQUE (slug, edition)",
    ),
    "tokens": ("name TEXT PRIMARY KEY", "role TEXT NOT NULL", "digest TEXT NOT NULL UNIQUE"),
    "purged": ("digest TEXT PRIMARY KEY",),
    # The surveys of each token; a token without a row here is for all surveys.
    "token_surveys": ("token TEXT NOT NULL", "slug TEXT NOT NULL", "PRIMARY KEY (token, slug)"),
    "log": ("position INTEGER PRIMARY KEY", "digest TEXT NOT NULL UNIQUE"),
    # What the owner extended, and how a survey ended.
    "ends": ("digest TEXT PRIMARY KEY", "closes TEXT", "at_most_reports INTEGER", "ended_by TEXT"),
    # From when on a reader's token shows results; NULL for the end of the survey.
    "token_releases": ("token TEXT PRIMARY KEY", "after_reports INTEGER"),
    # The surveys of which something is still to be erased, because closing was interrupted.
    "unfinished": ("digest TEXT PRIMARY KEY",),
    # The surveys of which results were given out while they could still get reports.
    "given_out": ("digest TEXT PRIMARY KEY",),
}
# The steps that make the present layout, in order; after the first release they are only added to.
STEPS = ("create_tables",)

# Some of the surveys; whether the reports of each were purged, whether something is still to be
# erased, and what is recorded of its end.
SURVEYS_SQL = (
    "SELECT digest, edition, is_closed, reports_table, "
    "EXISTS (SELECT 1 FROM purged WHERE purged.digest = surveys.digest), "
    "EXISTS (SELECT 1 FROM unfinished WHERE unfinished.digest = surveys.digest), "
    "closes, at_most_reports, ended_by, "
    "EXISTS (SELECT 1 FROM given_out WHERE given_out.digest = surveys.digest) "
    "FROM surveys LEFT JOIN ends USING (digest)"
)
# All surveys, in no order.
LISTED_SURVEYS_SQL = "SELECT digest, slug, edition, is_closed, reports_table FROM surveys"
# Whether surveys are closed, and what is recorded of their ends.
ENDINGS_SQL = (
    "SELECT is_closed, closes, at_most_reports, ended_by, "
    "EXISTS (SELECT 1 FROM given_out WHERE given_out.digest = surveys.digest) "
    "FROM surveys LEFT JOIN ends USING (digest)"
)
RECORD_ENDING_SQL = (
    "INSERT INTO ends (digest, closes, at_most_reports, ended_by) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (digest) DO UPDATE SET closes = excluded.closes, "
    "at_most_reports = excluded.at_most_reports, ended_by = excluded.ended_by"
)
MARK_GIVEN_OUT_SQL = "INSERT INTO given_out (digest) VALUES (?) ON CONFLICT DO NOTHING"
MARK_UNFINISHED_SQL = "INSERT INTO unfinished (digest) VALUES (?) ON CONFLICT DO NOTHING"
MARK_FINISHED_SQL = "DELETE FROM unfinished WHERE digest = ? RETURNING digest"
# The digests of the public log, in the order of publishing.
READ_LOG_SQL = "SELECT digest FROM log ORDER BY position"
_DIGEST_CHARACTERS = 12
# The group of a respondent, by invitation or by link; empty if no link gave one.
GROUP_COLUMN = "_group"


def quoted(name: str) -> str:
    """A name, quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def created_sql(name: str, lines: Sequence[str]) -> str:
    """The statement that creates a table, whose columns and keys these lines declare."""
    return f"CREATE TABLE {name} (\n    " + ",\n    ".join(lines) + "\n)"


def tables_sql(flag: str) -> dict[str, str]:
    """The statements that create the tables in TABLES, by their names.

    Args:
        flag: the engine's type of a flag, and its value at first.
    """
    return {
        name: created_sql(name, [line.format(flag=flag) for line in lines])
        for name, lines in TABLES.items()
    }


def tally_name(reports_table: str) -> str:
    """The name of the tally of a survey, by the name of the table of its reports."""
    return f"tally{reports_table.removeprefix('reports')}"


@dataclass(frozen=True)  # without slots: each statement is stored once it is built
class ReportsTable:
    """The table of one published survey: a key, a group if the survey has groups, the blocks.

    Its reports are also counted in a second table, the tally. The transaction that stores
    reports adds to the tally, so nobody has to read the rows to count them.

    Args:
        name: of the table, the same on every machine.
        columns: the names of all columns after the key, in their order. For a survey by
            invitation the first is the respondent's group. Block ids begin with a letter, so
            none of them is this name.
        blocks: of the survey.
    """

    # How much of the slug is in the name; None for all of it.
    most_slug_characters: ClassVar[int | None] = None
    # The engine's names for texts, whole numbers, and lists of counts.
    types: ClassVar[tuple[str, str, str]] = ("text", "integer", "bigint[]")
    # The names in the tally's key; tally_names leaves the group out if the survey has none.
    all_tally_names: ClassVar[tuple[str, ...]] = ("block", GROUP_COLUMN)
    # The SQL for the number of all reports in a row of the tally, and which rows have it.
    report_count: ClassVar[tuple[str, str]] = ("counts[1]", "block = ''")

    name: str
    columns: tuple[str, ...]
    blocks: tuple[Block, ...] = field(repr=False)

    @classmethod
    def of(cls, survey: PublishedSurvey) -> Self:
        """The table of this survey."""
        slug = survey.slug.replace("-", "_")[: cls.most_slug_characters]
        name = f"reports_{slug}_{survey.digest[:_DIGEST_CHARACTERS]}"
        group = (GROUP_COLUMN,) if survey.groups else ()
        return cls(name, (*group, *(block.id for block in survey.blocks)), survey.blocks)

    @property
    def digest(self) -> str:
        """The first characters of the survey's digest."""
        return self.name[-_DIGEST_CHARACTERS:]

    @cached_property
    def quoted_columns(self) -> str:
        """The columns after the key, quoted for SQL."""
        return ", ".join(map(quoted, self.columns))

    @property
    def has_groups(self) -> bool:
        """Whether each report has a group."""
        return self.columns[:1] == (GROUP_COLUMN,)

    @property
    def tally(self) -> str:
        """The name of the tally."""
        return tally_name(self.name)

    @cached_property
    def tally_key(self) -> str:
        """The columns of the tally that are its key, for SQL."""
        return ", ".join([*self.tally_names, "shard"])

    @property
    def tally_names(self) -> list[str]:
        """The columns of this key that are names: all except the shard."""
        return [name for name in self.all_tally_names if self.has_groups or name != GROUP_COLUMN]

    @cached_property
    def _counter(self) -> TallyCounter:
        return TallyCounter(self.blocks)

    def tally_rows(self, values: Sequence[Any]) -> list[TallyRow]:
        """What rows of reports, at least one, add to the tally, in the order of its keys.

        Args:
            values: those of all rows, one row after another.
        Raises:
            StrangeValue: a block cannot produce one of its values.
        """
        width = 1 + len(self.columns)
        groups, *columns = (values[index::width] for index in range(1, width))
        if self.has_groups:
            return self._counter.rows(columns, groups)
        return self._counter.rows([groups, *columns])

    @cached_property
    def count_sql(self) -> str:
        """The query for the number of reports, from the tally."""
        count, condition = self.report_count
        total = f"CAST(COALESCE(SUM({count}), 0) AS bigint)"
        return f'SELECT {total} FROM "{self.tally}" WHERE {condition}'  # noqa: S608  safe names, see above

    @property
    def count_rows_sql(self) -> str:
        """The query for the number of reports, from the reports themselves."""
        return f'SELECT count(*) FROM "{self.name}"'  # noqa: S608  safe names, see above

    @property
    def empty_tally_sql(self) -> str:
        """The statement that removes all rows from the tally."""
        return f'DELETE FROM "{self.tally}"'  # noqa: S608  safe names, see above

    @property
    def create_tally_sql(self) -> str:
        """The statement that creates the tally."""
        text, integer, counts = self.types
        lines = [
            *(f"{name} {text} NOT NULL" for name in self.tally_names),
            f"shard {integer} NOT NULL",
            f"counts {counts} NOT NULL",
            f"PRIMARY KEY ({self.tally_key})",
        ]
        return created_sql(f'"{self.tally}"', lines)
