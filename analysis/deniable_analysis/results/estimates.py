"""The estimates of a question, and of a whole survey."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from deniable_analysis.estimators.intervals import Interval
from deniable_analysis.forms import counted, pandas
from deniable_analysis.presentation import Chart, Line, Part, Presented, Table
from deniable_analysis.results.asked import AmongAsked
from deniable_analysis.results.crosstab import CrosstabEstimate
from deniable_analysis.results.numbers import MEAN_NUMBERS, DistributionEstimate, MeanEstimate
from deniable_analysis.results.shares import (
    SHARE_HEADERS,
    SHARE_NUMBERS,
    OptionEstimate,
    forgery_note,
    share_marks,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QuestionEstimate(Presented):
    """All estimates of one question that its reports identify.

    Args:
        question: id of the question.
        type: type of the question.
        blocks: blocks that contain the question. If it is in several crosstabs,
            their estimates are pooled.
        reports: total number of reports of these blocks.
        epsilon: largest privacy loss of a report on one of these blocks.
        interval: kind of the options' intervals: "wilson", "clopper-pearson" or
            "normal". The interval of a mean is always normal.
        options: shares in the question's order, "no_answer" last if it is an
            option. For a number only "no_answer"; empty if everybody must
            answer.
        mean: mean of a number or scale; None for other questions.
        distribution: distribution of a number or scale randomized by
            `piecewise` without rounding; otherwise None.
        among: shares among those who were asked, if the question has `show_if`;
            None if everybody is asked.
        warnings: sentences about signs of invalid reports.
    """

    question: str
    type: str
    blocks: tuple[str, ...]
    reports: int
    epsilon: float
    interval: str
    options: tuple[OptionEstimate, ...]
    mean: MeanEstimate | None = None
    distribution: DistributionEstimate | None = None
    among: AmongAsked | None = None
    warnings: tuple[str, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        return {
            "question": self.question,
            "type": self.type,
            "blocks": list(self.blocks),
            "reports": self.reports,
            "epsilon": self.epsilon,
            "interval": self.interval,
            "options": [option.to_document() for option in self.options],
            "mean": self.mean.to_document() if self.mean else None,
            "distribution": self.distribution.to_document() if self.distribution else None,
            "among_asked": self.among.to_document() if self.among else None,
        }

    @property
    def of_all(self) -> tuple[OptionEstimate, ...]:
        """The shares among all respondents, with names for people.

        If not all respondents are asked, "no_answer" is renamed to "not asked
        or no_answer", or becomes two shares if the reports distinguish the two.
        """
        return self.among.of_all(self.options) if self.among else self.options

    @property
    def title(self) -> str:
        """The question with the number of reports and epsilon."""
        reports = counted(self.reports, "report")
        return f"{self.question} ({self.type}): {reports}, epsilon {self.epsilon:.4g}"

    def parts(self) -> Iterable[Part]:
        """The shares, the shares among those asked, the mean, the distribution, and warnings."""
        if not self.reports:
            yield Line(self.title)
            yield Line("no report carries this question yet, so there is no estimate")
            return
        is_plain = self.blocks == (self.question,)
        source = "" if is_plain else f", from {', '.join(self.blocks)}; {self.interval} intervals"
        yield Line(self.title + source)
        if self.options:
            rows = tuple((option.option, *option.cells()) for option in self.of_all)
            yield Table(("option", *SHARE_HEADERS), rows)
            yield Line(forgery_note(self.options))
        for part in (self.among, self.mean, self.distribution):
            if part is not None:
                yield from part.parts()
        yield from (Line(text, is_warning=True) for text in self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares, the shares among those asked, the mean, and the distribution."""
        if not self.reports:
            return
        if self.options:
            unit = "share of those asked" if self.among is None else "share of all respondents"
            yield Chart(self.title, unit, share_marks(self.of_all))
        for part in (self.among, self.mean, self.distribution):
            for chart in part.charts() if part is not None else ():
                yield replace(chart, title=f"{self.title}; {chart.title}")


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
        """The warnings, each with its question or crosstab first."""
        return tuple(f"{name}: {warning}" for name, warning in self.named_warnings)

    @property
    def named_warnings(self) -> tuple[tuple[str, str], ...]:
        """The warnings as pairs: the question or the crosstab's block, and the sentence."""
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
        yield Line(
            f"survey {self.survey}, edition {self.edition}: {counted(self.reports, 'report')}; "
            f"{self.confidence:.6g} {self.interval.value} intervals{every}"
        )
        for part in (*self.questions, *self.crosstabs):
            yield Line("")
            yield from part.parts()

    def charts(self) -> Iterable[Chart]:
        """The charts of every question, then of every crosstab."""
        for part in (*self.questions, *self.crosstabs):
            yield from part.charts()


def _question_columns(question: QuestionEstimate) -> dict[str, object]:
    return {
        "question": question.question,
        "type": question.type,
        "epsilon": question.epsilon,
    }
