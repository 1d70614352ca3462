"""The tables of a store in PostgreSQL and the SQL on them.

A server may be configured to log statements and their parameters. So no id and no value of
a report ever appears in them: both are sent in COPY only.
"""

from dataclasses import dataclass
from functools import cached_property

from deniable_storage.tables import (
    GROUP_COLUMN,
    LISTED_SURVEYS_SQL,
    ReportsTable,
    created_sql,
    quoted,
    tables_sql,
)

STEPS_SQL = {"create_tables": tuple(tables_sql(flag="boolean NOT NULL DEFAULT false").values())}
CREATE_MIGRATIONS_SQL = created_sql("deniable_migrations", ["name text PRIMARY KEY"])
LIST_SURVEYS_SQL = f'{LISTED_SURVEYS_SQL} ORDER BY slug COLLATE "C", edition'
DOCUMENT_SQL = "SELECT document FROM surveys WHERE digest = %s"

_SHARDS = 16


def summed_counts_sql(tally: str, key: str, condition: str = "TRUE") -> str:
    """The query for the counts of a tally, added up over rows with the same key.

    Args:
        tally: its name.
        key: columns of its key.
        condition: that rows must meet.
    """
    return (
        f"SELECT {key}, array_agg(total ORDER BY place) AS counts FROM ("  # noqa: S608  safe names, see tables
        f"SELECT {key}, place, SUM(number)::bigint AS total FROM {quoted(tally)}, "
        "unnest(counts) WITH ORDINALITY AS each_count(number, place) "
        f"WHERE {condition} GROUP BY {key}, place) AS sums GROUP BY {key}"
    )


@dataclass(frozen=True)
class PostgresTable(ReportsTable):
    """The table of one survey's reports in PostgreSQL."""

    # A name has at most 63 characters, including these and the digest's digits.
    most_slug_characters = 42

    @cached_property
    def create_sql(self) -> str:
        """The statement that creates the table."""
        lines = ["_report uuid PRIMARY KEY", *map(self._declared, self.columns)]
        return created_sql(f'"{self.name}"', lines)

    @property
    def incoming(self) -> str:
        """The name of the temporary table that receives new reports."""
        return f"incoming_{self.digest}"

    @cached_property
    def create_incoming_sql(self) -> str:
        """The statement that creates the temporary table if it does not exist.

        It has rows of reports and rows for the tally; each kind leaves the columns of the
        other empty. Both come with one COPY, because each costs the server's answer twice.
        """
        reports = ", ".join(["_report uuid", *map(self._typed, self.columns)])
        added = ", ".join(f"_added_{key} text" for key in self.tally_names)
        return (
            f'CREATE TEMPORARY TABLE IF NOT EXISTS "{self.incoming}" '
            f"({reports}, {added}, _added_counts bigint[]) ON COMMIT DELETE ROWS"
        )

    @cached_property
    def insert_sql(self) -> str:
        """The statement that adds the new rows in the order of their ids, except stored ones.

        It returns their number. If that is the number in its parameter, so if all are new,
        it also adds the rows of the tally to one shard, in the order of the keys: so two
        transactions never wait for each other in a circle. The shard is drawn, so that
        transactions rarely wait at all.
        """
        key = ", ".join([*(f"_added_{column}" for column in self.tally_names), "counted.shard"])
        # Two lists as two columns, added up row by row.
        sums = (
            "ARRAY(SELECT one + other FROM unnest(kept.counts, excluded.counts) "
            "WITH ORDINALITY AS both_lists(one, other, place) ORDER BY place)"
        )
        return (
            f'WITH added AS (INSERT INTO "{self.name}" SELECT _report, {self.quoted_columns} '  # noqa: S608  safe names, see tables
            f'FROM "{self.incoming}" WHERE _report IS NOT NULL ORDER BY _report '
            "ON CONFLICT DO NOTHING RETURNING 1), "
            "counted AS MATERIALIZED (SELECT count(*) AS added, "
            f"floor(random() * {_SHARDS})::integer AS shard FROM added), "
            f'tallied AS (INSERT INTO "{self.tally}" AS kept SELECT {key}, _added_counts '
            f'FROM counted, "{self.incoming}" WHERE _report IS NULL AND counted.added = %s '
            f"ORDER BY {key} ON CONFLICT ({self.tally_key}) DO UPDATE SET counts = {sums}) "
            "SELECT added FROM counted"
        )

    @cached_property
    def compare_sql(self) -> str:
        """The query for stored rows with the new ids, and whether this transaction added them."""
        columns = "".join(f', stored."{column}"' for column in self.columns)
        return (
            "SELECT stored.xmin = pg_current_xact_id()::xid, uuid_send(_report)"  # noqa: S608  safe names, see tables
            f'{columns} FROM "{self.incoming}" JOIN "{self.name}" AS stored USING (_report)'
        )

    def range_sql(self, after_sql: str | None) -> str:
        """The query for whole rows in the order of their ids, from the first or after an id."""
        condition = f"_report > {after_sql}" if after_sql else "TRUE"
        return (
            f'SELECT uuid_send(_report), {self.quoted_columns} FROM "{self.name}" '  # noqa: S608  safe names, see tables
            f"WHERE {condition} ORDER BY _report LIMIT %s"
        )

    @property
    def summed_tally_sql(self) -> str:
        """The query for whole rows of the tally, as one shard and in the order of the keys."""
        key = ", ".join(self.tally_names)
        summed = summed_counts_sql(self.tally, key)
        return f"SELECT {key}, 0, counts FROM ({summed}) AS summed ORDER BY {key}"  # noqa: S608  safe names, see tables

    @cached_property
    def _numbers(self) -> frozenset[str]:
        """The blocks whose values are indexes; others are lists, as canonical JSON text."""
        return frozenset(block.id for block in self.blocks if not block.mechanism.form.shape)

    def _declared(self, column: str) -> str:
        return self._typed(column) + (" NOT NULL" if column == GROUP_COLUMN else "")

    def _typed(self, column: str) -> str:
        if column == GROUP_COLUMN:
            return f"{column} text"
        return f'"{column}" {"integer" if column in self._numbers else "text"}'
