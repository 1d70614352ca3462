"""Surveys with an end of every kind, and what a store says of them at a moment."""

from datetime import UTC, datetime, timedelta

from deniable_collector.clock import Moment
from deniable_collector.store import Store
from deniable_collector.store.base import ReportOutcome, StoredSurvey, row_of
from deniable_sdk import PublishedSurvey, Report
from sample_definitions import survey, yes_no
from there import there

OPENS = datetime(2031, 3, 1, 9, tzinfo=UTC)
CLOSES = OPENS + timedelta(days=7)
LATER = CLOSES + timedelta(days=7)
WINDOW = survey(yes_no(), slug="window", opens="2031-03-01T09:00Z", closes="2031-03-08T09:00Z")
LIMITED = survey(yes_no(), slug="limited", at_most_reports=10)
BOTH = survey(yes_no(), slug="both", closes="2031-03-08T09:00Z", at_most_reports=10)
OPEN = survey(yes_no(), slug="always")


def take(
    store: Store, published: PublishedSurvey, reports: list[Report], now: Moment | None = OPENS
) -> set[ReportOutcome]:
    """What becomes of these reports at a moment."""
    rows = [row_of(report, published) for report in reports]
    return set(store.add_rows({published.digest: rows}, now)[published.digest])


def found(store: Store, published: PublishedSurvey) -> StoredSurvey:
    """The survey as the store has it now."""
    return there(store.find_edition(published.digest))
