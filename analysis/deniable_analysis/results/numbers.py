"""The estimates of numbers and scales: the mean, the distribution, quantiles, and survival."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from deniable_analysis.charts import Chart, ChartKind, Mark
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.forms import Documented, asked_of, document_of
from deniable_analysis.parts import (
    WRITE,
    Column,
    ColumnKind,
    Line,
    Part,
    Table,
    text_column,
    warning_lines,
)
from deniable_analysis.presentation import Presented
from deniable_analysis.results.shares import (
    ENDS,
    PARTS,
    STANDARD_ERROR,
    OptionEstimate,
    option_table,
)
from deniable_sdk.survey.text import Text, in_language, text_document
from deniable_sdk.wording import counted

# The same as in tables of shares, so that both can stand in one.
MEANS = (Column("value", "mean"), *ENDS, Column("variance"), *PARTS, STANDARD_ERROR)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MeanEstimate(Presented):
    """The estimated mean among those who answered, in the question's own unit.

    All numbers are None without reports, and if the estimated share of those
    who answered is not above 0. The variances are also None with a single
    report. value, low and high are raw and may be outside the scale.

    Args:
        variance: total variance of the value.
        mechanism_variance: part of the variance that the randomization causes,
            including the largest possible variance of rounding. None if answers
            are rounded to so few positions that the two parts cannot be
            distinguished.
        sampling_variance: part of the variance that choosing the respondents
            causes.
        release_variance: part of the variance that the noise of releases causes; None if the
            counts have none.
        unit: name of the unit from the author; None without one.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    variance: float | None = None
    mechanism_variance: float | None = None
    sampling_variance: float | None = None
    release_variance: float | None = None
    unit: Text | None = None

    @property
    def standard_error(self) -> float | None:
        """The square root of the variance."""
        return None if self.variance is None else math.sqrt(max(0.0, self.variance))

    def to_document(self) -> dict[str, Any]:
        """The estimate as plain JSON values."""
        unit = None if self.unit is None else text_document(self.unit)
        return {**document_of(self), "unit": unit}

    def table(self) -> Table:
        """One row, whose first cell for people has the unit."""
        value = "" if self.value is None else WRITE[ColumnKind.NUMBER](self.value)
        named = text_column("", "mean of those who answered")
        numbers = (Column("value"), *MEANS[1:])
        return Table.of((named,), numbers, [(f"{value} {self.unit_text}".rstrip(), self)])

    def parts(self) -> Iterable[Part]:
        """The mean as a table of one row."""
        if self.value is None:
            yield Line("no mean: the reports do not show that anybody answered")
        else:
            yield self.table()

    def charts(self) -> Iterable[Chart]:
        """The mean and its interval."""
        if self.value is not None:
            mark = Mark("mean", self.value, self.low, self.high)
            yield Chart("mean of those who answered", self.unit_text or "mean", (mark,))

    @property
    def unit_text(self) -> str:
        """The unit in the first of its languages; empty without one."""
        return "" if self.unit is None else in_language(self.unit, "")


_DISTRIBUTION = (Column("number", "number", ColumnKind.SHORT), Column("share", "share"))


@dataclass(frozen=True, slots=True, repr=False)
class DistributionEstimate(Presented):
    """The approximate maximum likelihood distribution of the answers.

    It is for charts: it has no intervals, it is biased, and its fine detail is
    noise. Shares are not negative and sum to 1.

    Args:
        names: numbers of the grid as decimal texts, ascending.
        shares: share of each number.
    """

    names: tuple[str, ...]
    shares: tuple[float, ...]

    def quantile(self, probability: float) -> str:
        """The smallest number that at least this part of the answers does not exceed.

        Raises:
            InvalidArgument: the probability is not within 0 to 1.
        """
        if not 0 <= probability <= 1:
            raise InvalidArgument(f"got the probability {probability:g}; allowed are 0 to 1")
        # The sum of the shares is 1 except for rounding; the last number contains the rest.
        sums = accumulate(self.shares)
        within = (
            name for name, total in zip(self.names, sums, strict=True) if total >= probability
        )
        return next(within, self.names[-1])

    def table(self) -> Table:
        """A row for each number."""
        numbers = map(float, self.names)
        return Table(_DISTRIBUTION, tuple(zip(numbers, self.shares, strict=True)))

    def parts(self) -> Iterable[Part]:
        """The quartiles of the distribution."""
        quartiles = ", ".join(self.quantile(part) for part in (0.25, 0.5, 0.75))
        return (Line(f"distribution (maximum likelihood, no intervals): quartiles {quartiles}"),)

    def charts(self) -> Iterable[Chart]:
        """A bar for each number."""
        marks = tuple(
            Mark(name, share) for name, share in zip(self.names, self.shares, strict=True)
        )
        title = "distribution of those who answered (for its shape only)"
        return (Chart(title, "share", marks, ChartKind.BARS),)


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
class Quantiles(Presented):
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

    def parts(self) -> Iterable[Part]:
        """A row for each quantile."""
        yield Line(
            f"{self.question}: {counted(self.reports, 'report')}; quantiles of those who "
            f"answered, {self.confidence:.6g} intervals"
        )
        numbers = (
            Column("probability", "part", ColumnKind.SHORT),
            text_column("value", "quantile"),
            text_column("low", "low"),
            text_column("high", "high"),
        )
        yield Table.of((), numbers, [(each,) for each in self.quantiles])
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The level of each quantile, as a number, with its interval."""
        marks = tuple(
            Mark(f"{100 * each.probability:.4g} %", *map(float, (each.value, each.low, each.high)))
            for each in self.quantiles
        )
        asked = asked_of(self.reports, self.epsilon)
        title = f"{self.question}: {asked}; quantiles, {self.confidence:.6g} intervals"
        yield Chart(title, f"{self.question}: level that this share does not exceed", marks)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SurvivalCurve(Presented):
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

    @property
    def title(self) -> str:
        """The question with the number of reports and epsilon."""
        asked = asked_of(self.reports, self.epsilon)
        return f"{self.question} (survival): {asked}; {self.interval} intervals"

    def parts(self) -> Iterable[Part]:
        """A row for each interval."""
        yield Line(self.title)
        yield option_table(self.points, "left after")
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The valid shares, as a line that never rises."""
        marks = (
            Mark(point.option, point.valid_share, point.low, point.high) for point in self.points
        )
        yield Chart(self.title, "share without the event", tuple(marks), ChartKind.STEPS)
