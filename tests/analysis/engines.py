"""Real engines that read Parquet files, as tables of Ibis. Another engine is one more row."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ibis
import pytest

# A table of the Parquet files that a pattern matches.
Read = Callable[[Path], Any]


@contextmanager
def duckdb() -> Iterator[Read]:
    """DuckDB in this process."""
    connection = ibis.duckdb.connect()
    yield lambda files: connection.read_parquet(str(files))
    connection.disconnect()


@contextmanager
def clickhouse() -> Iterator[Read]:
    """The engine of ClickHouse in this process (chDB)."""
    pytest.importorskip("chdb")
    connect = pytest.importorskip("clickhouse_connect")
    client = connect.get_client(interface="chdb")
    connection = ibis.clickhouse.from_connection(client)

    def read(files: Path) -> Any:
        client.command("DROP TABLE IF EXISTS reports")
        rows = f"SELECT * FROM file('{files}', 'Parquet')"  # noqa: S608 - the test's own
        client.command(f"CREATE TABLE reports ENGINE = MergeTree ORDER BY tuple() AS {rows}")
        return connection.table("reports")

    yield read
    client.close()


@contextmanager
def spark() -> Iterator[Read]:
    """Spark with two workers, each a process of its own."""
    pyspark = pytest.importorskip("pyspark")
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = (
        pyspark.sql.SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("deniable")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    connection = ibis.pyspark.connect(session)
    yield lambda files: connection.read_parquet(str(files))
    session.stop()


ENGINES: dict[str, Callable[[], Any]] = {
    "duckdb": duckdb,
    "clickhouse": clickhouse,
    "spark": spark,
}
# Spark warns of each pandas that is newer than its own.
_MARKS = {
    "clickhouse": [pytest.mark.deep],
    "spark": [pytest.mark.deep, pytest.mark.filterwarnings("ignore")],
}
PARAMS = [pytest.param(name, marks=_MARKS.get(name, ())) for name in ENGINES]
