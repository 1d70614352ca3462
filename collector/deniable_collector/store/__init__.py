"""The store of published surveys and reports."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from deniable_collector.errors import PsycopgMissing, UnsupportedStore
from deniable_collector.store.base import ReportOutcome, Row, row_of
from deniable_collector.store.engine import Store
from deniable_collector.store.locations import is_postgres, shown
from deniable_collector.store.sqlite import BUSY_TIMEOUT_S, SqliteStore
from deniable_sdk import Report

_SQLITE = "sqlite:///"


def open_store(
    location: str | Path, *, must_exist: bool = False, busy_timeout_s: float = BUSY_TIMEOUT_S
) -> Store:
    """The store at a location, created if it does not exist yet.

    Open it in the process that uses it: a store does not survive a fork.

    Args:
        location: a path, sqlite:/// and a path, or the URL of a PostgreSQL
            database, postgresql://USER@HOST:PORT/DATABASE.
        must_exist: refuse a location without a store.
        busy_timeout_s: how long to wait for other processes that write to the same store.
    Raises:
        UnsupportedStore: the location names another kind of store.
        UnreadableStore: the location has something else, or its folder is missing.
        StoreUnavailable: the store cannot be opened or written now.
        PsycopgMissing: the package for PostgreSQL is not installed.
    """
    text = str(location)
    if is_postgres(location):
        return _open_postgres(text, must_exist=must_exist, patience_s=busy_timeout_s)
    if "://" in text and not text.startswith(_SQLITE):
        raise UnsupportedStore(
            f"got a URL that starts with {text.split(':', 1)[0]}:; allowed is a path, "
            "sqlite:/// and a path, or postgresql://USER@HOST:PORT/DATABASE"
        )
    path = Path(text.removeprefix(_SQLITE))
    return SqliteStore(path, must_exist=must_exist, busy_timeout_s=busy_timeout_s)


def add_reports(store: Store, reports: Sequence[Report]) -> tuple[ReportOutcome, ...]:
    """The outcome of each report, in order; stored reports are durable before this returns.

    All reports are added in one transaction; each must have passed check_report.
    """
    surveys = {digest: store.find_edition(digest) for digest in {r.survey for r in reports}}
    rows: dict[str, list[Row]] = {}
    for report in reports:
        stored = surveys[report.survey]
        if stored:
            rows.setdefault(report.survey, []).append(row_of(report, stored.survey))
    outcomes = {digest: iter(found) for digest, found in store.add_rows(rows).items()}
    unknown = ReportOutcome.UNKNOWN_SURVEY
    return tuple(next(outcomes.get(report.survey, iter(())), unknown) for report in reports)


def _open_postgres(url: str, *, must_exist: bool, patience_s: float) -> Store:
    if find_spec("psycopg") is None:
        raise PsycopgMissing(
            "got a PostgreSQL URL, and the package psycopg is not installed; "
            "run: pip install 'deniable[postgres]'"
        )
    # Imported here, so that an SQLite store needs no package for PostgreSQL.
    from deniable_collector.store.postgres import PostgresStore  # noqa: PLC0415 - see above

    return PostgresStore(url, must_exist=must_exist, patience_s=patience_s)


__all__ = ["Store", "add_reports", "open_store", "shown"]
