"""Quantiles of a number, and its survival curve."""

from collections.abc import Iterable
from dataclasses import dataclass

from deniable_analysis.forms import DataFrame, Documented, asked_of, counted, data_frame, pandas
from deniable_analysis.presentation import Chart, Line, Look, Mark, Part, Presented, Table
from deniable_analysis.results.shares import (
    SHARE_COLUMNS,
    SHARE_NUMBERS,
    OptionEstimate,
    share_table,
    warning_lines,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile(Documented):
    """The lowest level that at least a given part of the answers does not exceed.

    Args:
        probability: the given part.
        value: name of the level.
        low: lower end of the interval, a level.
        high: upper end of the interval, a level.
    """

    probability: float
    value: str
    low: str
    high: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Quantiles(Documented, Presented):
    """Quantiles among those who answered.

    Args:
        confidence: nominal coverage of the intervals; the coverage is at least
            this.
        quantiles: quantiles in the order of the requested probabilities.
        warnings: sentences about limits of the quantiles.
    """

    question: str
    reports: int
    epsilon: float
    confidence: float
    quantiles: tuple[Quantile, ...]
    warnings: tuple[str, ...] = ()

    def to_frame(self) -> DataFrame:
        """One row for each quantile, as a pandas data frame."""
        return pandas().DataFrame([quantile.to_document() for quantile in self.quantiles])

    def parts(self) -> Iterable[Part]:
        """A row for each quantile."""
        yield Line(
            f"{self.question}: {counted(self.reports, 'report')}; quantiles of those who "
            f"answered, {self.confidence:.6g} intervals"
        )
        rows = tuple(
            (f"{each.probability:g}", each.value, each.low, each.high) for each in self.quantiles
        )
        yield Table(("part", "quantile", "low", "high"), rows)
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The level of each quantile, as a number, with its interval."""
        marks = tuple(
            Mark(f"{100 * each.probability:.4g} %", *map(float, (each.value, each.low, each.high)))
            for each in self.quantiles
        )
        asked = asked_of(self.reports, self.epsilon)
        title = f"{self.question}: {asked}; quantiles, {self.confidence:.6g} intervals"
        yield Chart(title, f"{self.question}: so many of those who answered say at most", marks)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SurvivalCurve(Documented, Presented):
    """The shares whose event came after each interval, among those who answered.

    Args:
        not_yet: option of those without the event.
        interval: kind of the shares' intervals.
        points: for each interval of time, in order, the share whose event came
            later. share, low and high are raw and need not decrease;
            valid_share never increases.
        warnings: sentences about limits of the curve.
    """

    question: str
    not_yet: str
    reports: int
    epsilon: float
    interval: str
    points: tuple[OptionEstimate, ...]
    warnings: tuple[str, ...] = ()

    def to_frame(self) -> DataFrame:
        """One row for each interval, as a pandas data frame."""
        columns = ("option", *SHARE_NUMBERS, "reports", "standard_error")
        return data_frame([point.row() for point in self.points], columns, SHARE_COLUMNS)

    @property
    def title(self) -> str:
        """The question with the number of reports and epsilon."""
        asked = asked_of(self.reports, self.epsilon)
        return f"{self.question} (survival): {asked}; {self.interval} intervals"

    def parts(self) -> Iterable[Part]:
        """A row for each interval."""
        yield Line(self.title)
        yield share_table("left after", self.points)
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The valid shares, as a line that never rises."""
        marks = (
            Mark(point.option, point.valid_share, point.low, point.high) for point in self.points
        )
        yield Chart(self.title, "share without the event", tuple(marks), Look.STEPS)
