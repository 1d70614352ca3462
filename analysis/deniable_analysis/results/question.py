"""The estimates of one question."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from deniable_analysis.presentation import Chart, Line, Part, Presented, Table
from deniable_analysis.results.numbers import DistributionEstimate, MeanEstimate
from deniable_analysis.results.shares import (
    SHARE_HEADERS,
    OptionEstimate,
    forgery_note,
    share_marks,
)
from deniable_analysis.words import counted


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QuestionEstimate(Presented):
    """What is estimated of one question, as far as its reports can tell.

    Args:
        question: its id.
        type: its type.
        blocks: the blocks it was randomized in; several, if it stands in
            several crosstabs, whose estimates are then pooled.
        reports: how many reports these blocks have, together.
        epsilon: what a report spends on one such block, at most.
        interval: which intervals the options have: "wilson",
            "clopper-pearson" or "normal". That of a mean is always normal.
        options: in the question's order, "no_answer" last if it has it. Of a
            number only "no_answer", and nothing where everybody must answer.
        mean: of a number or scale; None for other questions.
        distribution: of a number or scale randomized by `piecewise`
            without rounding.
        warnings: what looks wrong with the reports.
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
        }

    @property
    def title(self) -> str:
        """The question with its reports and epsilon."""
        reports = counted(self.reports, "report")
        return f"{self.question} ({self.type}): {reports}, epsilon {self.epsilon:.4g}"

    def parts(self) -> Iterable[Part]:
        """The shares, the mean and the distribution, and what looks wrong."""
        if not self.reports:
            yield Line(self.title)
            yield Line("no report carries this question yet, so there is no estimate")
            return
        is_plain = self.blocks == (self.question,)
        source = "" if is_plain else f", from {', '.join(self.blocks)}; {self.interval} intervals"
        yield Line(self.title + source)
        if self.options:
            rows = tuple((option.option, *option.cells()) for option in self.options)
            yield Table(("option", *SHARE_HEADERS), rows)
            yield Line(forgery_note(self.options))
        for part in (self.mean, self.distribution):
            if part is not None:
                yield from part.parts()
        yield from (Line(text, is_warning=True) for text in self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares of the options, the mean, and the distribution."""
        if not self.reports:
            return
        if self.options:
            yield Chart(self.title, "share of those asked", share_marks(self.options))
        for part in (self.mean, self.distribution):
            for chart in part.charts() if part is not None else ():
                yield replace(chart, title=f"{self.title}; {chart.title}")
