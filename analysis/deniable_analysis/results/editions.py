"""Several editions of a survey: the changes of a question's shares, and pooled estimates."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from deniable_analysis.charts import Chart, ChartKind
from deniable_analysis.forms import document_of
from deniable_analysis.parts import (
    Column,
    ColumnKind,
    Line,
    Part,
    Table,
    joined,
    text_column,
    warning_lines,
)
from deniable_analysis.presentation import OfQuestions, Presented, sections
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import (
    ENDS,
    STANDARD_ERROR,
    OptionEstimate,
    option_table,
)
from deniable_sdk.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendPoint:
    """The share of an option, or the mean, in one edition.

    Args:
        edition: edition as slug@edition.
        time: time of the edition.
        value: raw share or mean.
        low: lower end of its interval.
        high: upper end of its interval.
        standard_error: standard error of the value.
        lower_limit: lower control limit: a value below it is further from the
            centre than chance explains if nothing changed.
    """

    edition: str
    time: float
    value: float
    low: float
    high: float
    standard_error: float
    lower_limit: float
    upper_limit: float

    @property
    def is_in_control(self) -> bool:
        """Whether the value is within the control limits."""
        return self.lower_limit <= self.value <= self.upper_limit

    def to_document(self) -> dict[str, Any]:
        """The point as plain JSON values."""
        return {**document_of(self), "is_in_control": self.is_in_control}


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionTrend:
    """The trend of one option, or of the mean, over editions.

    Args:
        name: name of the option, or "mean".
        points: point of each edition.
        centre: weighted mean of all points.
        slope: estimated change in a unit of time.
        z: slope divided by its standard error.
        p_value: two-sided p-value of the hypothesis that the slope is 0.
        adjusted_p_value: p-value adjusted for the number of options.
        change_p_value: chi-squared p-value of the hypothesis of no change
            between editions.
    """

    name: str
    points: tuple[TrendPoint, ...]
    centre: float
    slope: float
    slope_error: float
    z: float
    p_value: float
    adjusted_p_value: float
    change_p_value: float

    @property
    def table(self) -> Table:
        """A row for each edition."""
        rows = [(self.name, point) for point in self.points]
        return Table.of((text_column("option"),), _points(self.name), rows)

    def to_document(self) -> dict[str, Any]:
        """The trend as plain JSON values."""
        return {"option": self.name, **document_of(self, "name")}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Trend(Presented):
    """The trends of a question's options over editions.

    Args:
        editions: editions as slug@edition, in their order.
        reports: number of reports of each edition on the question.
        epsilons: privacy loss of a report of each edition on the question.
        correction: correction of the p-values over the options.
        options: trend of each option.
        mean: trend of the mean, if every edition has one.
        warnings: sentences about signs of invalid reports in an edition.
    """

    question: str
    editions: tuple[str, ...]
    reports: tuple[int, ...]
    epsilons: tuple[float, ...]
    confidence: float
    correction: str
    options: tuple[OptionTrend, ...]
    mean: OptionTrend | None = None
    warnings: tuple[str, ...] = ()

    def table(self) -> Table:
        """A row for each option of each edition."""
        return joined(option.table for option in self.every)

    @property
    def every(self) -> tuple[OptionTrend, ...]:
        """The trends of the options, then of the mean."""
        return (*self.options, *([self.mean] if self.mean else []))

    def parts(self) -> Iterable[Part]:
        """A table of the editions for each option, and its slope in words."""
        yield Line(f"{self.question}: {self._counts}; {self.confidence:.6g} intervals")
        for option in self.every:
            yield Line("")
            yield option.table
            yield Line(
                f"slope {option.slope:+z.4f} (sd {option.slope_error:z.4f}), p = "
                f"{option.p_value:.4g}, adjusted ({self.correction}) "
                f"{option.adjusted_p_value:.4g}; any change: p = {option.change_p_value:.4g}"
            )
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """A line over editions for each option, then for the mean."""
        spent = " and ".join(dict.fromkeys(f"{each:.4g}" for each in self.epsilons))
        for option in self.every:
            title = f"{self.question}, {option.name}: {self._counts}, epsilon {spent}"
            unit = "mean of those who answered" if option is self.mean else "share of those asked"
            yield Chart(title, unit, option.table.marks("value"), ChartKind.STEPS)

    @property
    def _counts(self) -> str:
        *first, last = self.reports
        return ", ".join([*map(str, first), counted(last, "report")])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PooledQuestion(Presented):
    """A question's estimates, pooled over editions.

    Args:
        editions: editions with reports on it, as slug@edition.
        weights: weight of each edition, for the first option, or for the mean
            if there is no option.
        reports: total number of reports.
        options: shares with score intervals if the supporting reports are
            binomial counts in all editions, otherwise with normal ones. All
            numbers are None without reports.
        mean: mean of a number or scale, with a normal interval.
        warnings: sentences about signs of invalid reports, in an edition or in
            all together.
    """

    question: str
    type: str
    editions: tuple[str, ...]
    weights: tuple[float, ...]
    reports: int
    options: tuple[OptionEstimate, ...]
    mean: MeanEstimate | None = None
    warnings: tuple[str, ...] = ()

    def table(self) -> Table:
        """A row for each option."""
        return option_table(self.options, question=self.question, type=self.type)

    @property
    def title(self) -> str:
        """The question with its editions and their weights."""
        shown = (
            f"{weight:.0%} {edition}"
            for edition, weight in zip(self.editions, self.weights, strict=True)
        )
        return (
            f"{self.question} ({self.type}): {counted(self.reports, 'report')}, {', '.join(shown)}"
        )

    def parts(self) -> Iterable[Part]:
        """The shares and the mean."""
        if not self.reports:
            yield Line(f"{self.question} ({self.type}): no report carries this question yet")
            return
        yield Line(self.title)
        if self.options:
            yield self.table()
        if self.mean:
            yield from self.mean.parts()
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares of the options."""
        if self.reports and self.options:
            yield Chart(self.title, "share of those asked", self.table().marks("share"))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PooledEstimates(OfQuestions):
    """The pooled estimates of several editions.

    Args:
        editions: editions as slug@edition.
        reports: total number of reports.
        interval: chosen kind of interval; "anytime" ones hold at every look.
    """

    editions: tuple[str, ...]
    reports: int
    confidence: float
    interval: str
    questions: tuple[PooledQuestion, ...]

    def parts(self) -> Iterable[Part]:
        """A title, then every question."""
        yield Line(
            f"{', '.join(self.editions)} pooled: {counted(self.reports, 'report')}; "
            f"{self.confidence:.6g} {self.interval} intervals"
        )
        yield from sections(self.questions)


def _points(head: str) -> tuple[Column, ...]:
    """The columns of points, whose first for people has this head."""
    return (
        text_column("edition", head),
        Column("time"),
        Column("value", "share"),
        *ENDS,
        STANDARD_ERROR,
        Column("lower_limit", "lower limit"),
        Column("upper_limit", "upper limit"),
        Column("is_in_control", "control", ColumnKind.WITHIN),
    )
