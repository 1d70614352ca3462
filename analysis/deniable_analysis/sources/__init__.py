"""Where reports come from; each kind of place is one file here."""

from pathlib import Path

from deniable_analysis.errors import StudyNotFound
from deniable_analysis.sources.base import Source, StoredSurvey
from deniable_analysis.sources.exports import ExportSource, format_of
from deniable_analysis.sources.sqlite import SqliteSource

_SQLITE = "sqlite:///"


def open_source(location: str | Path) -> Source:
    """The source at a location.

    Args:
        location: the path of an export, by its suffix, or of a SQLite file; or
            sqlite:///PATH (with a fourth slash where PATH is absolute).
    Raises:
        StudyNotFound: the location is of a kind this version does not read.
    """
    if isinstance(location, Path):
        export = format_of(location)
        return ExportSource(location, export) if export else SqliteSource(location)
    if location.startswith(_SQLITE):
        return SqliteSource(Path(location.removeprefix(_SQLITE)))
    scheme, separator, _ = location.partition("://")
    if separator:
        raise StudyNotFound(
            f"got a location that starts with {scheme}://; this version reads a path or "
            "sqlite:///PATH"
        )
    return open_source(Path(location))


__all__ = [
    "ExportSource",
    "Source",
    "SqliteSource",
    "StoredSurvey",
    "open_source",
]
