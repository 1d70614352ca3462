"""Exports: a survey's reports in one file, its document beside them."""

from deniable_analysis.sources.exports.formats import FORMATS, ExportSource, format_of
from deniable_analysis.sources.exports.writing import Exported, Progress, write_export

__all__ = ["FORMATS", "ExportSource", "Exported", "Progress", "format_of", "write_export"]
