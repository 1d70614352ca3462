"""The tables of a store, as far as all engines agree; docs/DATA_MODEL.md is the contract.

Identifiers are safe to write into SQL: the patterns of slugs, block ids and digests allow
no quotes, and every PublishedSurvey was checked against them. The modules with tables do
not need numpy.
"""

from dataclasses import dataclass
from functools import cached_property

from deniable_sdk import PublishedSurvey

# Some of the surveys; whether the reports of each were purged, and what is recorded of its end.
SURVEYS_SQL = (
    "SELECT digest, edition, is_closed, reports_table, "
    "EXISTS (SELECT 1 FROM purged WHERE purged.digest = surveys.digest), "
    "closes, at_most_reports, ended_by FROM surveys LEFT JOIN ends USING (digest)"
)
# All surveys of a store of any layout, in no order.
LISTED_SURVEYS_SQL = "SELECT digest, slug, edition, is_closed, reports_table FROM surveys"
# Whether surveys are closed, and what is recorded of their ends; then for a store without ends.
ENDINGS_SQL = (
    "SELECT is_closed, closes, at_most_reports, ended_by "
    "FROM surveys LEFT JOIN ends USING (digest)"
)
NO_ENDINGS_SQL = "SELECT is_closed, NULL, NULL, NULL FROM surveys"
RECORD_ENDING_SQL = (
    "INSERT INTO ends (digest, closes, at_most_reports, ended_by) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (digest) DO UPDATE SET closes = excluded.closes, "
    "at_most_reports = excluded.at_most_reports, ended_by = excluded.ended_by"
)
# The digests of the public log, in the order of publishing.
READ_LOG_SQL = "SELECT digest FROM log ORDER BY position"
_DIGEST_CHARACTERS = 12
# The group of an invited respondent, in the rows of a survey by invitation.
GROUP_COLUMN = "_group"


def quoted(name: str) -> str:
    """A name, quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def reports_table_name(survey: PublishedSurvey, most_slug_characters: int | None = None) -> str:
    """The name of the table of a survey's reports, the same on every machine."""
    slug = survey.slug.replace("-", "_")[:most_slug_characters]
    return f"reports_{slug}_{survey.digest[:_DIGEST_CHARACTERS]}"


def stored_columns(survey: PublishedSurvey) -> tuple[str, ...]:
    """The names of the columns after the id, in their order.

    For a survey by invitation the first is the respondent's group. Block ids begin with a
    letter, so none of them is this name.
    """
    group = (GROUP_COLUMN,) if survey.invited else ()
    return (*group, *(block.id for block in survey.blocks))


def most_reports(survey: PublishedSurvey) -> int | None:
    """The number of reports with which a survey closes; None if there is no limit."""
    return survey.window.at_most_reports if survey.window else None


@dataclass(frozen=True)  # without slots: each statement is stored once it is built
class ReportsTable:
    """The table of one published survey: a key, a group if people are invited, the blocks.

    The reports of a survey with a limit are also counted in a second table, the tally, with
    one row or several; their sum is the number of reports. The transaction that stores
    reports adds to the tally, so nobody has to count the rows.

    Args:
        name: of the table.
        columns: the names of all columns after the key.
        at_most_reports: the survey's limit; without one there is no tally.
    """

    name: str
    columns: tuple[str, ...]
    at_most_reports: int | None

    @cached_property
    def quoted_columns(self) -> str:
        """The columns after the key, quoted for SQL."""
        return ", ".join(map(quoted, self.columns))

    @cached_property
    def count_sql(self) -> str:
        """The query for the number of rows."""
        return f'SELECT count(*) FROM "{self.name}"'  # noqa: S608  safe names, see above

    @property
    def tally(self) -> str:
        """The name of the table that counts the rows."""
        return f"tally{self.name.removeprefix('reports')}"

    @cached_property
    def tally_sql(self) -> str:
        """The query for the number of rows according to the tally."""
        return f'SELECT CAST(COALESCE(SUM(reports), 0) AS bigint) FROM "{self.tally}"'  # noqa: S608  safe names, see above

    @property
    def create_tally_sql(self) -> str:
        """The statement that creates the tally."""
        columns = "shard integer PRIMARY KEY,\n    reports bigint NOT NULL"
        return f'CREATE TABLE "{self.tally}" (\n    {columns}\n)'

    @property
    def drop_tally_sql(self) -> str:
        """The statement that removes the tally, if there is one."""
        return f'DROP TABLE IF EXISTS "{self.tally}"'
