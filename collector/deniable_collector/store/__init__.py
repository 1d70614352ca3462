"""The store of published surveys and reports."""

from collections.abc import Sequence

from deniable_collector.store.base import ReportOutcome, Row, row_of
from deniable_collector.store.engines import open_store
from deniable_collector.store.locations import shown
from deniable_collector.store.roles import Counts, Intake, Registry, Store
from deniable_sdk import Report


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
