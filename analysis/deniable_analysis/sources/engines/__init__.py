"""Tables that an engine counts where they are: any of Ibis, and DuckDB for folders of parts."""

from deniable_analysis.sources.engines.duckdb_parts import open_parts
from deniable_analysis.sources.engines.source import EngineSource, EngineTable, open_table

__all__ = ["EngineSource", "EngineTable", "open_parts", "open_table"]
