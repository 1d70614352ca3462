"""Exports in parts: a folder of Parquet files, each with the reports of one range of ids."""

from deniable_analysis.sources.parts.folder import Folder, FolderFiles, find_folder, is_folder
from deniable_analysis.sources.parts.manifest import ExportPart, Manifest, read_parts
from deniable_analysis.sources.parts.writing import ExportedParts, write_parts

__all__ = [
    "ExportPart",
    "ExportedParts",
    "Folder",
    "FolderFiles",
    "Manifest",
    "find_folder",
    "is_folder",
    "read_parts",
    "write_parts",
]
