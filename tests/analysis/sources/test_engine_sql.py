"""What engines are asked: SQL that groups and counts, so that rows stay where they are."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ibis
import pytest

from analysis.engines import spark
from analysis.sources.test_engine_values import MECHANISMS, case
from deniable_analysis.sources.engine_counts import (
    count_by_legality,
    count_by_value,
    count_members,
)
from deniable_analysis.sources.parts_folder import part_name
from deniable_sdk.survey.block import Block

STORED = Path(__file__).with_name("engine_sql")
# In BigQuery the members of a list are never missing.
TABLES = {"bigquery": "array<!int64>", "snowflake": "array<int64>"}
LISTS = [name for name in MECHANISMS if name != "one answer"]


def questions(table: Any, block: Block) -> Iterator[Any]:
    """Everything that an engine may be asked of a block."""
    yield count_by_value(table, [block])
    if block.mechanism.form.shape:
        yield count_by_legality(table, block)
        yield count_members(table, block)


def compiled(engine: str) -> str:
    """The SQL for a number, a small set and a few pairs, without what is drawn anew."""
    texts = []
    for name in ("one answer", "small sets", "few pairs"):
        block = case(name).block
        kind = TABLES[engine] if block.mechanism.form.shape else "int64"
        table = ibis.table({block.id: kind, "_group": "string"}, name="reports")
        of_group = table.filter(table._group == "nurses")
        texts += [ibis.to_sql(each, dialect=engine) for each in questions(of_group, block)]
    return re.sub(r"[0-9a-f]{32}", "SEPARATOR", ";\n\n".join(texts)) + "\n"


@pytest.mark.parametrize("engine", TABLES)
def test_the_sql_of_engines_that_do_not_run_here_is_the_stored_one(engine: str) -> None:
    """BigQuery and Snowflake are asked what somebody read and found right."""
    assert compiled(engine) == (STORED / f"{engine}.sql").read_text()


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore")
def test_rows_stay_in_spark(tmp_path: Path) -> None:
    """Each plan ends in an aggregation, after which only counts are left."""
    with spark() as read:
        for name in MECHANISMS:
            given = case(name)
            table = read(given.write(tmp_path / part_name(0)))
            session = table.get_backend()._session
            for question in questions(table, given.block):
                found = session.sql(ibis.to_sql(question))
                plan = found._jdf.queryExecution().executedPlan().toString()
                steps = re.findall(r"\w*(?:Aggregate|Exchange|Scan)\b", plan)
                assert steps[:3] == ["HashAggregate", "Exchange", "HashAggregate"]
                assert found.columns[-1] == "reports"
