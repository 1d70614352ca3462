"""Estimates pooled over several editions of a survey."""

from collections.abc import Iterable
from dataclasses import dataclass

from deniable_analysis.forms import DataFrame, Documented, counted, data_frame
from deniable_analysis.presentation import Chart, Line, Part, Presented, sections
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import (
    SHARE_COLUMNS,
    OptionEstimate,
    share_marks,
    share_table,
    warning_lines,
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PooledQuestion(Documented, Presented):
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
            yield share_table("option", self.options)
        if self.mean:
            yield from self.mean.parts()
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares of the options."""
        if self.reports and self.options:
            yield Chart(self.title, "share of those asked", share_marks(self.options))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PooledEstimates(Documented, Presented):
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

    def to_frame(self) -> DataFrame:
        """One row for each option of each question, as a pandas data frame."""
        rows = (
            {"question": question.question, "type": question.type, **option.row()}
            for question in self.questions
            for option in question.options
        )
        return data_frame(rows, ("question", "type", "option", *SHARE_COLUMNS), SHARE_COLUMNS)

    def parts(self) -> Iterable[Part]:
        """A title, then every question."""
        yield Line(
            f"{', '.join(self.editions)} pooled: {counted(self.reports, 'report')}; "
            f"{self.confidence:.6g} {self.interval} intervals"
        )
        yield from sections(self.questions)

    def charts(self) -> Iterable[Chart]:
        """The charts of every question."""
        for question in self.questions:
            yield from question.charts()
