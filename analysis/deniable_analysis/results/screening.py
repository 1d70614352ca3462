"""The share above a cut-off, the prevalence behind it, and a mean beside a norm."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.forms import counted, pandas
from deniable_analysis.presentation import Chart, Line, Mark, Part, Presented, Table
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import SHARE_HEADERS, OptionEstimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ShareAbove(Presented):
    """The share of those who answered at a cut-off or above it.

    Args:
        question: its id.
        cutoff: the first option that counts.
        reports: behind the share.
        epsilon: what each of these spent on it.
        interval: which interval the share has.
        above: the share; share, low and high are raw.
    """

    question: str
    cutoff: str
    reports: int
    epsilon: float
    interval: str
    above: OptionEstimate

    def to_document(self) -> dict[str, Any]:
        """The share as plain JSON values."""
        return {
            "question": self.question,
            "cutoff": self.cutoff,
            "reports": self.reports,
            "epsilon": self.epsilon,
            "interval": self.interval,
            "above": self.above.to_document(),
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row, as a pandas data frame."""
        return pandas().DataFrame([self.above.to_document()])

    @property
    def title(self) -> str:
        """The question with its reports and epsilon."""
        return (
            f"{self.question}, {self.cutoff} or above: {counted(self.reports, 'report')}, epsilon "
            f"{self.epsilon:.4g}; {self.interval} intervals"
        )

    def parts(self) -> Iterable[Part]:
        """A table of one row."""
        yield Line(self.title)
        yield Table(("at or above", *SHARE_HEADERS), ((self.cutoff, *self.above.cells()),))

    def charts(self) -> Iterable[Chart]:
        """The share with its interval."""
        mark = Mark(self.cutoff, self.above.valid_share, self.above.low, self.above.high)
        yield Chart(self.title, "share at the cut-off or above", (mark,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """The sensitivity or specificity of a screening.

    Args:
        value: the rate.
        hits: in the study that measured it; None where it is known.
        persons: in that study.
    """

    value: float
    hits: int | None = None
    persons: int | None = None

    @property
    def shifted(self) -> float:
        """The rate as the interval uses it: moved towards one half if it was measured."""
        if self.hits is None or self.persons is None:
            return self.value
        return (self.hits + 1) / (self.persons + 2)

    @property
    def variance(self) -> float:
        """Of the rate as it was measured; 0 where it is known."""
        if self.persons is None:
            return 0.0
        return self.shifted * (1 - self.shifted) / (self.persons + 2)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScreenedPrevalence(Presented):
    """The share of people with a condition, from a screening with known errors.

    value, low and high are raw and may be outside 0 to 1.

    Args:
        above: the share above the cut-off.
        sensitivity: of the screening.
        specificity: of the screening.
        confidence: how often the interval contains the true share.
    """

    above: ShareAbove
    sensitivity: Rate
    specificity: Rate
    confidence: float
    value: float
    low: float
    high: float

    def to_document(self) -> dict[str, Any]:
        """The prevalence as plain JSON values."""
        return {
            "above": self.above.to_document(),
            "sensitivity": self.sensitivity.value,
            "specificity": self.specificity.value,
            "confidence": self.confidence,
            "value": self.value,
            "low": self.low,
            "high": self.high,
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row, as a pandas data frame."""
        return pandas().DataFrame([{**self.to_document(), "above": self.above.above.share}])

    def parts(self) -> Iterable[Part]:
        """A table of one row."""
        yield Line(
            f"{self.above.question}: prevalence behind {self.above.cutoff} or above, sensitivity "
            f"{self.sensitivity.value:.4g}, specificity {self.specificity.value:.4g}"
        )
        row = tuple(f"{each:z.4f}" for each in (self.value, self.low, self.high))
        yield Table(("prevalence", "low", "high"), (row,))

    def charts(self) -> Iterable[Chart]:
        """The prevalence with its interval."""
        marks = (Mark("prevalence", self.value, self.low, self.high),)
        yield Chart(self.above.title, "prevalence", marks)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NormComparison(Presented):
    """A mean beside that of a reference population.

    Args:
        question: its id.
        mean: the estimate.
        norm_mean: of the reference population.
        norm_sd: its standard deviation.
        confidence: how often the interval contains the true difference.
        difference: of the mean from the norm.
        p_value: of no difference, two-sided.
    """

    question: str
    mean: MeanEstimate
    norm_mean: float
    norm_sd: float
    confidence: float
    difference: float
    low: float
    high: float
    p_value: float

    @property
    def standardized(self) -> tuple[float, float, float]:
        """Difference, low and high in standard deviations of the reference population."""
        return (
            self.difference / self.norm_sd,
            self.low / self.norm_sd,
            self.high / self.norm_sd,
        )

    def to_document(self) -> dict[str, Any]:
        """The comparison as plain JSON values."""
        value, low, high = self.standardized
        return {
            "question": self.question,
            "mean": self.mean.to_document(),
            "norm_mean": self.norm_mean,
            "norm_sd": self.norm_sd,
            "confidence": self.confidence,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "p_value": self.p_value,
            "standardized": {"value": value, "low": low, "high": high},
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row, as a pandas data frame."""
        value, low, high = self.standardized
        row = {
            **self.to_document(),
            "mean": self.mean.value,
            "standardized": value,
            "standardized_low": low,
            "standardized_high": high,
        }
        return pandas().DataFrame([row])

    def parts(self) -> Iterable[Part]:
        """A row in the question's unit, and one in standard deviations."""
        yield Line(
            f"{self.question}: difference from a norm of {self.norm_mean:g} (standard deviation "
            f"{self.norm_sd:g}), p value {self.p_value:.4g}"
        )
        own = (self.difference, self.low, self.high)
        rows = (
            ("own unit", *(f"{each:z.4f}" for each in own)),
            ("standard deviations", *(f"{each:z.4f}" for each in self.standardized)),
        )
        yield Table(("difference in", "value", "low", "high"), rows)

    def charts(self) -> Iterable[Chart]:
        """The standardized difference with its interval."""
        marks = (Mark(self.question, *self.standardized),)
        yield Chart(self.question, "difference from the norm in standard deviations", marks)
