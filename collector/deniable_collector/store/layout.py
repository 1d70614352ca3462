"""Whether a store has the present layout; nothing here changes it."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from deniable_collector.errors import UnreadableStore
from deniable_collector.store import migrations
from deniable_collector.store.connections import unavailable_if_failing
from deniable_collector.store.locations import is_postgres, shown, sqlite_path
from deniable_collector.store.raw_files import refuse_leftover, refuse_lost_log

_PATIENCE_S = 5.0


def has_present_layout(location: str) -> bool:
    """Whether opening the store would migrate nothing.

    Args:
        location: of a store in SQLite or PostgreSQL.
    Raises:
        UnreadableStore: it has something else, a newer layout, or is not there.
        StoreUnavailable: it cannot be read now.
    """
    if is_postgres(location):
        # Imported here, so that an SQLite store needs no package for PostgreSQL.
        from deniable_collector.store.postgres.connections import Connections  # noqa: PLC0415 - see above
        from deniable_collector.store.postgres.migrations import is_present  # noqa: PLC0415 - see above

        with (
            closing(Connections(location, most=1, patience_s=_PATIENCE_S)) as pool,
            pool.lend() as connection,
        ):
            return is_present(connection, shown(location))
    path = sqlite_path(location)
    if not path.is_file():
        raise UnreadableStore(f"there is no store at {path}")
    refuse_leftover(path)
    refuse_lost_log(path)
    return _look(path, "mode=ro", ())


def check_backup(path: Path) -> bool:
    """Read a copy of a store completely; whether it has the present layout.

    Raises:
        UnreadableStore: it is not a store, or a page of it is damaged.
        StoreUnavailable: it cannot be read now.
    """
    return _look(path, "mode=ro&immutable=1", ("PRAGMA integrity_check(1)",))


def _look(path: Path, options: str, checks: Sequence[str]) -> bool:
    uri = f"{path.absolute().as_uri()}?{options}"
    try:
        with unavailable_if_failing(), closing(sqlite3.connect(uri, uri=True)) as connection:
            for check in checks:
                if connection.execute(check).fetchall() != [("ok",)]:
                    raise UnreadableStore(f"{path} is damaged")
            return migrations.is_present(connection, str(path), is_empty=False)
    except sqlite3.DatabaseError:
        raise UnreadableStore(f"{path} is not an SQLite file") from None
