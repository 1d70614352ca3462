"""Differences between two studies, or two groups of one."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from deniable_analysis.charts import Chart
from deniable_analysis.forms import document_of
from deniable_analysis.parts import (
    Column,
    ColumnKind,
    Line,
    Part,
    Table,
    text_column,
    warning_lines,
)
from deniable_analysis.presentation import Presented
from deniable_analysis.results.shares import ENDS, STANDARD_ERROR
from deniable_sdk.wording import counted

DIFFERENCES = (
    Column("first", "first"),
    Column("second", "second"),
    Column("difference", "difference"),
    *ENDS,
    STANDARD_ERROR,
    Column("z", "z"),
    Column("p_value", "p", ColumnKind.CHANCE),
    Column("adjusted_p_value", "adjusted p", ColumnKind.CHANCE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference of two estimates; unknown numbers are None.

    Args:
        name: name of the option, or "mean".
        first: raw share, or mean, of the first study or group.
        second: the same of the second.
        difference: first minus second.
        low: lower end of the difference's interval.
        standard_error: standard error of the difference.
        z: test statistic of the hypothesis of no difference.
        p_value: two-sided p-value of this hypothesis.
        adjusted_p_value: p-value adjusted for the number of options.
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
        return {"option": self.name, **document_of(self, "name", "groups")}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison(Presented):
    """The differences of a question's shares between two studies or groups.

    Args:
        first: first study as slug@edition, or first group as an option of `by`.
        second: second study or group.
        by: question whose options are the groups; None for studies.
        reports: numbers of reports of the first and the second study; for
            groups, both are the number of all respondents.
        epsilons: privacy loss of a report on the question in each study; for
            groups, on both questions.
        interval: kind of the intervals; "anytime" ones hold at every look.
        correction: correction of the p-values over the options.
        options: difference for each option.
        mean: difference of the means, if both have one.
        warnings: sentences about limits of the comparison.
    """

    question: str
    first: str
    second: str
    by: str | None
    reports: tuple[int, int]
    epsilons: tuple[float, float]
    confidence: float
    interval: str
    correction: str
    options: tuple[Difference, ...]
    mean: Difference | None = None
    warnings: tuple[str, ...] = ()

    def table(self) -> Table:
        """A row for each option."""
        return _table("option", self.options)

    @property
    def title(self) -> str:
        """The two sides of the comparison."""
        groups = f"{self.first} - {self.second}"
        if self.by is not None:
            groups = f"{self.by} {groups}; {counted(self.reports[0], 'report')}"
        else:
            groups = f"{groups}; {self.reports[0]} and {counted(self.reports[1], 'report')}"
        kind = f"{self.confidence:.6g} {self.interval} intervals"
        return f"{self.question}: {groups}; {kind}, {self.correction}"

    @property
    def chart_title(self) -> str:
        """The question and the two sides, with epsilon."""
        spent = " and ".join(dict.fromkeys(f"{each:.4g}" for each in self.epsilons))
        return f"{self.title}; epsilon {spent}"

    def parts(self) -> Iterable[Part]:
        """A row for each option, and for the mean."""
        yield Line(self.title)
        yield self.table()
        if self.mean:
            yield _table("number", [self.mean])
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The differences with their intervals."""
        marks = self.table().marks("difference")
        if any(mark.value is not None for mark in marks):
            yield Chart(self.chart_title, "difference of shares", marks, reference=0.0)


def _table(head: str, differences: Iterable[Difference]) -> Table:
    names = (text_column("option", head),)
    return Table.of(names, DIFFERENCES, [(each.name, each) for each in differences])
