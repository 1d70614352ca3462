"""Where published surveys and reports are kept."""

from pathlib import Path

from deniable_collector.errors import UnsupportedStore
from deniable_collector.store.base import Store, add_reports
from deniable_collector.store.sqlite import BUSY_TIMEOUT_S, SqliteStore

_SQLITE = "sqlite:///"


def open_store(
    location: str | Path, *, must_exist: bool = False, busy_timeout_s: float = BUSY_TIMEOUT_S
) -> Store:
    """The store at a location, made if it is not there yet.

    Open it in the process that uses it: a store does not survive a fork.

    Args:
        location: a path, or sqlite:/// and a path.
        must_exist: refuse a location where there is no store yet.
        busy_timeout_s: how long to wait for other writers of the same file.
    Raises:
        UnsupportedStore: the location names another kind of store.
        UnreadableStore: something else is there, or the folder is missing.
        StoreUnavailable: the file cannot be opened or written now.
    """
    text = str(location)
    if text.startswith(("postgresql:", "postgres:")):
        raise UnsupportedStore(
            "got a PostgreSQL URL; that store is not built yet; "
            "give a path, or sqlite:/// and a path"
        )
    if "://" in text and not text.startswith(_SQLITE):
        raise UnsupportedStore(
            f"got a URL that starts with {text.split(':', 1)[0]}:; allowed is a path, "
            "or sqlite:/// and a path"
        )
    path = Path(text.removeprefix(_SQLITE))
    return SqliteStore(path, must_exist=must_exist, busy_timeout_s=busy_timeout_s)


__all__ = ["Store", "add_reports", "open_store"]
