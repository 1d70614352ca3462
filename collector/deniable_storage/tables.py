"""The tables of a store, as far as all engines agree; docs/DATA_MODEL.md is the contract.

Identifiers are safe to write into SQL: the patterns of slugs, block ids and digests allow
no quotes, and every PublishedSurvey was checked against them. The modules with tables do
not need numpy.
"""

from dataclasses import dataclass
from functools import cached_property

from deniable_sdk import PublishedSurvey

# Some of the surveys, and whether the reports of each were purged.
SURVEYS_SQL = (
    "SELECT digest, edition, is_closed, reports_table, "
    "EXISTS (SELECT 1 FROM purged WHERE purged.digest = surveys.digest) FROM surveys"
)
# All surveys of a store of any layout, in no order.
LISTED_SURVEYS_SQL = "SELECT digest, slug, edition, is_closed, reports_table FROM surveys"
_DIGEST_CHARACTERS = 12


def quoted(name: str) -> str:
    """A name, quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def reports_table_name(survey: PublishedSurvey, most_slug_characters: int | None = None) -> str:
    """The name of the table of a survey's reports, the same on every machine."""
    slug = survey.slug.replace("-", "_")[:most_slug_characters]
    return f"reports_{slug}_{survey.digest[:_DIGEST_CHARACTERS]}"


@dataclass(frozen=True)  # without slots: each statement is stored once it is built
class ReportsTable:
    """The table of one published survey: a key, and one column per block."""

    name: str
    blocks: tuple[str, ...]

    @cached_property
    def columns(self) -> str:
        """The columns of the blocks, quoted for SQL."""
        return ", ".join(map(quoted, self.blocks))

    @cached_property
    def count_sql(self) -> str:
        """The query for the number of rows."""
        return f'SELECT count(*) FROM "{self.name}"'  # noqa: S608  safe names, see above
