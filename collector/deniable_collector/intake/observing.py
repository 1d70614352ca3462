"""What an observer of the intake receives: numbers, never a report."""

from collections.abc import Mapping

from deniable_collector.store.base import ReportOutcome


class IntakeObserver:
    """An observer that does nothing; subclasses count."""

    def waits(self, reports: int) -> None:
        """The number of reports that wait to be stored has changed."""

    def committed(self, outcomes: Mapping[ReportOutcome, int]) -> None:
        """One transaction is durable; its reports are counted by outcome."""

    def refused(self, problem: str) -> None:
        """A report, or something sent as a report, was refused before it reached the store."""

    def too_busy(self) -> None:
        """A request was refused because too many reports wait."""

    def store_failed(self, cause: str) -> None:
        """A request failed because of the store."""
