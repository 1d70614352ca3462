"""The share of some answers, a screened prevalence, and a mean compared with a norm."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from deniable_analysis.charts import Chart, Mark
from deniable_analysis.forms import DataFrame, Documented, asked_of, document_of, pandas
from deniable_analysis.parts import Column, Line, Part, Table, text_column, warning_lines
from deniable_analysis.presentation import Presented
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import ENDS, OptionEstimate, option_table


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SummedShare(Presented):
    """The share with one of several answers, among those who answered.

    Args:
        answers: the answers in words, like "mild or above".
        interval: kind of the interval; "score" is that of a score test.
        share: estimated share; its share, low and high are raw.
        answered: estimated share of the respondents who answered, raw.
    """

    question: str
    answers: str
    reports: int
    epsilon: float
    confidence: float
    interval: str
    share: OptionEstimate
    answered: float

    def table(self) -> Table:
        """One row."""
        return option_table([self.share], "answers")

    @property
    def title(self) -> str:
        """The question with the number of reports and epsilon."""
        asked = asked_of(self.reports, self.epsilon)
        interval = f"{self.confidence:.6g} {self.interval} interval"
        return f"{self.question}, {self.answers}: {asked}; {interval}"

    def parts(self) -> Iterable[Part]:
        """A table of one row."""
        yield Line(self.title)
        yield self.table()

    def charts(self) -> Iterable[Chart]:
        """The share with its interval."""
        yield Chart(self.title, "share of those who answered", self.table().marks("share"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate(Documented):
    """The sensitivity or specificity of a screening.

    Args:
        value: the rate.
        hits: number of hits in the study that measured it; None for a known
            rate.
        persons: number of persons in that study; None for a known rate.
    """

    value: float
    hits: int | None = None
    persons: int | None = None

    def __str__(self) -> str:
        rate = f"{self.value:.4g}"
        return rate if self.hits is None else f"{rate} ({self.hits} of {self.persons})"

    @property
    def shifted(self) -> float:
        """The rate for the interval: moved towards one half if it was measured."""
        if self.hits is None or self.persons is None:
            return self.value
        return (self.hits + 1) / (self.persons + 2)

    @property
    def variance(self) -> float:
        """The variance of a measured rate; 0 for a known one."""
        if self.persons is None:
            return 0.0
        return self.shifted * (1 - self.shifted) / (self.persons + 2)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScreenedPrevalence(Presented):
    """The share of people with a condition, from a screening with known errors.

    value, low and high are raw and may be outside 0 to 1; valid_value is for
    display only.

    Args:
        positive: share of people whose screening is positive.
        warnings: sentences about limits of the result.
    """

    positive: SummedShare
    sensitivity: Rate
    specificity: Rate
    confidence: float
    value: float
    low: float
    high: float
    warnings: tuple[str, ...] = ()

    @property
    def valid_value(self) -> float:
        """The nearest possible prevalence."""
        return min(1.0, max(0.0, self.value))

    def to_document(self) -> dict[str, Any]:
        """The prevalence as plain JSON values."""
        return {**document_of(self), "valid_value": self.valid_value}

    def to_frame(self) -> DataFrame:
        """One row, as a pandas data frame."""
        flat = {
            "positive": self.positive.share.share,
            "sensitivity": self.sensitivity.value,
            "specificity": self.specificity.value,
        }
        return pandas().DataFrame([{**self.to_document(), **flat}])

    @property
    def title(self) -> str:
        """The screening with the number of reports, epsilon and the rates."""
        return (
            f"{self.positive.question}, prevalence behind {self.positive.answers}: "
            f"{asked_of(self.positive.reports, self.positive.epsilon)}; "
            f"sensitivity {self.sensitivity}, specificity {self.specificity}; "
            f"{self.confidence:.6g} interval"
        )

    def parts(self) -> Iterable[Part]:
        """A table of one row."""
        yield Line(self.title)
        numbers = (Column("value", "prevalence"), *ENDS, Column("valid_value", "valid"))
        yield Table.of((), numbers, [(self,)])
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The prevalence with its interval."""
        marks = (Mark("prevalence", self.value, self.low, self.high),)
        yield Chart(self.title, "prevalence", marks)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NormComparison(Presented):
    """The difference of a mean from that of a reference population.

    Args:
        norm_mean: mean of the reference population.
        norm_sd: standard deviation of the reference population.
        difference: difference of the mean from norm_mean.
        p_value: two-sided p-value of the hypothesis of no difference.
        warnings: sentences about limits of the comparison.
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
    warnings: tuple[str, ...] = ()

    @property
    def standardized(self) -> tuple[float, float, float]:
        """Difference, low and high in standard deviations of the reference population."""
        value, low, high = self.difference, self.low, self.high
        return value / self.norm_sd, low / self.norm_sd, high / self.norm_sd

    def to_document(self) -> dict[str, Any]:
        """The comparison as plain JSON values."""
        value, low, high = self.standardized
        standardized = {"value": value, "low": low, "high": high}
        return {**document_of(self), "standardized": standardized}

    def to_frame(self) -> DataFrame:
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
        rows = (
            ("own unit", self.difference, self.low, self.high),
            ("standard deviations", *self.standardized),
        )
        yield Table((text_column("unit", "difference in"), Column("value", "value"), *ENDS), rows)
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The standardized difference with its interval."""
        marks = (Mark(self.question, *self.standardized),)
        yield Chart(self.question, "difference from the norm in standard deviations", marks)
