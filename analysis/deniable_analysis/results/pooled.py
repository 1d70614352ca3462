"""Estimates pooled over several editions of a survey."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.forms import counted, pandas
from deniable_analysis.presentation import Chart, Line, Part, Presented, Table
from deniable_analysis.results.numbers import MeanEstimate
from deniable_analysis.results.shares import (
    SHARE_HEADERS,
    SHARE_NUMBERS,
    OptionEstimate,
    share_marks,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PooledQuestion(Presented):
    """A question's estimates, pooled over editions.

    Args:
        question: id of the question.
        type: type of the question.
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

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        return {
            "question": self.question,
            "type": self.type,
            "editions": list(self.editions),
            "weights": list(self.weights),
            "reports": self.reports,
            "options": [option.to_document() for option in self.options],
            "mean": self.mean.to_document() if self.mean else None,
            "warnings": list(self.warnings),
        }

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
            rows = tuple((option.option, *option.cells()) for option in self.options)
            yield Table(("option", *SHARE_HEADERS), rows)
        if self.mean:
            yield from self.mean.parts()
        yield from (Line(warning, is_warning=True) for warning in self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares of the options."""
        if self.reports and self.options:
            yield Chart(self.title, "share of those asked", share_marks(self.options))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PooledEstimates(Presented):
    """The pooled estimates of several editions.

    Args:
        editions: editions as slug@edition.
        reports: total number of reports.
        confidence: nominal coverage of the intervals.
        questions: result for each question.
    """

    editions: tuple[str, ...]
    reports: int
    confidence: float
    questions: tuple[PooledQuestion, ...]

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        return {
            "editions": list(self.editions),
            "reports": self.reports,
            "confidence": self.confidence,
            "questions": [question.to_document() for question in self.questions],
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row for each option of each question, as a pandas data frame."""
        rows = [
            {
                "question": question.question,
                "type": question.type,
                **option.to_document(),
                "standard_error": option.standard_error,
            }
            for question in self.questions
            for option in question.options
        ]
        numbers = (*SHARE_NUMBERS, "standard_error")
        frame = pandas().DataFrame(rows, columns=("question", "type", "option", *numbers))
        return frame.astype(dict.fromkeys(numbers, "float64"))

    def parts(self) -> Iterable[Part]:
        """A title, then every question."""
        yield Line(
            f"{', '.join(self.editions)} pooled: {counted(self.reports, 'report')}; "
            f"{self.confidence:.6g} intervals"
        )
        for question in self.questions:
            yield Line("")
            yield from question.parts()

    def charts(self) -> Iterable[Chart]:
        """The charts of every question."""
        for question in self.questions:
            yield from question.charts()
