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
        question: its id.
        type: its type.
        editions: those with reports on it, as slug@edition.
        weights: of these, for its first option, or for the mean without one.
        reports: of all of them together.
        options: with score intervals where reports are binomial counts in all
            editions, else normal ones; without numbers where nobody reported.
        mean: of a number or scale, with a normal interval.
        warnings: what looks wrong with the reports, of an edition or of all.
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
    """The estimates of several editions as one.

    Args:
        editions: as slug@edition.
        reports: of all of them together.
        confidence: of the intervals.
        questions: one result for each.
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
        """Those of every question."""
        for question in self.questions:
            yield from question.charts()
