"""The intake as an observer sees it: numbers, never a report."""

from collections.abc import Mapping

from deniable_collector.store.base import ReportOutcome


class IntakeObserver:
    """An observer that does nothing; others count."""

    def waits(self, reports: int) -> None:
        """So many reports wait to be stored now."""

    def committed(self, outcomes: Mapping[ReportOutcome, int]) -> None:
        """One transaction is durable, and so many of its reports became this."""

    def refused(self, problem: str) -> None:
        """A report, or what should have been one, never came to the store."""

    def too_busy(self) -> None:
        """A request was refused because too many reports wait."""

    def store_failed(self, cause: str) -> None:
        """A request could not be answered because of the store."""
