"""The store of published surveys and reports."""

from collections.abc import Sequence
from pathlib import Path

from deniable_collector.store.base import ReportOutcome, Row, row_of
from deniable_collector.store.engines import find_engine
from deniable_collector.store.locations import scheme_of, shown
from deniable_collector.store.roles import Counts, Intake, Registry, Store
from deniable_collector.store.sqlite import BUSY_TIMEOUT_S
from deniable_sdk import Report


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
        PsycopgMissing: the package for PostgreSQL is not installed.
    """
    engine = find_engine(scheme_of(location) or "sqlite")
    return engine(str(location), must_exist=must_exist, patience_s=busy_timeout_s)


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


__all__ = ["Counts", "Intake", "Registry", "Store", "add_reports", "open_store", "shown"]
