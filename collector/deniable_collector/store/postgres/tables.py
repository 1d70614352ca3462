"""The tables of a store and the SQL on them; docs/DATA_MODEL.md is the contract.

Identifiers are safe to write into SQL: slugs, block ids and digests have
patterns without quotes, and a PublishedSurvey has been held to them.

No id and no value of a report ever appears in a statement or its parameters,
which a server may be told to log: they travel in COPY only.
"""

from dataclasses import dataclass
from functools import cached_property

from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Mechanism
from deniable_sdk.mechanisms.base import InvalidValue

SURVEYS_SQL = """CREATE TABLE surveys (
    digest text PRIMARY KEY,
    slug text NOT NULL,
    edition integer NOT NULL,
    document text NOT NULL,
    reports_table text NOT NULL UNIQUE,
    is_closed boolean NOT NULL DEFAULT false,
    UNIQUE (slug, edition)
)"""
TOKENS_SQL = """CREATE TABLE tokens (
    name text PRIMARY KEY,
    role text NOT NULL,
    digest text NOT NULL UNIQUE
)"""
# The surveys that a token is for; a token without any is for all.
SCOPES_SQL = """CREATE TABLE token_surveys (
    token text NOT NULL,
    slug text NOT NULL,
    PRIMARY KEY (token, slug)
)"""
PURGED_SQL = """CREATE TABLE purged (
    digest text PRIMARY KEY
)"""
MIGRATIONS_SQL = """CREATE TABLE deniable_migrations (
    name text PRIMARY KEY
)"""

# A name has at most 63 signs; these and the digest's digits are among them.
_SLUG_SIGNS = 42


@dataclass(frozen=True)  # without slots: the statements are kept once made
class ReportsTable:
    """One published survey's table: a key and one column per block.

    `are_numbers` says of each block whether its values are indices; others
    are lists, as canonical JSON text.
    """

    name: str
    digest: str
    blocks: tuple[str, ...]
    are_numbers: tuple[bool, ...]

    @classmethod
    def of(cls, survey: PublishedSurvey) -> "ReportsTable":
        """The table of this survey, the same on every machine."""
        slug = survey.slug.replace("-", "_")[:_SLUG_SIGNS]
        return cls(
            f"reports_{slug}_{survey.digest[:12]}",
            survey.digest,
            tuple(block.id for block in survey.blocks),
            tuple(_gives_numbers(block.mechanism) for block in survey.blocks),
        )

    @cached_property
    def create_sql(self) -> str:
        """The statement that makes the table."""
        types = ("integer" if is_number else "text" for is_number in self.are_numbers)
        columns = [f'"{block}" {kind}' for block, kind in zip(self.blocks, types, strict=True)]
        lines = ",\n    ".join(["_report uuid PRIMARY KEY", *columns])
        return f'CREATE TABLE "{self.name}" (\n    {lines}\n)'

    @property
    def incoming(self) -> str:
        """The session's own table, through which reports come in."""
        return f"incoming_{self.digest[:12]}"

    @cached_property
    def create_incoming_sql(self) -> str:
        """The statement that makes the session's own table, if it is not there."""
        return (
            f'CREATE TEMPORARY TABLE IF NOT EXISTS "{self.incoming}" '
            f'(LIKE "{self.name}") ON COMMIT DELETE ROWS'
        )

    @cached_property
    def copy_sql(self) -> str:
        """Take rows into the session's own table.

        As bytes: where something fails the server quotes lines of text.
        """
        return f'COPY "{self.incoming}" FROM STDIN (FORMAT binary)'

    @cached_property
    def insert_sql(self) -> str:
        """Add the rows that came in, in the order of ids, unless they are there."""
        return (
            f'INSERT INTO "{self.name}" SELECT * FROM "{self.incoming}" '  # noqa: S608  safe names, see above
            "ORDER BY _report ON CONFLICT DO NOTHING"
        )

    @cached_property
    def compare_sql(self) -> str:
        """The stored rows with the ids that came in, and whether this put them there."""
        columns = "".join(f', stored."{block}"' for block in self.blocks)
        return (
            "SELECT stored.xmin = pg_current_xact_id()::xid, uuid_send(_report)"  # noqa: S608  safe names, see above
            f'{columns} FROM "{self.incoming}" JOIN "{self.name}" AS stored USING (_report)'
        )

    @cached_property
    def count_sql(self) -> str:
        """How many rows there are."""
        return f'SELECT count(*) FROM "{self.name}"'  # noqa: S608  safe names, see above

    def range_sql(self, condition: str) -> str:
        """Whole rows that meet the condition, in the order of their ids."""
        columns = "".join(f', "{block}"' for block in self.blocks)
        return (
            f'SELECT uuid_send(_report){columns} FROM "{self.name}" '  # noqa: S608  safe names, see above
            f"WHERE {condition} ORDER BY _report LIMIT %s"
        )


def _gives_numbers(mechanism: Mechanism) -> bool:
    """Whether a mechanism's values are indices; 0 is one then, and no list is."""
    try:
        mechanism.check_value(0)
    except InvalidValue:
        return False
    return True
