"""The sources at URLs, found by their scheme; other packages may add some.

A package adds a source with an entry point in the group `deniable.sources`. The name of the
entry point is the scheme, and its object is a function like those below.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import cast

from deniable_analysis.errors import StudyNotFound
from deniable_analysis.sources.base import Source
from deniable_analysis.sources.collector import Address, CollectorSource
from deniable_analysis.sources.engines import open_parts
from deniable_analysis.sources.postgres import PostgresSource
from deniable_analysis.sources.sqlite import SqliteSource

_GROUP = "deniable.sources"
_SQLITE = "sqlite:///"
_OWN = frozenset(("http", "https", "postgres", "postgresql", "s3", "sqlite"))

# Returns the source at a location, given the analyst's token if there is one.
OpenSource = Callable[[str, str | None], Source]


def find_opener(location: str) -> OpenSource:
    """The function that opens sources at URLs with the scheme of this one.

    Raises:
        StudyNotFound: no installed package reads such URLs.
    """
    scheme = location.partition("://")[0]
    for found in entry_points(group=_GROUP, name=scheme.lower()):
        return cast("OpenSource", found.load())
    raise _unknown(scheme)


def open_sqlite(location: str, token: str | None) -> Source:  # noqa: ARG001 - an OpenSource
    """The source in a SQLite file."""
    if not location.lower().startswith(_SQLITE):
        raise _unknown("sqlite")
    return SqliteSource(Path(location[len(_SQLITE) :]))


def open_postgres(location: str, token: str | None) -> Source:  # noqa: ARG001 - an OpenSource
    """The source in a PostgreSQL database."""
    return PostgresSource(location)


def open_collector(location: str, token: str | None) -> Source:
    """The source at a collector, with the analyst's token."""
    return CollectorSource(Address.of(location), token)


def open_bucket(location: str, token: str | None) -> Source:  # noqa: ARG001 - an OpenSource
    """The source in a folder of parts in a bucket."""
    return open_parts(location)


def _unknown(scheme: str) -> StudyNotFound:
    others = {each.name for each in entry_points(group=_GROUP)} - _OWN
    listed = "".join(f"{name}://..., " for name in sorted(others))
    return StudyNotFound(
        f"got a location that starts with {scheme}://; this version reads a path, "
        f"sqlite:///PATH, postgresql://USER@HOST:PORT/DATABASE, s3://BUCKET/FOLDER, {listed}or "
        "the address of a survey's page, like https://example.org/s/SLUG"
    )
