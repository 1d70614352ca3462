"""Where reports come from; each kind of place is one file here."""

from pathlib import Path

from deniable_analysis.arguments import check_kind
from deniable_analysis.errors import StudyNotFound
from deniable_analysis.sources.base import ListedSurvey, RowSource, Source
from deniable_analysis.sources.collector import SCHEMES, Address, CollectorSource
from deniable_analysis.sources.exports import ExportSource, format_of
from deniable_analysis.sources.postgres import PostgresSource
from deniable_analysis.sources.sqlite import SqliteSource

_SQLITE = "sqlite:///"
_POSTGRES = ("postgresql", "postgres")


def open_source(location: str | Path, token: str | None = None) -> Source:
    """The source at a location.

    Args:
        location: the path of an export, by its suffix, or of a SQLite file;
            sqlite:///PATH (with a fourth slash where PATH is absolute); the
            URL of a PostgreSQL database; or the address of a survey's page at
            a collector.
        token: the analyst's, for a collector.
    Raises:
        StudyNotFound: the location is of a kind this version does not read.
        UnsafeAddress: a token must not be sent to the address.
    """
    check_kind("location", location, (str, Path), "a text or a pathlib.Path", StudyNotFound)
    if isinstance(location, Path):
        export = format_of(location)
        return ExportSource(location, export) if export else SqliteSource(location)
    if location.startswith(_SQLITE):
        return SqliteSource(Path(location.removeprefix(_SQLITE)))
    scheme, separator, _ = location.partition("://")
    if separator and scheme.lower() in _POSTGRES:
        return PostgresSource(location)
    if separator and scheme.lower() in SCHEMES:
        return CollectorSource(Address.of(location), token)
    if separator:
        raise StudyNotFound(
            f"got a location that starts with {scheme}://; this version reads a path, "
            "sqlite:///PATH, postgresql://USER@HOST:PORT/DATABASE, or the address of a survey's "
            "page, like https://example.org/s/SLUG"
        )
    return open_source(Path(location))


__all__ = [
    "CollectorSource",
    "ExportSource",
    "ListedSurvey",
    "PostgresSource",
    "RowSource",
    "Source",
    "SqliteSource",
    "open_source",
]
