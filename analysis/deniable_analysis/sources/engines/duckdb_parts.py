"""Folders of parts, counted by DuckDB."""

from pathlib import Path
from typing import Any

from deniable_analysis.errors import IbisMissing
from deniable_analysis.forms import installed
from deniable_analysis.sources.engines.source import EngineSource
from deniable_analysis.sources.parts import Folder, Manifest, find_folder, read_parts


def open_parts(location: str | Path) -> EngineSource:
    """The source of the reports of an export in parts.

    Args:
        location: of the folder, or of all of its files, as for find_folder.
    Raises:
        IbisMissing: Ibis or DuckDB is not installed.
        PyarrowMissing, StudyNotFound, UnreadableStudy, UnsafeAddress, StudyUnavailable: as for
            find_folder and read_parts.
    """
    folder = find_folder(location)
    exported, manifest = read_parts(folder)
    return EngineSource(exported, _table(_import(), folder, manifest), folder.shown)


def _table(duckdb: Any, folder: Folder, manifest: Manifest) -> Any:
    # DuckDB would otherwise fetch extensions from the network.
    connection = duckdb.connect(
        autoinstall_known_extensions=False, autoload_known_extensions=False
    )
    # It would be on standard output, between the results.
    connection.raw_sql("SET enable_progress_bar = false")
    paths = [folder.place(part.name) for part in manifest.parts]
    if folder.is_local:
        return connection.read_parquet(paths, table_name="reports")
    from pyarrow import dataset  # noqa: PLC0415 - not always installed

    files = dataset.dataset(paths, filesystem=folder.files, format="parquet")
    connection.con.register("reports", files)
    return connection.table("reports")


def _import() -> Any:
    why = (
        "parts are counted by DuckDB, through Ibis; install them with: "
        'pip install "deniable[analysis,engines]"'
    )
    installed("duckdb", IbisMissing, why)
    return installed("ibis", IbisMissing, why).duckdb
