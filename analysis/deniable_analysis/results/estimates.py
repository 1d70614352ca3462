"""The estimates of a whole survey."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.estimators.intervals import Interval
from deniable_analysis.forms import counted, pandas
from deniable_analysis.presentation import Chart, Line, Part, Presented
from deniable_analysis.results.by_group import GroupedEstimates
from deniable_analysis.results.crosstab import CrosstabEstimate
from deniable_analysis.results.numbers import MEAN_NUMBERS
from deniable_analysis.results.questions import QuestionEstimate
from deniable_analysis.results.response import ALL_INVITED, ResponseRate
from deniable_analysis.results.shares import SHARE_NUMBERS

if TYPE_CHECKING:
    import pandas as pd

_SHARE_COLUMNS = (*SHARE_NUMBERS, "standard_error")
_MEAN_COLUMNS = (*MEAN_NUMBERS, "standard_error")


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Estimates(Presented):
    """The estimates of a survey's questions and crosstabs, from a single read of the reports.

    Args:
        survey: slug of the survey.
        digest: digest of its published document.
        edition: number of the edition of this slug.
        reports: number of all reports, including those without a given block.
        confidence: nominal coverage of the intervals.
        interval: chosen interval; see QuestionEstimate.interval.
        simultaneous: whether the confidence is that of all intervals of a
            question together.
        questions: result for each question, in the survey's order.
        crosstabs: result for each crosstab.
        response: response of those who are invited; None if everybody may
            answer.
        by_group: results of each group, and of all invited people; None if they
            are not asked for.
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
    response: ResponseRate | None = None
    by_group: GroupedEstimates | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings, each with its question or crosstab first."""
        return tuple(f"{name}: {warning}" for name, warning in self.named_warnings)

    @property
    def named_warnings(self) -> tuple[tuple[str, str], ...]:
        """The warnings as pairs: the question, crosstab or group, and the sentence."""
        response = self.response.warnings if self.response else ()
        found = [
            (ALL_INVITED, response),
            *((question.question, question.warnings) for question in self.questions),
            *((crosstab.block, crosstab.warnings) for crosstab in self.crosstabs),
        ]
        of_groups = self.by_group.named_warnings if self.by_group else ()
        named = [(name, warning) for name, warnings in found for warning in warnings]
        return (*named, *of_groups)

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
            "response": self.response.to_document() if self.response else None,
            "by_group": self.by_group.to_document() if self.by_group else None,
            "warnings": list(self.warnings),
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row for each option of each question, as a pandas data frame.

        If not all respondents are asked a question, "no_answer" has the name
        from `QuestionEstimate.of_all`.
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
        group, rate = "", ""
        if self.response:
            group = f", {self.response.group}" if self.response.group else ""
            rate = f" ({self.response.in_words})"
        yield Line(
            f"survey {self.survey}, edition {self.edition}{group}: "
            f"{counted(self.reports, 'report')}{rate}; "
            f"{self.confidence:.6g} {self.interval.value} intervals{every}"
        )
        for warning in self.response.warnings if self.response else ():
            yield Line(warning, is_warning=True)
        for part in (*self.questions, *self.crosstabs):
            yield Line("")
            yield from part.parts()
        if self.by_group:
            yield Line("")
            yield from self.by_group.parts()

    def charts(self) -> Iterable[Chart]:
        """The charts of every question, of every crosstab, and of groups."""
        for part in (*self.questions, *self.crosstabs):
            yield from part.charts()
        if self.by_group:
            yield from self.by_group.charts()


def _question_columns(question: QuestionEstimate) -> dict[str, object]:
    return {
        "question": question.question,
        "type": question.type,
        "epsilon": question.epsilon,
    }
