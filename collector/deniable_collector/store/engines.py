"""The engines of stores, found by the scheme of a location; other packages may add some.

A package adds an engine with an entry point in the group `deniable.stores`. The name of the
entry point is the scheme, and its object is a function like those below.
"""

from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

from deniable_collector.errors import PsycopgMissing, UnsupportedStore
from deniable_collector.store.engine import Store
from deniable_collector.store.sqlite import SqliteStore

_GROUP = "deniable.stores"
_SQLITE = "sqlite:///"
_OWN = frozenset(("postgres", "postgresql", "sqlite"))


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
    for found in entry_points(group=_GROUP, name=scheme):
        return cast("OpenStore", found.load())
    raise _unsupported(scheme)


def open_sqlite(location: str, *, must_exist: bool, patience_s: float) -> Store:
    """The store in a SQLite file; see OpenStore."""
    path = Path(location.removeprefix(_SQLITE))
    if "://" in location and not location.startswith(_SQLITE):
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
    from deniable_collector.store.postgres import PostgresStore  # noqa: PLC0415 - see above

    return PostgresStore(location, must_exist=must_exist, patience_s=patience_s)


def _unsupported(scheme: str) -> UnsupportedStore:
    others = {each.name for each in entry_points(group=_GROUP)} - _OWN
    listed = "".join(f", {name}://..." for name in sorted(others))
    return UnsupportedStore(
        f"got a URL that starts with {scheme}:; allowed is a path, sqlite:/// and a path{listed}, "
        "or postgresql://USER@HOST:PORT/DATABASE"
    )
