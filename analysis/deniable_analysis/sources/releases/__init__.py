"""Releases: the counts of a closed survey with noise, in one file."""

from deniable_analysis.sources.releases.source import ReleaseSource, is_release
from deniable_analysis.sources.releases.writing import Released, write_release

__all__ = ["ReleaseSource", "Released", "is_release", "write_release"]
