"""Differences between two studies, or two groups of one."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.forms import counted, pandas
from deniable_analysis.presentation import Chart, Line, Mark, Part, Presented, Table

if TYPE_CHECKING:
    import pandas as pd

DIFFERENCE_NUMBERS = (
    "first",
    "second",
    "difference",
    "low",
    "high",
    "standard_error",
    "z",
    "p_value",
    "adjusted_p_value",
)
_HEADERS = ("first", "second", "difference", "low", "high", "z", "p", "adjusted p")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first minus the second; None where it is not known.

    Args:
        name: of an option; "mean" of the mean.
        first: the raw share, or mean, of the first.
        second: that of the second.
        difference: the first less the second.
        low: where its interval begins.
        high: where it ends.
        standard_error: of the difference.
        z: the test statistic of no difference.
        p_value: two-sided.
        adjusted_p_value: made larger, so that all options may be read at once.
    """

    name: str
    first: float | None = None
    second: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    z: float | None = None
    p_value: float | None = None
    adjusted_p_value: float | None = None

    def to_document(self) -> dict[str, Any]:
        """The difference as plain JSON values."""
        numbers = {each: getattr(self, each) for each in DIFFERENCE_NUMBERS}
        return {"option": self.name, **numbers}

    def row(self) -> tuple[str, ...]:
        """The numbers as a table for people has them."""
        shares = (self.first, self.second, self.difference, self.low, self.high)
        tests = (self.p_value, self.adjusted_p_value)
        return (
            self.name,
            *("" if value is None else f"{value:z.4f}" for value in shares),
            "" if self.z is None else f"{self.z:z.3f}",
            *("" if value is None else f"{value:.4g}" for value in tests),
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison(Presented):
    """How the shares of a question differ between two studies or groups.

    Args:
        question: its id.
        first: what is compared: slug@edition, or an option of `by`.
        second: with what.
        by: the question whose options are the groups; None between studies.
        reports: of the first and of the second; of groups both are those of
            all respondents.
        epsilons: what a report spends on the question in each; in groups on
            both questions.
        confidence: how often an interval holds the true difference.
        correction: of the adjusted p-values, over the options.
        options: one difference for each option.
        mean: that of the means, where both have one.
        warnings: what to be careful with.
    """

    question: str
    first: str
    second: str
    by: str | None
    reports: tuple[int, int]
    epsilons: tuple[float, float]
    confidence: float
    correction: str
    options: tuple[Difference, ...]
    mean: Difference | None = None
    warnings: tuple[str, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """The differences as plain JSON values."""
        return {
            "question": self.question,
            "first": self.first,
            "second": self.second,
            "by": self.by,
            "reports": list(self.reports),
            "epsilons": list(self.epsilons),
            "confidence": self.confidence,
            "correction": self.correction,
            "options": [option.to_document() for option in self.options],
            "mean": self.mean.to_document() if self.mean else None,
            "warnings": list(self.warnings),
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row for each option, as a pandas data frame."""
        frame = pandas().DataFrame([option.to_document() for option in self.options])
        return frame.astype(dict.fromkeys(DIFFERENCE_NUMBERS, "float64"))

    @property
    def title(self) -> str:
        """The two sides of the comparison."""
        groups = f"{self.first} - {self.second}"
        if self.by is not None:
            groups = f"{self.by} {groups}; {counted(self.reports[0], 'report')}"
        else:
            groups = f"{groups}; {self.reports[0]} and {counted(self.reports[1], 'report')}"
        return f"{self.question}: {groups}; {self.confidence:.6g} intervals, {self.correction}"

    @property
    def chart_title(self) -> str:
        """What is compared, with epsilon."""
        spent = " and ".join(dict.fromkeys(f"{each:.4g}" for each in self.epsilons))
        return f"{self.title}; epsilon {spent}"

    def parts(self) -> Iterable[Part]:
        """A row for each option, and for the mean."""
        yield Line(self.title)
        yield Table(("option", *_HEADERS), tuple(option.row() for option in self.options))
        if self.mean:
            yield Table(("number", *_HEADERS), (self.mean.row(),))
        yield from (Line(warning, is_warning=True) for warning in self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The differences with their intervals."""
        marks = tuple(
            Mark(each.name, each.difference, each.low, each.high) for each in self.options
        )
        if any(mark.value is not None for mark in marks):
            yield Chart(self.chart_title, "difference of shares", marks, reference=0.0)
