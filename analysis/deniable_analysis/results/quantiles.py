"""Quantiles of a scale or number, with their intervals."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.presentation import Chart, Line, Mark, Part, Presented, Table
from deniable_analysis.results.frames import pandas
from deniable_analysis.words import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile:
    """The least level that at least a part of those who answered do not exceed.

    Args:
        probability: that part.
        value: a level, by its name.
        low: the level where its interval begins.
        high: the one where it ends.
    """

    probability: float
    value: str
    low: str
    high: str

    def to_document(self) -> dict[str, Any]:
        """The quantile as plain JSON values."""
        return {
            "probability": self.probability,
            "value": self.value,
            "low": self.low,
            "high": self.high,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Quantiles(Presented):
    """Quantiles among those who answered.

    Args:
        question: its id.
        reports: behind them.
        epsilon: what each of these spent on the question.
        confidence: how often an interval holds the true quantile, at least.
        quantiles: in the order they were asked for.
    """

    question: str
    reports: int
    epsilon: float
    confidence: float
    quantiles: tuple[Quantile, ...]

    def to_document(self) -> dict[str, Any]:
        """The quantiles as plain JSON values."""
        return {
            "question": self.question,
            "reports": self.reports,
            "epsilon": self.epsilon,
            "confidence": self.confidence,
            "quantiles": [quantile.to_document() for quantile in self.quantiles],
        }

    def to_frame(self) -> "pd.DataFrame":
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

    def charts(self) -> Iterable[Chart]:
        """The level of each quantile with its interval; levels are numbers."""
        marks = tuple(
            Mark(
                f"{100 * each.probability:.4g} %",
                float(each.value),
                float(each.low),
                float(each.high),
            )
            for each in self.quantiles
        )
        title = (
            f"{self.question}: {counted(self.reports, 'report')}, epsilon {self.epsilon:.4g}; "
            f"quantiles, {self.confidence:.6g} intervals"
        )
        yield Chart(title, f"{self.question}: so many of those who answered say at most", marks)
