"""The engines of stores, found by the scheme of a location; other packages may add some.

A package adds an engine with an entry point in the group `deniable.stores`. The name of the
entry point is the scheme, and its object is a function like open_sqlite.
"""

from importlib.util import find_spec
from pathlib import Path

from deniable_collector.errors import PackageMissing, UnsupportedStore
from deniable_collector.store.locations import SQLITE, scheme_of, sqlite_path
from deniable_collector.store.roles import Store
from deniable_collector.store.sqlite import BUSY_TIMEOUT_S, SqliteStore
from deniable_storage.schemes import find_opener, other_schemes

GROUP = "deniable.stores"


def open_store(
    location: str | Path, *, must_exist: bool = False, busy_timeout_s: float = BUSY_TIMEOUT_S
) -> Store:
    """The store at a location, created if it does not exist yet.

    Open it in the process that uses it: a store does not survive a fork.

    Args:
        location: a path, sqlite:/// and a path, or the URL of a PostgreSQL
            database, postgresql://USER@HOST:PORT/DATABASE; or a URL whose scheme an
            installed package has an engine for.
        must_exist: refuse a location without a store.
        busy_timeout_s: how long to wait for other processes that write to the same store.
    Raises:
        UnsupportedStore: the location names another kind of store.
        UnreadableStore: the location has something else, or its folder is missing.
        StoreUnavailable: the store cannot be opened or written now.
        PackageMissing: the package for PostgreSQL is not installed.
    """
    scheme = scheme_of(location) or "sqlite"
    engine = find_opener(GROUP, scheme)
    if engine is None:
        raise _unsupported(scheme)
    opened: Store = engine(str(location), must_exist=must_exist, patience_s=busy_timeout_s)
    return opened


def open_sqlite(location: str, *, must_exist: bool, patience_s: float) -> Store:
    """The store in a SQLite file, created if it does not exist yet.

    Args:
        location: with the scheme of the engine, or for SQLite a path.
        must_exist: refuse a location without a store.
        patience_s: how long to wait for others that use the store.
    """
    path = sqlite_path(location)
    if "://" in location and not location.startswith(SQLITE):
        raise _unsupported("sqlite")
    return SqliteStore(path, must_exist=must_exist, busy_timeout_s=patience_s)


def open_postgres(location: str, *, must_exist: bool, patience_s: float) -> Store:
    """The store in a PostgreSQL database; arguments are those of open_sqlite.

    Raises:
        PackageMissing: the package for PostgreSQL is not installed.
    """
    if find_spec("psycopg") is None:
        raise PackageMissing(
            "got a PostgreSQL URL, and the package psycopg is not installed; "
            "run: pip install 'deniable[postgres]'",
            name="psycopg",
        )
    # Imported here, so that an SQLite store needs no package for PostgreSQL.
    from deniable_collector.store.postgres.store import PostgresStore  # noqa: PLC0415 - see above

    return PostgresStore(location, must_exist=must_exist, patience_s=patience_s)


def _unsupported(scheme: str) -> UnsupportedStore:
    listed = "".join(f", {other}://..." for other in other_schemes(GROUP))
    return UnsupportedStore(
        f"got a URL that starts with {scheme}:; allowed is a path, sqlite:/// and a path{listed}, "
        "or postgresql://USER@HOST:PORT/DATABASE"
    )
