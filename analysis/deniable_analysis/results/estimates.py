"""The estimates of a whole survey, and the forms they can take."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.estimators.intervals import Interval
from deniable_analysis.presentation import Chart, Line, Part, Presented
from deniable_analysis.results.crosstab import CrosstabEstimate
from deniable_analysis.results.frames import pandas
from deniable_analysis.results.numbers import MEAN_NUMBERS
from deniable_analysis.results.question import QuestionEstimate
from deniable_analysis.results.shares import SHARE_NUMBERS
from deniable_analysis.words import counted

if TYPE_CHECKING:
    import pandas as pd

_SHARE_COLUMNS = (*SHARE_NUMBERS, "standard_error")
_MEAN_COLUMNS = (*MEAN_NUMBERS, "standard_error")


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Estimates(Presented):
    """The estimates of a survey's questions and crosstabs, of the same moment.

    Args:
        survey: its slug.
        digest: of its published document.
        edition: which edition of the slug it is.
        reports: how many reports it has, those without a given block too.
        confidence: how often an interval contains the true value.
        interval: which interval was asked for; see QuestionEstimate.interval.
        simultaneous: whether a question's intervals hold all at once.
        questions: one result for each question, in the survey's order.
        crosstabs: one result for each crosstab.
    """

    survey: str
    digest: str
    edition: int
    reports: int
    confidence: float
    interval: Interval
    simultaneous: bool
    questions: tuple[QuestionEstimate, ...]
    crosstabs: tuple[CrosstabEstimate, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings, each beginning with its question or crosstab."""
        return tuple(f"{name}: {warning}" for name, warning in self.named_warnings)

    @property
    def named_warnings(self) -> tuple[tuple[str, str], ...]:
        """The same as pairs: the question or the crosstab's block, and the sentence."""
        found = [
            *((question.question, question.warnings) for question in self.questions),
            *((crosstab.block, crosstab.warnings) for crosstab in self.crosstabs),
        ]
        return tuple((name, warning) for name, warnings in found for warning in warnings)

    def to_document(self) -> dict[str, Any]:
        """The results as plain JSON values with stable keys; no NaN."""
        return {
            "survey": self.survey,
            "digest": self.digest,
            "edition": self.edition,
            "reports": self.reports,
            "confidence": self.confidence,
            "interval": self.interval.value,
            "simultaneous": self.simultaneous,
            "questions": [question.to_document() for question in self.questions],
            "crosstabs": [crosstab.to_document() for crosstab in self.crosstabs],
            "warnings": list(self.warnings),
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row for each option of each question, as a pandas data frame.

        Where only some are asked a question, "no_answer" has the name that
        `QuestionEstimate.of_all` uses.
        """
        rows = [
            {
                **_question_columns(question),
                **option.to_document(),
                "standard_error": option.standard_error,
            }
            for question in self.questions
            for option in question.of_all
        ]
        columns = ("question", "type", "epsilon", "option", *_SHARE_COLUMNS, "reports")
        frame = pandas().DataFrame(rows, columns=columns)
        return frame.astype(dict.fromkeys(_SHARE_COLUMNS, "float64"))

    def means_to_frame(self) -> "pd.DataFrame":
        """One row for each question that has a mean, as a pandas data frame."""
        rows = [
            {
                **_question_columns(question),
                **{name: getattr(question.mean, name) for name in _MEAN_COLUMNS},
                "reports": question.reports,
            }
            for question in self.questions
            if question.mean
        ]
        columns = ("question", "type", "epsilon", *_MEAN_COLUMNS, "reports")
        frame = pandas().DataFrame(rows, columns=columns)
        return frame.astype(dict.fromkeys(_MEAN_COLUMNS, "float64"))

    def parts(self) -> Iterable[Part]:
        """A title, then every question and crosstab."""
        every = ", all options of a question at once" if self.simultaneous else ""
        yield Line(
            f"survey {self.survey}, edition {self.edition}: {counted(self.reports, 'report')}; "
            f"{self.confidence:.6g} {self.interval.value} intervals{every}"
        )
        for part in (*self.questions, *self.crosstabs):
            yield Line("")
            yield from part.parts()

    def charts(self) -> Iterable[Chart]:
        """Those of every question, then of every crosstab."""
        for part in (*self.questions, *self.crosstabs):
            yield from part.charts()


def _question_columns(question: QuestionEstimate) -> dict[str, object]:
    return {
        "question": question.question,
        "type": question.type,
        "epsilon": question.epsilon,
    }
