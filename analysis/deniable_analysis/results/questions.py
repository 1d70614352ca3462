"""The estimates of a question."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from deniable_analysis.forms import asked_of, document_of
from deniable_analysis.presentation import Chart, Line, Part, Presented
from deniable_analysis.results.asked import AmongAsked
from deniable_analysis.results.numbers import DistributionEstimate, MeanEstimate
from deniable_analysis.results.shares import (
    OptionEstimate,
    forgery_note,
    share_marks,
    share_table,
    warning_lines,
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QuestionEstimate(Presented):
    """All estimates of one question that its reports identify.

    Args:
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
        among = self.among.to_document() if self.among else None
        return {**document_of(self, "among", "warnings"), "among_asked": among}

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
        return f"{self.question} ({self.type}): {asked_of(self.reports, self.epsilon)}"

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
            yield share_table("option", self.of_all)
            yield Line(forgery_note(self.options))
        for part in (self.among, self.mean, self.distribution):
            if part is not None:
                yield from part.parts()
        yield from warning_lines(self.warnings)

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
