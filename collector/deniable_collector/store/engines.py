"""The engines of stores, found by the scheme of a location; other packages may add some.

A package adds an engine with an entry point in the group `deniable.stores`. The name of the
entry point is the scheme, and its object is a function like those below.
"""

from importlib.util import find_spec
from typing import Protocol, cast

from deniable_collector.errors import PsycopgMissing, UnsupportedStore
from deniable_collector.store.locations import SQLITE, sqlite_path
from deniable_collector.store.roles import Store
from deniable_collector.store.sqlite import SqliteStore
from deniable_storage.schemes import find_opener, other_schemes

_GROUP = "deniable.stores"


class OpenStore(Protocol):
    """A function that opens stores of one engine."""

    def __call__(self, location: str, *, must_exist: bool, patience_s: float) -> Store:
        """The store at a location, created if it does not exist yet.

        Args:
            location: with the scheme of the engine, or for SQLite a path.
            must_exist: refuse a location without a store.
            patience_s: how long to wait for others that use the store.
        """
        ...


def find_engine(scheme: str) -> OpenStore:
    """The function that opens stores whose locations have this scheme.

    Raises:
        UnsupportedStore: no installed package has such an engine.
    """
    found = find_opener(_GROUP, scheme)
    if found is None:
        raise _unsupported(scheme)
    return cast("OpenStore", found)


def open_sqlite(location: str, *, must_exist: bool, patience_s: float) -> Store:
    """The store in a SQLite file; see OpenStore."""
    path = sqlite_path(location)
    if "://" in location and not location.startswith(SQLITE):
        raise _unsupported("sqlite")
    return SqliteStore(path, must_exist=must_exist, busy_timeout_s=patience_s)


def open_postgres(location: str, *, must_exist: bool, patience_s: float) -> Store:
    """The store in a PostgreSQL database; see OpenStore.

    Raises:
        PsycopgMissing: the package for PostgreSQL is not installed.
    """
    if find_spec("psycopg") is None:
        raise PsycopgMissing(
            "got a PostgreSQL URL, and the package psycopg is not installed; "
            "run: pip install 'deniable[postgres]'"
        )
    # Imported here, so that an SQLite store needs no package for PostgreSQL.
    from deniable_collector.store.postgres.store import PostgresStore  # noqa: PLC0415 - see above

    return PostgresStore(location, must_exist=must_exist, patience_s=patience_s)


def _unsupported(scheme: str) -> UnsupportedStore:
    listed = "".join(f", {other}://..." for other in other_schemes(_GROUP))
    return UnsupportedStore(
        f"got a URL that starts with {scheme}:; allowed is a path, sqlite:/// and a path{listed}, "
        "or postgresql://USER@HOST:PORT/DATABASE"
    )
