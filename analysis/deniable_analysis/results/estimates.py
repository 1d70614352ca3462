"""The estimates of a whole survey."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from deniable_analysis.charts import Chart
from deniable_analysis.defaults import Interval
from deniable_analysis.forms import DataFrame, document_of
from deniable_analysis.parts import Column, Line, Part, Table, joined, text_column, warning_lines
from deniable_analysis.presentation import Named, Presented, sections
from deniable_analysis.results.by_group import GroupedEstimates
from deniable_analysis.results.by_site import SiteEstimates
from deniable_analysis.results.crosstab import CrosstabEstimate
from deniable_analysis.results.numbers import MEANS
from deniable_analysis.results.questions import QuestionEstimate
from deniable_analysis.results.responses import ALL_INVITED, ResponseRate
from deniable_analysis.results.shares import REPORTS
from deniable_sdk.wording import counted
from deniable_storage.ends import PLANNED, Fieldwork


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Estimates(Presented, Named[QuestionEstimate | CrosstabEstimate]):
    """The estimates of a survey's questions and crosstabs, from a single read of the reports.

    Args:
        survey: slug of the survey.
        digest: digest of its published document.
        edition: number of the edition of this slug.
        reports: number of all reports, including those without a given block.
        interval: chosen interval; see QuestionEstimate.interval.
        simultaneous: whether the confidence is that of all intervals of a
            question together.
        questions: result for each question, in the survey's order.
        crosstabs: result for each crosstab.
        fieldwork: state of the survey's fieldwork, which decides the default
            interval.
        response: response of those who are invited; None if everybody may
            answer.
        by_group: results of each group, and of all invited people; None if they
            are not asked for.
        by_site: results of each site, and how much the sites differ; None if
            they are not asked for.
        about_sites: sentences about the sites: that one is missing, or that a
            report could be at two.
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
    fieldwork: Fieldwork = PLANNED
    response: ResponseRate | None = None
    by_group: GroupedEstimates | None = None
    by_site: SiteEstimates | None = None
    about_sites: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings, each with its question or crosstab first."""
        return tuple(f"{name}: {warning}" for name, warning in self.named_warnings)

    @property
    def named_warnings(self) -> tuple[tuple[str, str], ...]:
        """The warnings as pairs: the question, crosstab or group, and the sentence."""
        response = self.response.warnings if self.response else ()
        groups = [
            ("sites", self.about_sites),
            (ALL_INVITED, response),
            *((question.question, question.warnings) for question in self.questions),
            *((crosstab.block, crosstab.warnings) for crosstab in self.crosstabs),
        ]
        of_groups = self.by_group.named_warnings if self.by_group else ()
        named = [(name, warning) for name, warnings in groups for warning in warnings]
        return (*named, *of_groups)

    @property
    def interval_in_words(self) -> str:
        """The kind of interval; and why, unless the survey ended as planned."""
        kind = f"{self.interval.value} intervals"
        if self.fieldwork.has_planned_end:
            return kind
        if self.interval is Interval.ANYTIME:
            return f"{kind}, because the survey is {self.fieldwork.in_words}"
        return f"{kind}, for one look at a survey that is {self.fieldwork.in_words}"

    def to_document(self) -> dict[str, Any]:
        """The results as plain JSON values with stable keys; no NaN."""
        return {**document_of(self), "warnings": list(self.warnings)}

    def table(self) -> Table:
        """A row for each option of each question.

        If not all respondents are asked a question, "no_answer" has the name
        from `QuestionEstimate.of_all`.
        """
        return joined(question.table() for question in self.questions)

    def means_to_frame(self) -> DataFrame:
        """One row for each question that has a mean, as a pandas data frame."""
        names = (text_column("question"), text_column("type"), Column("epsilon"), REPORTS)
        rows = (
            (question.question, question.type, question.epsilon, question.reports, question.mean)
            for question in self.questions
            if question.mean
        )
        return Table.of(names, MEANS, rows).to_frame()

    def _named(self) -> Mapping[str, QuestionEstimate | CrosstabEstimate]:
        blocks = {crosstab.block: crosstab for crosstab in self.crosstabs}
        return {**blocks, **{question.question: question for question in self.questions}}

    def parts(self) -> Iterable[Part]:
        """A title, then every question and crosstab."""
        every = ", all options of a question at once" if self.simultaneous else ""
        simulated = " (simulated)" if self.fieldwork.is_simulated else ""
        group, rate = "", ""
        if self.response:
            group = f", {self.response.group}" if self.response.group else ""
            rate = f" ({self.response.in_words})"
        yield Line(
            f"survey {self.survey}, edition {self.edition}{group}: "
            f"{counted(self.reports, 'report')}{simulated}{rate}; "
            f"{self.confidence:.6g} {self.interval_in_words}{every}"
        )
        of_response = self.response.warnings if self.response else ()
        yield from warning_lines((*self.about_sites, *of_response))
        yield from sections(self._sections)

    def charts(self) -> Iterable[Chart]:
        """The charts of every question, of every crosstab, of groups, and of sites."""
        for part in self._sections:
            yield from part.charts()

    @property
    def _sections(self) -> Iterable[Presented]:
        others = (each for each in (self.by_group, self.by_site) if each)
        return (*self.questions, *self.crosstabs, *others)
