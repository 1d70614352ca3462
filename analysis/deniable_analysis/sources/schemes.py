"""The sources at URLs, found by their scheme; other packages may add some.

A package adds a source with an entry point in the group `deniable.sources`. The name of the
entry point is the scheme, and its object is a function like those below.
"""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from deniable_analysis.errors import StudyNotFound
from deniable_analysis.sources.addresses import Address
from deniable_analysis.sources.base import Source
from deniable_analysis.sources.collector import CollectorSource
from deniable_analysis.sources.engines import open_parts
from deniable_analysis.sources.stores import PostgresSource, SqliteSource
from deniable_storage.schemes import find_opener, other_schemes

_GROUP = "deniable.sources"
_SQLITE = "sqlite:///"

# Returns the source at a location, given the analyst's token if there is one.
OpenSource = Callable[[str, str | None], Source]


def open_url(location: str, token: str | None) -> Source:
    """The source at a URL.

    Raises:
        StudyNotFound: no installed package reads URLs with its scheme.
    """
    scheme = location.partition("://")[0]
    found = find_opener(_GROUP, scheme.lower())
    if found is None:
        raise _unknown(scheme)
    return cast("OpenSource", found)(location, token)


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
    listed = "".join(f"{other}://..., " for other in other_schemes(_GROUP))
    return StudyNotFound(
        f"got a location that starts with {scheme}://; this version reads a path, "
        f"sqlite:///PATH, postgresql://USER@HOST:PORT/DATABASE, s3://BUCKET/FOLDER, {listed}or "
        "the address of a survey's page, like https://example.org/s/SLUG"
    )
