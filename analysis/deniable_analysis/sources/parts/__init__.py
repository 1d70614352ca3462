"""Exports in parts: a folder of Parquet files, each with the reports of one range of ids."""

from deniable_analysis.sources.parts.folder import Folder, find_folder, is_folder
from deniable_analysis.sources.parts.manifest import Manifest, read_parts
from deniable_analysis.sources.parts.writing import ExportedParts, write_parts

__all__ = [
    "ExportedParts",
    "Folder",
    "Manifest",
    "find_folder",
    "is_folder",
    "read_parts",
    "write_parts",
]
